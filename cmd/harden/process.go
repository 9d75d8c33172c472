//go:build !wasip1

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// signalled is what shells add to the number of the signal that ended a
// command, for its exit code.
const signalled = 128

// process is a consumer that is started once there is something to consume.
type process struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser // nil before start
}

func (c *Command) process(ctx context.Context, args []string) (consumer, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = c.Stdout, c.Stderr
	return &process{cmd: cmd}, nil
}

func (p *process) start() error {
	stdin, err := p.cmd.StdinPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("nothing is wrong with the payload, but the command cannot be started: %w", err)
	}
	p.stdin = stdin
	return nil
}

func (p *process) Write(b []byte) (int, error) { return p.stdin.Write(b) }

func (p *process) finish() (int, error) {
	if p.stdin == nil {
		return ExitClean, nil
	}
	// The command may have closed its end long ago.
	_ = p.stdin.Close()
	err := p.cmd.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return ExitClean, nil
	case !errors.As(err, &exit):
		return ExitUndecided, fmt.Errorf("waiting for the command: %w", err)
	case exit.Exited():
		return exit.ExitCode(), nil
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return signalled + int(status.Signal()), nil
	}
	return ExitUndecided, fmt.Errorf("the command: %w", exit)
}
