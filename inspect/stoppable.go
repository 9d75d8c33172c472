package inspect

import (
	"context"
	"io"
	"time"
)

// A stoppable reads from r until its context ends, or the time for a record
// does, even where r blocks: what produces a stream may never go on. A read that
// was given up goes on behind it, into memory that nobody else uses.
type stoppable struct {
	ctx    context.Context
	clock  *recordClock
	before func() error // Input.BeforeRead
	r      io.Reader
	buf    []byte
	// done has the result of the read that is going on.
	done chan readResult
}

type readResult struct {
	n   int
	err error
}

func newStoppable(ctx context.Context, clock *recordClock, in *Input) *stoppable {
	return &stoppable{ctx: ctx, clock: clock, before: in.BeforeRead, r: in.r}
}

// Read must not be called again after it was given up.
func (s *stoppable) Read(p []byte) (int, error) {
	if s.before != nil {
		began := time.Now()
		if err := s.before(); err != nil {
			return 0, err
		}
		s.clock.pause(time.Since(began))
	}
	late, stop := s.clock.late()
	defer stop()
	if s.ctx.Done() == nil && late == nil {
		return s.r.Read(p) // nothing can end it
	}
	if s.buf == nil {
		s.buf, s.done = make([]byte, maxRead), make(chan readResult, 1)
	}
	buf := s.buf[:min(len(p), len(s.buf))]
	go func() {
		n, err := s.r.Read(buf)
		s.done <- readResult{n, err}
	}()
	select {
	case res := <-s.done:
		if res.n > 0 && res.n <= len(buf) {
			copy(p, buf[:res.n])
		}
		return res.n, res.err
	case <-late:
		return 0, errTime
	case <-s.ctx.Done():
		return 0, context.Cause(s.ctx)
	}
}
