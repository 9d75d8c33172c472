package mutate

import (
	"slices"

	"github.com/harden-input/harden/internal/forge/msgpack"
)

// edits returns a copy of root with one change.
func edits(root *value, t *tape) value {
	edited := root.clone()
	n, _, _ := edited.size()
	pick := func() *value {
		at := t.below(n)
		return edited.nth(&at)
	}
	v := pick()
	switch t.below(9) {
	case 0:
		*v = scalar(t)
	case 1: // another part of the tree in its place
		*v = pick().clone()
	case 2:
		v.nest(t)
	case 3:
		v.widen(t)
	case 4:
		if isExt(v.format) || t.one(3) {
			*v = extension(t)
		}
	case 5:
		v.grow(t, pick())
	case 6:
		if len(v.parts) > 0 {
			at := t.below(len(v.parts))
			count := 1
			if v.isMap() {
				at, count = at&^1, 2
			}
			v.parts = slices.Delete(v.parts, at, at+count)
		}
	case 7: // a key twice, in another format perhaps
		if v.isMap() && len(v.parts) >= 4 {
			from, to := 2*t.below(len(v.parts)/2), 2*t.below(len(v.parts)/2)
			v.parts[to] = v.parts[from].clone()
			v.parts[to].widen(t)
		}
	case 8:
		v.swapKind(t)
	}
	return edited
}

// scalar makes a value that is no container.
func scalar(t *tape) value {
	formats := []msgpack.Format{
		msgpack.PositiveFixInt, msgpack.NegativeFixInt, msgpack.Nil, msgpack.False, msgpack.True, msgpack.Float32, msgpack.Float64,
		msgpack.Uint8, msgpack.Uint16, msgpack.Uint32, msgpack.Uint64, msgpack.Int8, msgpack.Int16, msgpack.Int32, msgpack.Int64,
		msgpack.FixStr, msgpack.Str8, msgpack.Str16, msgpack.Str32, msgpack.Bin8, msgpack.Bin16, msgpack.Bin32,
	}
	v := value{format: formats[t.below(len(formats))]}
	switch {
	case isText(v.format):
		v.data = content(t, t.up(300))
	case v.format == msgpack.PositiveFixInt:
		v.number = uint64(t.below(128))
	case v.format == msgpack.NegativeFixInt:
		v.number = uint64(t.below(32))
	case widths[v.format] > 0:
		v.number = number(t)
	}
	return v
}

// number is a small integer, one near a power of two, or a float that is not
// finite.
func number(t *tape) uint64 {
	switch t.below(4) {
	case 0:
		return uint64(t.below(256))
	case 1:
		return 1<<t.below(64) + uint64(t.below(3)) - 1
	case 2:
		return 0x7ff<<52 | uint64(t.below(2))<<51 // infinity, NaN
	}
	return -uint64(t.below(256))
}

// content is n bytes of text, at times not UTF-8.
func content(t *tape, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'a' + byte(i%26)
		if i < 4 {
			b[i] = byte(t.byte())
		}
	}
	return string(b)
}

// extension makes an ext; one in two is about a timestamp.
func extension(t *tape) value {
	formats := []msgpack.Format{
		msgpack.FixExt1, msgpack.FixExt2, msgpack.FixExt4, msgpack.FixExt8, msgpack.FixExt16, msgpack.Ext8, msgpack.Ext16, msgpack.Ext32,
	}
	v := value{format: formats[t.below(len(formats))], kind: int8(t.byte())}
	size, fixed := fixedExt(v.format)
	if !fixed {
		size = uint64([]int{0, 1, 4, 8, 12, 16, 300}[t.below(7)])
	}
	v.data = content(t, int(size))
	if t.one(2) {
		v.kind = msgpack.TimestampType
	}
	return v
}

// nest puts v into up to 64 arrays or maps of one element.
func (v *value) nest(t *tape) {
	array := t.one(2)
	for range 1 + t.up(64) {
		if array {
			*v = value{format: msgpack.FixArray, parts: []value{*v}}
		} else {
			*v = value{format: msgpack.FixMap, parts: []value{{format: msgpack.FixStr, data: "k"}, *v}}
		}
	}
}

// widen gives v another format of its kind; writing makes it wide enough.
func (v *value) widen(t *tape) {
	for _, ladder := range ladders {
		for _, step := range ladder {
			if step.format == v.format {
				v.format = ladder[t.below(len(ladder))].format
				return
			}
		}
	}
	integers := []msgpack.Format{msgpack.Uint8, msgpack.Uint16, msgpack.Uint32, msgpack.Uint64, msgpack.Int8, msgpack.Int16, msgpack.Int32, msgpack.Int64}
	if v.format == msgpack.PositiveFixInt || slices.Contains(integers, v.format) {
		v.format = integers[t.below(len(integers))]
	}
}

// grow adds copies of another value, or makes an array of them.
func (v *value) grow(t *tape, of *value) {
	part := of.clone()
	if !v.isContainer() {
		*v = value{format: msgpack.FixArray}
	}
	for range 1 + t.up(40) {
		if v.isMap() {
			v.parts = append(v.parts, value{format: msgpack.Uint16, number: uint64(len(v.parts))})
		}
		v.parts = append(v.parts, part.clone())
	}
}

// swapKind makes a map of an array and the other way round, and a bin of a str.
func (v *value) swapKind(t *tape) {
	switch {
	case v.isMap():
		v.format = msgpack.FixArray
	case v.isContainer():
		v.format = msgpack.FixMap
		if len(v.parts)%2 == 1 {
			v.parts = append(v.parts, scalar(t))
		}
	case isText(v.format) && v.format >= msgpack.Bin8 && v.format <= msgpack.Bin32:
		v.format = msgpack.FixStr
	case isText(v.format):
		v.format = msgpack.Bin8
	}
}
