package inspect

import (
	"fmt"
	"slices"
	"time"
)

// Records says that a payload is a stream of records, each judged by itself.
type Records string

// The kinds of record streams.
const (
	// NoRecords: a payload is one value.
	NoRecords Records = ""
	// NDJSON: one JSON text a line.
	NDJSON Records = "ndjson"
	// MsgpackRecords: one msgpack value behind the other.
	MsgpackRecords Records = "msgpack"
)

// ParseRecords reads "ndjson" or "msgpack".
func ParseRecords(s string) (Records, error) {
	switch r := Records(s); r {
	case NDJSON, MsgpackRecords:
		return r, nil
	}
	return NoRecords, fmt.Errorf("records %q: use ndjson or msgpack", s)
}

// format returns the format of one record.
func (r Records) format() *format {
	switch r {
	case NDJSON:
		return &jsonFormat
	case MsgpackRecords:
		return &msgpackFormat
	}
	return nil
}

// maxListed is how many records of one stream are reported one by one; more
// are only counted.
const maxListed = 1000

// streamLimits lists the limits that would end a stream of records for its
// length alone. They hold for one only where they were set on purpose.
func streamLimits() []string {
	return []string{"input.max-size", "input.max-decompressed-size", "gzip.max-decompressed-size"}
}

// forRecords returns lim for streams of records, onPurpose being the keys of
// limits that were set on purpose.
func forRecords(lim Limits, onPurpose []string) Limits {
	for _, f := range LimitTable() {
		if slices.Contains(streamLimits(), f.Key) && !slices.Contains(onPurpose, f.Key) {
			*f.Field(&lim) = 0
		}
	}
	return lim
}

// A recordClock holds the deadline of one record after the other. The time
// for a record runs from its first byte. A nil clock never expires.
type recordClock struct {
	allowed time.Duration // 0: no limit
	ends    time.Time     // zero: no record has begun
}

// begin starts the time for a record, unless it runs already.
func (c *recordClock) begin() {
	if c.allowed != 0 && c.ends.IsZero() {
		c.ends = time.Now().Add(c.allowed)
	}
}

// end says that the present record has ended.
func (c *recordClock) end() { c.ends = time.Time{} }

// pause moves the end of the time for the present record, which did not run
// for d.
func (c *recordClock) pause(d time.Duration) {
	if c != nil && !c.ends.IsZero() {
		c.ends = c.ends.Add(d)
	}
}

// late returns a channel that tells when the time for the present record is
// over, nil where no time runs. stop gives back what it takes.
func (c *recordClock) late() (late <-chan time.Time, stop func()) {
	if c == nil || c.ends.IsZero() {
		return nil, func() {}
	}
	t := time.NewTimer(time.Until(c.ends))
	return t.C, func() { t.Stop() }
}

func (c *recordClock) expired() error {
	if c == nil || c.ends.IsZero() || time.Now().Before(c.ends) {
		return nil
	}
	return ErrTime
}

// Chain returns the chain that stands for r where none is given: the format of
// one record, alone.
func (r Records) Chain() Chain {
	f := r.format()
	if f == nil {
		return Chain{}
	}
	return Chain{links: []link{{format: f}}}
}
