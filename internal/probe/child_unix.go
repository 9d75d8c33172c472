//go:build unix && !linux

package probe

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/harden-input/harden/rule"
)

// A child is the command while it runs, with its process group.
type child struct {
	process *os.Process
	ended   chan struct{} // closed when it has ended, and its group was killed
	// at is when the command ended; state and err are how. They are valid
	// once ended is closed.
	at    time.Time
	state *os.ProcessState
	err   error
}

// start starts the command in a session and so a process group of its own. It
// has no terminal to write to past harden, or to be stopped by.
func (o *Options) start(program string, argv []string, files [3]*os.File) (*child, error) {
	process, err := os.StartProcess(program, argv, &os.ProcAttr{
		Files: files[:],
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return nil, err
	}
	c := &child{process: process, ended: make(chan struct{})}
	go func() {
		c.state, c.err = process.Wait()
		c.at = time.Now()
		c.kill() // what it left behind
		close(c.ended)
	}()
	return c, nil
}

func (o *Options) memoryIs() (how MemoryMeasured, missing []string) {
	return MemoryRusage, []string{"peak virtual size", "memory while the command runs"}
}

// kill kills the group, unless that is gone. It may be called again.
func (c *child) kill() { _ = syscall.Kill(-c.process.Pid, syscall.SIGKILL) }

// look tells nothing: the platform does not without privileges.
func (c *child) look(uint64) (held uint64, above bool) { return 0, false }

// fill says how the command ended and what it cost.
func (c *child) fill(e *ending) error {
	if c.err != nil {
		return c.err
	}
	if status, ok := c.state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		e.signal = unix.SignalName(status.Signal())
	} else {
		e.exit = c.state.ExitCode()
	}
	e.cpu = c.state.UserTime() + c.state.SystemTime()
	if usage, ok := c.state.SysUsage().(*syscall.Rusage); ok {
		e.resident = rule.N(uint64(usage.Maxrss) * maxrssUnit)
	}
	return nil
}
