//go:build !wasip1

package probe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/harden-input/harden/rule"
)

const (
	// lookEvery is how often a running command's memory is looked at. What
	// it takes in between is what it may go over the limit by.
	lookEvery = 5 * time.Millisecond
	// drainFor is how long output is waited for after the command has ended:
	// something it left behind may keep the pipe open.
	drainFor = 500 * time.Millisecond
)

// An ending is how the command ended on one payload, and what it cost.
type ending struct {
	exit   int    // where signal is empty
	signal string // that ended it
	// wall is the time to its end, cpu what it and those of its descendants
	// that it waited for spent in user and kernel mode.
	wall, cpu         time.Duration
	resident, virtual rule.Amount // peaks, in bytes
	output            uint64      // bytes on stdout and stderr
	stderr            []byte      // its beginning
	stopped           stop
	held              uint64 // bytes, where it was stopped for them
}

// A stop is why a command was killed.
type stop int

const (
	notStopped stop = iota
	overTime
	overMemory
	overOutput
	interrupted
)

// execute runs the command on what is on the stage. Its error says why it could
// not be started, or why the payload could not be made.
func (o *Options) execute(ctx context.Context, program string, p *prop) (*ending, error) {
	pipes, err := newPipes(p.stdin)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	c, err := o.start(program, p.argv, pipes.childs)
	closeAll(pipes.childs[:])
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the command cannot be started: %w", err), pipes.abandon())
	}
	out := drained(pipes.ours, o.MaxOutput)
	fed := make(chan error, 1)
	go func() { fed <- feed(pipes.feed, p.stdin) }()

	e := &ending{}
	o.watch(ctx, c, out, e)
	if pipes.feed != nil {
		// It may still be written to, by a command that left something behind.
		// Closing twice is an error that tells nothing.
		_ = pipes.feed.Close()
	}
	out.finish()
	if err := <-fed; err != nil {
		return nil, fmt.Errorf("making the payload: %w", err)
	}
	e.wall = c.at.Sub(begin)
	e.output, e.stderr = out.total.Load(), out.stderr
	if err := c.fill(e); err != nil {
		return nil, fmt.Errorf("waiting for the command: %w", err)
	}
	return e, nil
}

// watch returns when the command has ended, by itself or because it was killed.
func (o *Options) watch(ctx context.Context, c *child, out *output, e *ending) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	var deadline <-chan time.Time
	if o.Timeout > 0 {
		timer := time.NewTimer(o.Timeout)
		defer timer.Stop()
		deadline = timer.C
	}
	end := func(why stop) {
		if e.stopped == notStopped {
			e.stopped = why
		}
		c.kill()
	}
	cancelled, over := ctx.Done(), out.over
	for {
		select {
		case <-c.ended:
			return
		case <-cancelled:
			cancelled = nil
			end(interrupted)
		case <-deadline:
			end(overTime)
		case <-over:
			over = nil
			end(overOutput)
		case <-look.C:
			if e.stopped != notStopped {
				c.kill() // what was started while it was being killed
				continue
			}
			if held, above := c.look(o.Memory); above {
				e.held = held
				end(overMemory)
			}
		}
	}
}

// pipes are the ends of a command's standard streams.
type pipes struct {
	childs [3]*os.File
	ours   [2]*os.File // of stdout and stderr
	feed   *os.File    // of stdin; nil where that is empty
}

func newPipes(stdin io.Reader) (p *pipes, err error) {
	p = &pipes{}
	if stdin == nil {
		p.childs[0], err = os.Open(os.DevNull)
	} else {
		p.childs[0], p.feed, err = os.Pipe()
	}
	if err == nil {
		p.ours[0], p.childs[1], err = os.Pipe()
	}
	if err == nil {
		p.ours[1], p.childs[2], err = os.Pipe()
	}
	if err != nil {
		closeAll(p.childs[:])
		return nil, errors.Join(err, p.abandon())
	}
	return p, nil
}

// abandon closes our ends.
func (p *pipes) abandon() error {
	closeAll(p.ours[:])
	if p.feed == nil {
		return nil
	}
	return p.feed.Close()
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			// Nothing was written through f by us.
			_ = f.Close()
		}
	}
}

// feed writes the payload to the command, and returns the error of making it.
// That the command does not want all of it is its business.
func feed(to *os.File, payload io.Reader) error {
	if to == nil {
		return nil
	}
	from := &source{r: payload}
	// The error is that of from, or of a command that stopped reading.
	_, _ = io.Copy(to, from)
	_ = to.Close()
	return from.err
}

// A source remembers why it could not be read.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}
