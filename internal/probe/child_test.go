//go:build linux

package probe

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/harden-input/harden/corpus"
)

// TestMain makes the test binary a command to probe as well. Its payloads are
// scripts, one instruction a line, that it carries out.
func TestMain(m *testing.M) {
	if os.Getenv("PROBE_TEST_CHILD") == "" {
		os.Setenv("PROBE_TEST_CHILD", "1")
		os.Exit(m.Run())
	}
	script := ""
	switch os.Args[1] {
	case "stdin":
		text, err := io.ReadAll(os.Stdin)
		if err != nil {
			os.Exit(99)
		}
		script = string(text)
	case "file":
		text, err := os.ReadFile(os.Args[2])
		if err != nil {
			os.Exit(99)
		}
		fmt.Fprint(os.Stderr, os.Args[2])
		script = string(text)
	case "script":
		script = os.Args[2]
	case "deaf":
		// does not read its input
	}
	for _, line := range strings.Split(script, "\n") {
		instruction(line)
	}
	os.Exit(0)
}

// held is what the child keeps.
var held [][]byte

func instruction(line string) {
	word, rest, _ := strings.Cut(line, " ")
	n, _ := strconv.Atoi(rest)
	switch word {
	case "exit":
		os.Exit(n)
	case "reserve", "touch": // MiB
		b := make([]byte, n<<20)
		if word == "touch" {
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
		}
		held = append(held, b)
	case "sleep": // ms
		time.Sleep(time.Duration(n) * time.Millisecond)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	case "spam":
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("spam ", 1000)); err != nil {
				os.Exit(98)
			}
		}
	case "stderr":
		fmt.Fprintln(os.Stderr, rest)
	case "signal": // by a shell, as Go's runtime ends in exit code 2 for most
		_ = syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -" + rest + " $$"}, os.Environ())
	case "probe": // itself, from within a probe
		o := &Options{Command: []string{os.Args[0], "script", rest}, Cases: []corpus.Case{{ID: "json/inner", Payload: text("")}}}
		r, err := Run(context.Background(), o)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(97)
		}
		fmt.Fprintln(os.Stderr, r.Memory, r.Cases[0].Class)
	case "session": // ends with 0 where it leads one
		if id, err := unix.Getsid(0); err != nil || id != os.Getpid() {
			os.Exit(96)
		}
	case "stop":
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	case "run": // a child, until it ends
		_ = self(rest).Run()
	case "pair": // two children at once
		a, b := self(rest), self(rest)
		_, _ = a.Start(), b.Start()
		_, _ = a.Wait(), b.Wait()
	case "leave": // a child of its own session, which keeps stdout open
		c := self(rest)
		c.Stdout, c.SysProcAttr = os.Stdout, &syscall.SysProcAttr{Setsid: true}
		_ = c.Start()
	case "hide": // a child from whoever traces this process
		c := self(rest)
		c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_UNTRACED}
		_ = c.Start()
	}
}

// self is the test binary with a script whose lines are divided by semicolons.
func self(script string) *exec.Cmd {
	return exec.Command(os.Args[0], "script", strings.ReplaceAll(script, ";", "\n"))
}
