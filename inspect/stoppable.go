package inspect

import (
	"context"
	"io"
)

// A stoppable reads from r until its context ends, even where r blocks: what
// produces a stream may never go on. A read that was given up goes on behind
// it, into memory that nobody else uses.
type stoppable struct {
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

// newStoppable returns r itself where nothing can end ctx.
func newStoppable(ctx context.Context, r io.Reader) io.Reader {
	if ctx.Done() == nil {
		return r
	}
	return &stoppable{ctx: ctx, r: r, buf: make([]byte, maxRead), done: make(chan readResult, 1)}
}

// Read must not be called again after the context has ended.
func (s *stoppable) Read(p []byte) (int, error) {
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
	case <-s.ctx.Done():
		return 0, context.Cause(s.ctx)
	}
}
