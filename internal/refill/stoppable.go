package refill

import (
	"context"
	"io"
	"time"
)

// A Stoppable reads until its context ends, even where its reader blocks: what
// produces a stream may never go on. A read that was given up goes on behind
// it, into memory that nobody else uses.
type Stoppable struct {
	ctx context.Context
	r   io.Reader
	buf []byte
	// done has the result of the read that is going on.
	done chan readResult
}

type readResult struct {
	n   int
	err error
}

// maxRead is the most that a Stoppable reads at once.
const maxRead = 64 << 10

// NewStoppable returns a reader of what r has, until ctx ends: then its read
// returns the cause, even where a read of r blocks, and it must not be used
// again.
func NewStoppable(ctx context.Context, r io.Reader) *Stoppable {
	return &Stoppable{ctx: ctx, r: r}
}

func (s *Stoppable) Read(p []byte) (int, error) { return s.ReadUnless(p, nil, nil) }

// ReadUnless reads, unless late tells first: then it fails with errLate.
func (s *Stoppable) ReadUnless(p []byte, late <-chan time.Time, errLate error) (int, error) {
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
		return 0, errLate
	case <-s.ctx.Done():
		return 0, context.Cause(s.ctx)
	}
}
