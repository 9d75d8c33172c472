package probe

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// A child is the command while it runs, in a job object with what it starts.
// What it starts before it is put there is not in it.
type child struct {
	process *os.Process
	job     windows.Handle
	ended   chan struct{} // closed when it has ended, and its job was
	// at is when the command ended; state and err are how. They are valid
	// once ended is closed.
	at    time.Time
	state *os.ProcessState
	err   error
}

// start starts the command in a job object of its own.
func (o *Options) start(program string, argv []string, files [3]*os.File) (*child, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, err
	}
	process, err := os.StartProcess(program, argv, &os.ProcAttr{Files: files[:]})
	if err != nil {
		return nil, errors.Join(err, windows.CloseHandle(job))
	}
	c := &child{process: process, job: job, ended: make(chan struct{})}
	if err := c.join(); err != nil {
		return nil, errors.Join(err, process.Kill(), process.Release(), windows.CloseHandle(job))
	}
	go func() {
		c.state, c.err = process.Wait()
		c.at = time.Now()
		c.kill() // what it left behind
		close(c.ended)
	}()
	return c, nil
}

// join puts the command into its job. One that has ended already needs none.
func (c *child) join() error {
	handle, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(c.process.Pid))
	if err != nil {
		return err
	}
	err = windows.AssignProcessToJobObject(c.job, handle)
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		err = nil
	}
	return errors.Join(err, windows.CloseHandle(handle))
}

func (o *Options) memoryIs() (how MemoryMeasured, missing []string) {
	return MemoryNotMeasured, []string{"peak resident size", "peak virtual size"}
}

// exceptions are the exit codes from here on: they end a process as signals do
// elsewhere, 0xc0000005 for an access violation.
const exceptions = 0xc0000000

// kill ends the job, and the command where that could not be put there. It may
// be called again.
func (c *child) kill() {
	_ = windows.TerminateJobObject(c.job, 1)
	_ = c.process.Kill()
}

// look tells nothing.
func (c *child) look(uint64) (held uint64, above bool) { return 0, false }

// fill says how the command ended and what it cost.
func (c *child) fill(e *ending) error {
	if err := errors.Join(c.err, windows.CloseHandle(c.job)); err != nil {
		return err
	}
	e.exit = c.state.ExitCode()
	if code := uint32(e.exit); code >= exceptions {
		e.signal = fmt.Sprintf("exception %#x", code)
	}
	e.cpu = c.state.UserTime() + c.state.SystemTime()
	return nil
}
