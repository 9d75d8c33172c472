package fuzz

import (
	"bytes"
	"compress/flate"
	"io"
	"math/rand/v2"

	kflate "github.com/klauspost/compress/flate"

	"github.com/harden-input/harden/gzipcheck"
	"github.com/harden-input/harden/internal/deflate"
)

// A pass is everything that a meter says of a stream.
type pass struct {
	status   deflate.Status
	consumed int
	out      uint64
	blocks   deflate.BlockCounts
	bits     uint64
	err      deflate.Error
}

// meterRun measures on from a byte of stream, in pieces whose lengths next
// says.
func meterRun(m *deflate.Meter, stream []byte, from int, b deflate.Budget, next func() int) pass {
	end := from
	for {
		end = min(end+max(1, next()), len(stream))
		n, status := m.Run(stream[from:end], end == len(stream), b)
		from += n
		if status == deflate.NeedInput {
			if end == len(stream) || end-from > 6 {
				broken("needs input with %d bytes left over, at %d of %d", end-from, end, len(stream))
			}
			continue
		}
		p := pass{status: status, consumed: from, out: m.Out, blocks: m.Blocks, bits: m.BitOffset()}
		if err := m.Err(); err != nil {
			p.err = *err
		}
		return p
	}
}

// streamLimit is the longest output that is compared with other decoders.
const streamLimit = 4 << 20

// DeflateMeter holds that the meter says of a raw stream what compress/flate and
// klauspost's flate make of it, and that neither the pieces it comes in nor the
// budgets it pauses at make a difference. A gzip header in front is left out.
func DeflateMeter(data []byte) int {
	stream := data
	if p, err := gzipcheck.Peek(bytes.NewReader(data), int64(len(data))); err == nil {
		stream = data[p.HeaderSize:]
	}
	r := draw(data)
	all := func() int { return len(stream) }
	random := func() int { return r.IntN(1 << r.IntN(12)) }

	var m, fresh deflate.Meter
	want := meterRun(&m, stream, 0, deflate.Unlimited, all)
	for range 2 { // the second time with the tables that the stream has earned
		m.Reset()
		samePass("again", want, meterRun(&m, stream, 0, deflate.Unlimited, all))
	}
	samePass("bytewise", want, meterRun(&fresh, stream, 0, deflate.Unlimited, func() int { return 1 }))
	m.Reset()
	samePass("piecewise", want, meterRun(&m, stream, 0, deflate.Unlimited, random))

	pauses(r, stream, want, all, random)
	if want.out <= streamLimit {
		inflated(stream, want, flate.NewReader)
		inflated(stream, want, kflate.NewReader)
	}
	return worth(want.out > 0)
}

func samePass(how string, want, got pass) {
	if want != got {
		broken("%s: %+v\nnot %+v", how, got, want)
	}
}

// pauses holds that a pass pauses right above its budget of output, and that
// going on gives what no pause would have given.
func pauses(r *rand.Rand, stream []byte, want pass, all, random func() int) {
	var m deflate.Meter
	budget := deflate.Unlimited
	budget.Output = want.out
	samePass("with a budget of all the output", want, meterRun(&m, stream, 0, budget, random))
	if want.out == 0 {
		return
	}
	budget.Output = r.Uint64N(want.out)
	m.Reset()
	paused := meterRun(&m, stream, 0, budget, random)
	if paused.status != deflate.OverOutput || paused.out <= budget.Output || paused.out > budget.Output+258 {
		broken("with a budget of %d: %+v", budget.Output, paused)
	}
	samePass("paused again", paused, meterRun(&m, stream, paused.consumed, budget, all))
	samePass("resumed", want, meterRun(&m, stream, paused.consumed, deflate.Unlimited, random))

	overhead := want.blocks.Dynamic*deflate.DynamicOverhead + (want.blocks.Fixed+want.blocks.Stored)*deflate.BlockOverhead
	budget = deflate.Unlimited
	budget.WorkMax = int64(r.Uint64N(overhead + 1))
	m.Reset()
	paused = meterRun(&m, stream, 0, budget, random)
	if paused.status == deflate.OverWork {
		if m.Overhead() <= uint64(budget.WorkMax) {
			broken("over a budget of %d with %d", budget.WorkMax, m.Overhead())
		}
		samePass("resumed after work", want, meterRun(&m, stream, paused.consumed, deflate.Unlimited, random))
		return
	}
	samePass("within a budget of work", want, paused)
	if overhead > uint64(budget.WorkMax) {
		broken("an overhead of %d passes a budget of %d", overhead, budget.WorkMax)
	}
}

// inflated holds that a decoder sees the stream as the meter does.
func inflated(stream []byte, want pass, open func(io.Reader) io.ReadCloser) {
	src := bytes.NewReader(stream)
	n, err := io.Copy(io.Discard, open(src))
	switch {
	case want.status == deflate.Done && (err != nil || want.out != uint64(n) || want.consumed != len(stream)-src.Len()):
		broken("inflates to %d bytes out of %d, %v: %+v", n, len(stream)-src.Len(), err, want)
	case want.status == deflate.Malformed && err == nil && !stricter(want.err.Reason):
		broken("inflates to %d bytes: %v", n, &want.err)
	case want.status == deflate.Truncated && err == nil:
		broken("inflates to %d bytes: truncated", n)
	}
}

// stricter reports whether the Go decoders, unlike zlib and so the meter, may
// read on: they miss a code without end of block but at the end of the input,
// and know some incomplete sets as degenerate.
func stricter(r deflate.Reason) bool {
	switch r {
	case deflate.NoEndOfBlock, deflate.LiteralSet, deflate.DistanceSet, deflate.TooManyCodes:
		return true
	}
	return false
}
