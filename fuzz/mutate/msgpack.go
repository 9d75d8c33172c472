package mutate

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/harden-input/harden/internal/forge/msgpack"
)

// What of a seed is read at most, and what one mutant holds.
const (
	maxValues  = 2048
	maxNesting = 200
	maxText    = 32 << 10 // bytes of all str, bin and ext together
)

// A value is one msgpack value. A map holds its keys and values in turn.
type value struct {
	format msgpack.Format
	number uint64 // bits of an integer or float
	data   string // of a str, bin or ext
	kind   int8   // of an ext
	parts  []value
}

// A MsgpackMutant is one that knows what it holds.
type MsgpackMutant struct {
	Mutant
	Values uint64 // scalars, arrays, maps, keys and map values; only if Whole
}

// Msgpack returns one msgpack value that is made of data, every header true to
// what follows it. One in four is broken: one count is not true, or the payload
// is cut off or longer than its value.
func Msgpack(data []byte) MsgpackMutant {
	in := valueReader{src: data}
	root := in.value(0)
	t := newTape(data, in.at)
	for range 1 + t.up(16) {
		edited := edits(&root, t)
		if n, depth, text := edited.size(); n <= maxValues && depth <= maxNesting && text <= maxText {
			root = edited
		}
	}
	n, _, _ := root.size()
	m := MsgpackMutant{Mutant: Mutant{Whole: !t.one(4)}, Values: uint64(n)}
	var b bytes.Buffer
	w := valueWriter{b: &b, liar: -1}
	switch change := t.below(3); {
	case m.Whole:
		w.write(&root)
	case change == 0:
		w.write(&root)
		b.Truncate(b.Len() - 1 - t.up(b.Len()))
	case change == 1:
		w.write(&root)
		b.WriteByte(byte(t.byte()))
	default:
		w.liar, w.by = t.below(n), uint64(1)<<t.below(32)
		if t.one(2) {
			w.by = -w.by
		}
		w.write(&root)
	}
	m.Payload = b.Bytes()
	return m
}

// size returns how many values v is, itself included, how deep it nests, and how
// many bytes of text it holds.
func (v *value) size() (n, depth, text int) {
	n, text = 1, len(v.data)
	for i := range v.parts {
		parts, deep, long := v.parts[i].size()
		n, depth, text = n+parts, max(depth, deep), text+long
	}
	if v.isContainer() {
		depth++
	}
	return n, depth, text
}

func (v *value) isContainer() bool {
	switch v.format {
	case msgpack.FixMap, msgpack.Map16, msgpack.Map32, msgpack.FixArray, msgpack.Array16, msgpack.Array32:
		return true
	}
	return false
}

func (v *value) isMap() bool {
	return v.format == msgpack.FixMap || v.format == msgpack.Map16 || v.format == msgpack.Map32
}

// A valueReader reads one value, as far as it is there. What it cannot read is
// nil, and ends it.
type valueReader struct {
	src    []byte
	at     int
	values int
	failed bool
}

// number reads n bytes.
func (in *valueReader) number(n int) uint64 {
	if len(in.src)-in.at < n {
		in.failed = true
		return 0
	}
	var wide [8]byte
	copy(wide[8-n:], in.src[in.at:in.at+n])
	in.at += n
	return binary.BigEndian.Uint64(wide[:])
}

// text reads at most n bytes, and those that are there.
func (in *valueReader) text(n uint64) string {
	n = min(n, uint64(len(in.src)-in.at))
	in.at += int(n)
	return string(in.src[in.at-int(n) : in.at])
}

func (in *valueReader) value(depth int) value {
	in.values++
	header := byte(in.number(1))
	if in.failed || in.values > maxValues || depth >= maxNesting {
		in.failed = true
		return value{format: msgpack.Nil}
	}
	f, inline := formatOf(header)
	v := value{format: f, number: inline}
	count := inline
	if w := widths[f]; w > 0 {
		count = in.number(w)
	}
	switch {
	case v.isContainer():
		if v.isMap() {
			count *= 2
		}
		for ; count > 0 && !in.failed; count-- {
			v.parts = append(v.parts, in.value(depth+1))
		}
		if v.isMap() && len(v.parts)%2 == 1 {
			v.parts = append(v.parts, value{format: msgpack.Nil})
		}
	case isExt(f):
		if size, fixed := fixedExt(f); fixed {
			count = size
		}
		v.kind = int8(in.number(1))
		v.data = in.text(count)
	case isText(f):
		v.data = in.text(count)
	case widths[f] > 0:
		v.number = count
	case f == msgpack.Reserved:
		in.failed = true
		return value{format: msgpack.Nil}
	}
	return v
}

// formatOf splits a header byte.
func formatOf(header byte) (f msgpack.Format, inline uint64) {
	switch {
	case header < 0x80:
		return msgpack.PositiveFixInt, uint64(header)
	case header < 0x90:
		return msgpack.FixMap, uint64(header & 15)
	case header < 0xa0:
		return msgpack.FixArray, uint64(header & 15)
	case header < 0xc0:
		return msgpack.FixStr, uint64(header & 31)
	case header >= 0xe0:
		return msgpack.NegativeFixInt, uint64(header & 31)
	}
	return msgpack.Format(header), 0
}

// widths are how many bytes of a count, length or number follow a header.
var widths = map[msgpack.Format]int{
	msgpack.Bin8: 1, msgpack.Bin16: 2, msgpack.Bin32: 4, msgpack.Ext8: 1, msgpack.Ext16: 2, msgpack.Ext32: 4,
	msgpack.Float32: 4, msgpack.Float64: 8, msgpack.Uint8: 1, msgpack.Uint16: 2, msgpack.Uint32: 4, msgpack.Uint64: 8,
	msgpack.Int8: 1, msgpack.Int16: 2, msgpack.Int32: 4, msgpack.Int64: 8, msgpack.Str8: 1, msgpack.Str16: 2, msgpack.Str32: 4,
	msgpack.Array16: 2, msgpack.Array32: 4, msgpack.Map16: 2, msgpack.Map32: 4,
}

func isExt(f msgpack.Format) bool {
	return f >= msgpack.Ext8 && f <= msgpack.Ext32 || f >= msgpack.FixExt1 && f <= msgpack.FixExt16
}

func isText(f msgpack.Format) bool {
	return f == msgpack.FixStr || f >= msgpack.Str8 && f <= msgpack.Str32 || f >= msgpack.Bin8 && f <= msgpack.Bin32
}

// fixedExt returns how many bytes a fixext holds.
func fixedExt(f msgpack.Format) (size uint64, fixed bool) {
	if f < msgpack.FixExt1 || f > msgpack.FixExt16 {
		return 0, false
	}
	return 1 << (f - msgpack.FixExt1), true
}

// A valueWriter writes values in the formats they have, or wider ones where
// those do not hold them. The header of value number liar, in the order of
// writing, is by more than the truth.
type valueWriter struct {
	b    *bytes.Buffer
	seen int
	liar int
	by   uint64
}

func (w *valueWriter) write(v *value) {
	lies := w.seen == w.liar
	w.seen++
	size := uint64(len(v.data))
	if v.isContainer() {
		size = uint64(len(v.parts))
	}
	if v.isMap() {
		size /= 2
	}
	f := v.fitting(size)
	n := size
	switch {
	case !v.isContainer() && !isText(f) && !isExt(f):
		n = v.number
	case lies:
		n += w.by
	}
	w.b.Write(f.Of(n))
	if isExt(f) {
		w.b.WriteByte(byte(v.kind))
	}
	w.b.WriteString(v.data)
	for i := range v.parts {
		w.write(&v.parts[i])
	}
}

// ladders are the formats of one kind of value, the shortest first, and the most
// that each can state.
var ladders = [][]struct {
	format msgpack.Format
	most   uint64
}{
	{{msgpack.FixStr, 31}, {msgpack.Str8, 0xff}, {msgpack.Str16, 0xffff}, {msgpack.Str32, 0xffffffff}},
	{{msgpack.Bin8, 0xff}, {msgpack.Bin16, 0xffff}, {msgpack.Bin32, 0xffffffff}},
	{{msgpack.Ext8, 0xff}, {msgpack.Ext16, 0xffff}, {msgpack.Ext32, 0xffffffff}},
	{{msgpack.FixArray, 15}, {msgpack.Array16, 0xffff}, {msgpack.Array32, 0xffffffff}},
	{{msgpack.FixMap, 15}, {msgpack.Map16, 0xffff}, {msgpack.Map32, 0xffffffff}},
}

// fitting returns the format of v, or the shortest wider one that can state size.
func (v *value) fitting(size uint64) msgpack.Format {
	if fixed, is := fixedExt(v.format); is {
		if fixed == size {
			return v.format
		}
		return msgpack.Ext32
	}
	for _, ladder := range ladders {
		for i, step := range ladder {
			if step.format != v.format {
				continue
			}
			for size > ladder[i].most {
				i++
			}
			return ladder[i].format
		}
	}
	return v.format
}

// nth returns value number n of v, in the order of writing.
func (v *value) nth(n *int) *value {
	if *n == 0 {
		return v
	}
	*n--
	for i := range v.parts {
		if found := v.parts[i].nth(n); found != nil {
			return found
		}
	}
	return nil
}

// clone returns a copy that shares nothing.
func (v *value) clone() value {
	c := *v
	c.parts = slices.Clone(v.parts)
	for i := range c.parts {
		c.parts[i] = v.parts[i].clone()
	}
	return c
}
