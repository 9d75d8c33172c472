package inspect

import (
	"context"
	"errors"
	"io"

	"github.com/harden-input/harden/rule"
)

// maxRead is the most that is read between two looks at the clock.
const maxRead = 64 << 10

// A tap is where one layer's bytes are counted: it looks at the deadline
// before every read, enforces a limit, and remembers how the bytes ended.
type tap struct {
	ctx   context.Context
	clock *recordClock
	r     io.Reader
	// over is called with the bytes that were just read and returns an error
	// where they are too many.
	over func(n int) error
	err  error // what ended the bytes, io.EOF included
	read uint64
}

func (t *tap) Read(p []byte) (int, error) {
	if t.err != nil {
		return 0, t.err
	}
	letTimersRun()
	if t.ctx.Err() != nil {
		t.err = context.Cause(t.ctx)
		return 0, t.err
	}
	if t.err = t.clock.expired(); t.err != nil {
		return 0, t.err
	}
	n, err := t.r.Read(p[:min(len(p), maxRead)])
	t.read += uint64(n)
	if over := t.over(n); over != nil {
		t.err = over
		return 0, over
	}
	t.err = err
	return n, err
}

// failure returns what ended the bytes before their end, nil if nothing did.
func (t *tap) failure() error {
	if errors.Is(t.err, io.EOF) {
		return nil
	}
	return t.err
}

// atMost returns an over function for a limit on the sum total, which several
// taps may share: the violation of r at the offset where the limit is crossed.
func atMost(total *uint64, limit uint64, r *rule.Rule, message string) func(int) error {
	return func(n int) error {
		*total += uint64(n)
		if !rule.Exceeds(*total, limit) {
			return nil
		}
		return &rule.Violation{Rule: r, Offset: int64(limit), LimitValue: rule.N(limit),
			Unit: rule.UnitBytes, Message: message}
	}
}
