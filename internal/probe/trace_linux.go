package probe

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// traceOptions make the kernel attach to all that the command starts, stop
// each of it at its exit, and kill it should harden die.
const traceOptions = syscall.PTRACE_O_TRACEFORK | syscall.PTRACE_O_TRACEVFORK | syscall.PTRACE_O_TRACECLONE |
	syscall.PTRACE_O_TRACEEXEC | syscall.PTRACE_O_TRACEEXIT | exitKill

// exitKill is PTRACE_O_EXITKILL, which package syscall does not have.
const exitKill = 1 << 20

// startTraced starts a command each of whose processes is stopped at its exit
// to have its memory read.
func startTraced(program string, argv []string, files [3]*os.File) (*child, error) {
	c := newChild(true)
	started := make(chan error)
	go func() {
		// The thread that starts a traced process is its tracer, and the
		// only one that may talk to it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := c.begin(program, argv, files)
		started <- err
		if err == nil {
			c.trace()
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return c, nil
}

// begin starts the command and stops it before its first instruction.
func (c *child) begin(program string, argv []string, files [3]*os.File) (err error) {
	if c.pid, err = syscall.ForkExec(program, argv, attributes(files, true)); err != nil {
		return err
	}
	if _, err = wait4(c.pid, &c.status, 0, nil); err == nil {
		err = syscall.PtraceSetOptions(c.pid, traceOptions)
	}
	if err == nil {
		noCore(c.pid)
		c.processes[c.pid] = c.pid
		err = syscall.PtraceCont(c.pid, 0)
	}
	if err != nil {
		_ = syscall.Kill(c.pid, syscall.SIGKILL)
		_, _ = wait4(c.pid, &c.status, 0, nil)
	}
	return err
}

// trace lets the command and its descendants run until all have ended.
func (c *child) trace() {
	defer close(c.ended)
	for {
		var status syscall.WaitStatus
		var usage syscall.Rusage
		// Only what this thread traces: other threads have commands too.
		tid, err := wait4(-1, &status, syscall.WALL|syscall.WNOTHREAD, &usage)
		if err != nil {
			if c.at.IsZero() {
				c.at, c.err = time.Now(), err
			}
			return
		}
		if !status.Stopped() {
			c.forget(tid)
			if tid == c.pid {
				c.at, c.status, c.usage = time.Now(), status, usage
				// What it left behind. The ID of a group that has members
				// is given to nobody else.
				c.kill()
				c.mu.Lock()
				c.gone = true
				c.mu.Unlock()
			}
			continue
		}
		// It may have been killed since it stopped.
		_ = syscall.PtraceCont(tid, c.stopped(tid, status))
	}
}

// stopped looks at a thread that has stopped, and returns the signal that it is
// to go on with. A process that stops itself goes on at once: nobody is there
// to wake it.
func (c *child) stopped(tid int, status syscall.WaitStatus) (signal int) {
	fresh := c.adopt(tid)
	switch status.TrapCause() {
	case syscall.PTRACE_EVENT_EXIT:
		if s, ok := readStatus(tid); ok {
			c.reached(s)
		}
		return 0
	case syscall.PTRACE_EVENT_EXEC:
		// The thread that called exec has become the process's first.
		if old, err := syscall.PtraceGetEventMsg(tid); err == nil && int(old) != tid {
			c.forget(int(old))
		}
		return 0
	case syscall.PTRACE_EVENT_FORK, syscall.PTRACE_EVENT_VFORK, syscall.PTRACE_EVENT_CLONE:
		return 0
	}
	if fresh && status.StopSignal() == syscall.SIGSTOP {
		return 0 // the tracer's own, from which a new thread starts
	}
	return int(status.StopSignal())
}

// adopt takes in a thread, and reports whether it is new.
func (c *child) adopt(tid int) (fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.processes[tid]; known {
		return false
	}
	pid := tid
	if s, ok := readStatus(tid); ok {
		pid = s.process
	}
	c.processes[tid] = pid
	if c.killed {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return true
}

func (c *child) forget(tid int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.processes, tid)
}
