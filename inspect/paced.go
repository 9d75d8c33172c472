package inspect

import (
	"context"
	"io"
	"time"

	"github.com/harden-input/harden/internal/refill"
)

// A paced reader reads a stream of records at the pace of who uses it. It calls
// before in front of every read, and gives up one that blocks inside a record
// once the record's time is over.
type paced struct {
	r      *refill.Stoppable
	clock  *recordClock
	before func() error // Input.BeforeRead
}

// paced returns what the records of in are read from.
func (j *job) paced(in *Input) io.Reader {
	if in.at != nil || j.records.clock == nil && in.BeforeRead == nil {
		return in.r
	}
	return &paced{refill.NewStoppable(context.Background(), in.r), j.records.clock, in.BeforeRead}
}

// Read must not be called again after it was given up.
func (s *paced) Read(p []byte) (int, error) {
	if s.before != nil {
		began := time.Now()
		if err := s.before(); err != nil {
			return 0, err
		}
		s.clock.pause(time.Since(began))
	}
	late, stop := s.clock.late()
	defer stop()
	return s.r.ReadUnless(p, late, ErrTime)
}
