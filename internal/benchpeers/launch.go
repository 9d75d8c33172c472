package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// launchArg, as the first argument, makes this program a launcher.
const launchArg = "launch"

// A launcher runs a tool by way of a second, fresh process of this program.
// On Linux a child's peak memory starts at its parent's: exec counts the pages
// of the process that the child was forked from. This program has made inputs
// and is large; its fresh copy has done nothing and is small, so what the copy
// reads off its child is the child's own, above a floor of a few MiB.
type launcher struct {
	self    string
	timeout time.Duration
}

func newLauncher(timeout time.Duration) (launcher, error) {
	self, err := os.Executable()
	return launcher{self, timeout}, err
}

// A result is what one run of a tool came to.
type result struct {
	Elapsed time.Duration `json:"elapsed"`
	// MaxRSS is the peak of resident memory in bytes; 0 where the system does
	// not tell.
	MaxRSS int64 `json:"max_rss"`
	// Exit is the exit status, −1 where a signal ended the run.
	Exit     int  `json:"exit"`
	TimedOut bool `json:"timed_out"`
}

// run runs a program and waits for it. An exit status other than zero is a
// result, not an error.
func (l launcher) run(path string, args ...string) (result, error) {
	cmd := exec.Command(l.self, append([]string{launchArg, l.timeout.String(), path}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return result{}, fmt.Errorf("launching %s: %w", path, err)
	}
	var r result
	if err := json.Unmarshal(out, &r); err != nil {
		return result{}, fmt.Errorf("launching %s: %w", path, err)
	}
	return r, nil
}

// floor returns the peak memory that a program is said to have that needs next
// to none; 0 where there is no such program.
func (l launcher) floor() (int64, error) {
	path, err := exec.LookPath("true")
	if err != nil {
		return 0, nil
	}
	r, err := l.run(path)
	return r.MaxRSS, err
}

// launch is the launcher's side: it runs args[1] with the arguments that follow
// and without output, for at most the duration args[0], and writes a result.
func launch(args []string, stdout, stderr io.Writer) int {
	if len(args) < 2 {
		fmt.Fprintln(stderr, "launch: too few arguments")
		return 2
	}
	timeout, err := time.ParseDuration(args[0])
	if err != nil {
		fmt.Fprintln(stderr, "launch:", err)
		return 2
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[1], args[2:]...)
	start := time.Now()
	err = cmd.Run()
	r := result{Elapsed: time.Since(start), TimedOut: ctx.Err() != nil}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		fmt.Fprintln(stderr, "launch:", err)
		return 1
	}
	r.Exit = cmd.ProcessState.ExitCode()
	r.MaxRSS = maxRSS(cmd.ProcessState)
	if err := json.NewEncoder(stdout).Encode(r); err != nil {
		fmt.Fprintln(stderr, "launch:", err)
		return 1
	}
	return 0
}
