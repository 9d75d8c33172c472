package inspect

import (
	"context"
	"time"

	"github.com/harden-input/harden/internal/refill"
)

// A stoppable reads an input until its context ends, or the time for a record
// does, even where the input blocks.
type stoppable struct {
	refill.Stoppable
	clock  *recordClock
	before func() error // Input.BeforeRead
}

func newStoppable(ctx context.Context, clock *recordClock, in *Input) *stoppable {
	return &stoppable{*refill.NewStoppable(ctx, in.r), clock, in.BeforeRead}
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
	return s.ReadUnless(p, late, ErrTime)
}
