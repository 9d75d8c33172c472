// Package deflate measures raw DEFLATE streams (RFC 1951): it says how many
// bytes a stream inflates to, and whether it is well-formed, without inflating
// it.
//
// Nothing is written and no window is kept. A literal is worth one byte and a
// match is worth its length; of a match's distance only one thing matters,
// whether it reaches back before the start of the stream. That makes measuring
// several times cheaper than inflating, and on a bomb, where one bit stands for
// more than a hundred bytes, some thousand times cheaper.
//
//	var m deflate.Meter
//	n, status := m.Run(stream, true, deflate.Unlimited)
//	if status == deflate.Done {
//		fmt.Printf("%d bytes inflate to %d\n", n, m.Out)
//	}
//
// A stream may come in pieces of any size; see [Meter.Run]. What counts as
// well-formed follows zlib 1.2.13's inflate.
package deflate

import "math"

// A Meter measures one stream after another. The zero Meter is ready for the
// first. It is large, about 60 KiB, most of it decoding tables, and made to be
// kept and used again: no method allocates. A Meter must not be copied or used by two
// goroutines at once.
type Meter struct {
	// Out is how many bytes the stream inflates to, as far as measured.
	Out uint64
	// Blocks counts the blocks whose type has been read.
	Blocks BlockCounts

	base      uint64 // position, in bits, of the first byte the next Run is given
	stop      uint64 // what BitOffset returns
	block     uint64 // position, in bits, of the current block's header
	tokensAt  uint64 // position, in bits, where the tokens of the block start
	packAt    uint64 // position, in bits, where the block has proven long enough to pack its codes
	solo      uint64 // for how many stretches lanes that do not meet are not tried again
	soloUntil uint64 // position, in bits, up to which they are not
	credit    uint64 // bits of tokens seen that are not yet spent on packing
	phase     phase
	next      phase  // the phase after atBudget
	status    Status // the last one returned
	bit       uint8  // bits consumed of the first byte the next Run is given, 0…7
	final     bool   // the current block is the last
	fixed     bool   // the current block uses the codes of RFC 1951 §3.2.6
	stored    uint16 // bytes left of a stored block
	err       Error

	header header
	codes  codes        // of the last dynamic block
	trace  [traced]lane // scratch space of stretch
}

// BlockCounts counts blocks by type (RFC 1951 §3.2.3).
type BlockCounts struct {
	Stored, Fixed, Dynamic uint64
}

// What a block costs in overhead. The unit is about a byte of output: building
// the tables of a dynamic block takes about as long as inflating a kilobyte.
const (
	DynamicOverhead = 1024 // a block with codes of its own
	BlockOverhead   = 8    // any other block
)

// A Budget says where a measuring pass pauses. Running on with a larger budget
// continues as if there had been no pause.
type Budget struct {
	// Output pauses at the first token, or byte of a stored block, that takes
	// Meter.Out above it. math.MaxUint64 never pauses.
	Output uint64
	// Work pauses at the start of a block, with its type read but its tables
	// not yet built, when the overhead, this block's included, is above
	// Work + 16 × Meter.Out. math.MaxInt64 never pauses; a negative Work
	// counts as 0.
	Work int64
	// WorkMax pauses there when the overhead is above WorkMax.
	// math.MaxInt64 never pauses; a negative WorkMax counts as 0.
	WorkMax int64
}

// Unlimited is the budget that never pauses.
var Unlimited = Budget{Output: math.MaxUint64, Work: math.MaxInt64, WorkMax: math.MaxInt64}

// Status says why a measuring pass returned.
type Status uint8

// The zero Status is none of these and never returned.
const (
	// NeedInput is a stream that has not ended, at the end of the input given.
	NeedInput Status = iota + 1
	// OverOutput is a pause: Meter.Out is above Budget.Output.
	OverOutput
	// OverWork is a pause: the overhead is above Budget.Work or WorkMax.
	OverWork
	// Done is the end of the stream's final block.
	Done
	// Malformed is a stream that no more input can mend; see Meter.Err.
	Malformed
	// Truncated is a stream that has not ended at the last of the input.
	Truncated
)

// running is the Status of a pass that goes on.
const running Status = 0

// String returns a name for messages of tests and logs.
func (s Status) String() string {
	switch s {
	case NeedInput:
		return "needs input"
	case OverOutput:
		return "over output budget"
	case OverWork:
		return "over work budget"
	case Done:
		return "done"
	case Malformed:
		return "malformed"
	case Truncated:
		return "truncated"
	}
	return "running"
}

// Reset starts a new stream. It keeps the tables, which may serve again, and
// costs next to nothing.
func (m *Meter) Reset() {
	m.Out = 0
	m.Blocks = BlockCounts{}
	m.base, m.stop, m.block = 0, 0, 0
	m.phase = atBlock
	m.status = running
	m.bit = 0
	m.final, m.fixed = false, false
	m.stored = 0
	m.err = Error{}
	m.soloUntil = 0
}

// Overhead returns what the stream's blocks have cost so far beyond their
// output: DynamicOverhead or BlockOverhead each.
func (m *Meter) Overhead() uint64 {
	return DynamicOverhead*m.Blocks.Dynamic + BlockOverhead*(m.Blocks.Stored+m.Blocks.Fixed)
}

// BitOffset returns a position in the stream, in bits from its first. After
// Done it is the end of the final block. After OverOutput, and after Malformed
// between a block's header and its end, it is where the literal, match or
// stored byte at fault starts; after OverWork, and after Malformed in a
// header, where that block starts. After NeedInput and Truncated it is the
// end of what could be used.
func (m *Meter) BitOffset() uint64 { return m.stop }

// Err returns what is wrong with the stream after Malformed, and nil after
// anything else. The Error is part of the Meter and lasts until Reset.
func (m *Meter) Err() *Error {
	if m.status != Malformed {
		return nil
	}
	return &m.err
}
