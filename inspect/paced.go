package inspect

import (
	"io"
	"time"
)

// A paced reader reads a stream of records at the pace of who uses it. It calls
// before in front of every read, and gives up one that blocks inside a record
// once the record's time is over. A read that was given up goes on behind it,
// into memory that nobody else uses.
type paced struct {
	r      io.Reader
	clock  *recordClock
	before func() error // Input.BeforeRead
	buf    []byte
	done   chan delivery
}

// paced returns what the records of in are read from.
func (j *job) paced(in *Input) io.Reader {
	if in.at != nil || j.records.clock == nil && in.BeforeRead == nil {
		return in.r
	}
	return &paced{r: in.r, clock: j.records.clock, before: in.BeforeRead}
}

// A delivery is what one read returned.
type delivery struct {
	n   int
	err error
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
	if late == nil {
		return s.r.Read(p)
	}
	if s.buf == nil {
		s.buf, s.done = make([]byte, maxRead), make(chan delivery, 1)
	}
	buf := s.buf[:min(len(p), len(s.buf))]
	go func() {
		n, err := s.r.Read(buf)
		s.done <- delivery{n, err}
	}()
	select {
	case res := <-s.done:
		if res.n > 0 && res.n <= len(buf) {
			copy(p, buf[:res.n])
		}
		return res.n, res.err
	case <-late:
		return 0, errTime
	}
}
