package inspect

import (
	"context"
	"io"
	"math"
	"time"

	"github.com/harden-input/harden/internal/refill"
)

// InspectHeld reads one payload whole into memory, judges that copy and returns
// it, so that what is handed on are the very bytes that were measured. It reads
// no more than input.max-size, which is what the copy can cost; where the
// payload is longer, or cannot be read, the copy is nil and the verdict says
// why. The payload is one value, whatever Config.Records says: see
// [Inspector.Sift] for records.
func (ins *Inspector) InspectHeld(ctx context.Context, name string, r io.Reader) (Payload, []byte) {
	p := newPayload(name)
	j := job{ins: ins, ctx: ctx, lim: ins.cfg.Limits, payload: &p}
	if allowed := time.Duration(min(j.lim.Input.MaxTime, math.MaxInt64)); allowed != 0 {
		var cancel context.CancelFunc
		j.ctx, cancel = context.WithTimeoutCause(ctx, allowed, errTime)
		defer cancel()
	}
	data, err := j.readAll(r)
	if err != nil {
		j.fail(0, err)
	} else {
		j.run(Bytes(name, data))
	}
	p.Verdict = j.verdict()
	return p, data
}

// readAll reads r to its end, under the limits of size and time.
func (j *job) readAll(r io.Reader) ([]byte, error) {
	var total uint64
	t := &tap{ctx: j.ctx, r: &refill.Source{R: r}, over: atMost(&total, j.lim.Input.MaxSize, &inputSize, "the payload has more than {limit} bytes")}
	held := make([]byte, 0, maxRead)
	for {
		if len(held) == cap(held) {
			held = append(held, 0)[:len(held)]
		}
		n, err := t.Read(held[len(held):cap(held)])
		held = held[:len(held)+n]
		switch err {
		case nil:
		case io.EOF:
			return held, nil
		default:
			return nil, err
		}
	}
}
