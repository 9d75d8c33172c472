package inspect

import (
	"context"
	"io"

	"github.com/harden-input/harden/internal/refill"
)

// pieceSize is in how large pieces a payload is held, in bytes. A payload that
// grew in one piece would be copied, and held twice, each time it outgrew it.
const pieceSize = 256 << 10

// Held is a payload in memory. It is not changed once it was read.
type Held struct {
	pieces [][]byte // of pieceSize bytes, but for the last
	size   int64
}

// Size returns the length of the payload in bytes.
func (h *Held) Size() int64 { return h.size }

// ReadAt is that of io.ReaderAt.
func (h *Held) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) && at < h.size {
		m := copy(p[n:], h.pieces[at/pieceSize][at%pieceSize:])
		n += m
		at += int64(m)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// input returns the payload as something to inspect.
func (h *Held) input(name string) Input {
	switch len(h.pieces) {
	case 0:
		return Bytes(name, nil)
	case 1:
		return Bytes(name, h.pieces[0])
	}
	return File(name, h, h.size)
}

// InspectHeld reads one payload whole into memory, judges that copy and returns
// it, so that what is handed on are the very bytes that were measured. It reads
// no more than input.max-size, which is what the copy can cost; where the
// payload is longer, or cannot be read, the copy is nil and the verdict says
// why. The payload is one value, whatever Config.Records says: see
// [Inspector.Sift] for records.
func (ins *Inspector) InspectHeld(ctx context.Context, name string, r io.Reader) (Payload, *Held) {
	p := newPayload(name)
	j := job{ins: ins, ctx: ctx, lim: ins.cfg.Limits, payload: &p}
	defer j.startTime()()
	held, err := j.readAll(r)
	if err != nil {
		j.fail(0, err)
	} else {
		j.run(held.input(name))
	}
	p.Verdict = j.verdict()
	return p, held
}

// readAll reads r to its end, under the limits of size and time.
func (j *job) readAll(r io.Reader) (*Held, error) {
	var total uint64
	t := &tap{ctx: j.ctx, r: &refill.Source{R: r}, over: atMost(&total, j.lim.Input.MaxSize, &inputSize, "the payload has more than {limit} bytes")}
	h := &Held{}
	for {
		piece := make([]byte, pieceSize)
		n, err := io.ReadFull(t, piece)
		if n > 0 {
			h.pieces = append(h.pieces, piece[:n])
			h.size += int64(n)
		}
		switch {
		case err == nil:
		case t.failure() == nil:
			return h, nil
		default:
			return nil, t.failure()
		}
	}
}
