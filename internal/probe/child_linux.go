package probe

import (
	"errors"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/harden-input/harden/rule"
)

// A child is the command while it runs, with all that descends from it.
type child struct {
	pid   int
	ended chan struct{} // closed when it has ended, and the rest was killed
	// at is when the command ended; status, usage and err are how. They are
	// valid once ended is closed.
	at     time.Time
	status syscall.WaitStatus
	usage  syscall.Rusage
	err    error

	traced bool
	mu     sync.Mutex
	// processes holds the process of every traced thread, by thread ID.
	processes map[int]int
	killed    bool
	gone      bool // it is waited for, and its ID may be another's
	// peaks of the largest process so far, in bytes.
	resident, virtual uint64
}

// start starts the command in a session and so a process group of its own. It
// has no terminal to write to past harden, or to be stopped by.
func (o *Options) start(program string, argv []string, files [3]*os.File) (*child, error) {
	if !o.polling.Load() {
		c, err := startTraced(program, argv, files)
		if !mayBeTracing(err) {
			return c, err
		}
	}
	c, err := startPolled(program, argv, files)
	if err == nil {
		o.polling.Store(true)
	}
	return c, err
}

// mayBeTracing reports whether a command could not be started because ptrace is
// not permitted. Programs that must not be run give the same errors.
func mayBeTracing(err error) bool {
	return errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.ENOSYS)
}

func (o *Options) memoryIs() (how MemoryMeasured, missing []string) {
	if o.polling.Load() {
		return MemoryPolled, nil
	}
	return MemoryAtExit, nil
}

func newChild(traced bool) *child {
	return &child{traced: traced, ended: make(chan struct{}), processes: map[int]int{}}
}

func attributes(files [3]*os.File, traced bool) *syscall.ProcAttr {
	return &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: []uintptr{files[0].Fd(), files[1].Fd(), files[2].Fd()},
		Sys:   &syscall.SysProcAttr{Setsid: true, Ptrace: traced},
	}
}

// startPolled starts a command whose memory is looked at from time to time.
func startPolled(program string, argv []string, files [3]*os.File) (*child, error) {
	c := newChild(false)
	var err error
	if c.pid, err = syscall.ForkExec(program, argv, attributes(files, false)); err != nil {
		return nil, err
	}
	noCore(c.pid)
	c.look(0)
	go func() {
		defer close(c.ended)
		// While it is not waited for, no other process has its ID.
		for c.err = unix.EINTR; c.err == unix.EINTR; {
			c.err = unix.Waitid(unix.P_PID, c.pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		}
		c.at = time.Now()
		c.kill() // what it left behind
		c.mu.Lock()
		c.gone = true
		c.mu.Unlock()
		if c.err == nil {
			_, c.err = wait4(c.pid, &c.status, 0, &c.usage)
		}
	}()
	return c, nil
}

// wait4 is syscall.Wait4 that a signal to harden does not end.
func wait4(pid int, status *syscall.WaitStatus, options int, usage *syscall.Rusage) (int, error) {
	for {
		n, err := syscall.Wait4(pid, status, options, usage)
		if err != syscall.EINTR {
			return n, err
		}
	}
}

// noCore keeps a process from leaving its core where it crashed. That it is
// gone already is no error.
func noCore(pid int) {
	_ = unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
}

// kill kills the command and all that is known to descend from it, the command
// first, so that it does not see the others die. It may be called again.
func (c *child) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.killed = true
	for _, pid := range c.living() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	if !c.gone {
		// What has left the tree, or was started so that it is not traced,
		// may still be in the group.
		_ = syscall.Kill(-c.pid, syscall.SIGKILL)
	}
}

// look takes a look at the memory of all processes. It returns what they hold
// where that is above limit, which is not 0: the largest one, or all together
// with shared pages counted once.
func (c *child) look(limit uint64) (held uint64, above bool) {
	var largest, sum uint64
	c.mu.Lock()
	pids := c.living()
	c.mu.Unlock()
	for _, pid := range pids {
		s, ok := readStatus(pid)
		if !ok {
			continue
		}
		c.reached(s)
		largest = max(largest, s.peakResident)
		sum += s.resident
	}
	switch {
	case rule.Exceeds(largest, limit):
		return largest, true
	case len(pids) > 1 && rule.Exceeds(sum, limit):
		held = together(pids)
		return held, rule.Exceeds(held, limit)
	}
	return 0, false
}

// reached takes the peaks of one process.
func (c *child) reached(s status) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.resident = max(c.resident, s.peakResident)
	c.virtual = max(c.virtual, s.peakVirtual)
}

// living returns the processes that are known to live, the command first. mu is
// held.
func (c *child) living() []int {
	if !c.traced && !c.gone {
		return descendants(c.pid)
	}
	var pids []int
	for _, pid := range c.processes {
		if !slices.Contains(pids, pid) {
			pids = append(pids, pid)
		}
	}
	if i := slices.Index(pids, c.pid); i > 0 {
		pids[0], pids[i] = pids[i], pids[0]
	}
	return pids
}

// fill says how the command ended and what it cost.
func (c *child) fill(e *ending) error {
	if c.err != nil {
		return c.err
	}
	if c.status.Signaled() {
		e.signal = unix.SignalName(c.status.Signal())
	} else {
		e.exit = c.status.ExitStatus()
	}
	e.cpu = time.Duration(c.usage.Utime.Nano() + c.usage.Stime.Nano())
	if c.resident > 0 {
		e.resident, e.virtual = rule.N(c.resident), rule.N(c.virtual)
	}
	return nil
}
