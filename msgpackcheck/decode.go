package msgpackcheck

import (
	"io"

	"github.com/harden-input/harden/internal/pointer"
	"github.com/harden-input/harden/rule"
)

// maxDecodeDepth is how deep a Decoder goes even without limits: a deeper tree
// overflows the stack of the next code that walks it by recursion.
const maxDecodeDepth = 10_000

// A Decoder decodes msgpack to Go values, after measuring it, so that every
// slice and map is allocated once and at its true size:
//
//	nil, bool        nil, bool
//	int, uint        int64; uint64 only above its range
//	float 32, 64     float64
//	str              string
//	bin              []byte
//	array            []any
//	map              map[string]any where all keys are str, else map[any]any
//	timestamp        time.Time, in UTC
//	other ext        Ext
//
// A map key that Go cannot hash (array, map, bin, ext) is an error that wraps a
// *[rule.Violation] of msgpack/key-type, and a duplicate key one of
// msgpack/duplicate-key; what Measure finds without any check is an error as
// well. Values nested deeper than 10,000 levels are refused even without limits.
//
// The zero Decoder has no limits. A Decoder is not changed by its methods and
// may be used by several goroutines at once.
type Decoder struct {
	// Limits bounds each value. The checks in it are not run: they would only
	// add warnings.
	Limits Limits
	// LastWins keeps the last value of a duplicate key. If it is false, such a
	// key is an error.
	LastWins bool
	// AliasBytes makes []byte and Ext.Data refer to the source that Decode was
	// given, instead of copies. Strings are always copies, and so is everything
	// that is decoded from a reader.
	AliasBytes bool
	// InternKeys keeps one copy of short str keys that come again and again
	// within a value.
	InternKeys bool
}

// limits returns the limits that decoding needs.
func (d *Decoder) limits() Limits {
	lim := d.Limits
	lim.Checks = 0
	if lim.MaxDepth == 0 || lim.MaxDepth > maxDecodeDepth {
		lim.MaxDepth = maxDecodeDepth
	}
	return lim
}

// Decode returns the one value that src must hold. It allocates nothing for a
// src that breaks a limit or is malformed.
func (d *Decoder) Decode(src []byte) (any, error) {
	if n, first, ok := small(src, &d.Limits); ok {
		if headers[src[0]].kind == mapKind {
			return d.tree(src, 0)
		}
		t := tree{b: src, p: first, d: d}
		v, _ := t.array(int(n)) // which holds no map, so no key to be at fault
		return v, nil
	}
	s := newScan(src, nil, 0, d.limits())
	s.value()
	s.end()
	err := s.m.Violations.Err()
	s.free()
	if err != nil {
		return nil, err
	}
	return d.tree(src, 0)
}

// DecodeReader returns the one value that r must hold until its end. The
// measuring and the decoding go together: a container starts at the size that
// its header promises only as far as bytes for that many values were read, and
// grows with what arrives. The memory used stays proportional to the bytes read,
// whatever they declare.
func (d *Decoder) DecodeReader(r io.Reader) (any, error) {
	s := newScan(nil, r, -1, d.limits())
	b := &builder{d: d}
	s.sink, s.unhurried = b, true
	s.value()
	s.end()
	v, err := b.result(s)
	s.free()
	return v, err
}

// tree decodes the value at the start of src, which was measured. at is the
// offset of src in the input.
func (d *Decoder) tree(src []byte, at int64) (any, error) {
	t := tree{b: src, d: d}
	if d.InternKeys {
		t.names = interners.Get().(*interner)
	}
	v, f := t.value()
	if t.names != nil {
		t.names.free()
	}
	if f != nil {
		return nil, f.violation(at)
	}
	return v, nil
}

// A tree builds the value encoded in b, which is known to be well formed, by
// recursion of known depth.
type tree struct {
	b     []byte
	p     int
	d     *Decoder
	names *interner // nil to intern none
}

// fault is a map key that cannot be decoded, and where it is.
type fault struct {
	id    int
	kind  kind
	at    int
	steps []pointer.Segment // from the innermost container outwards
}

// violation returns f for an input in which the value starts at offset at.
func (f *fault) violation(at int64) *rule.Violation {
	v := keyViolation(f.id, f.kind)
	v.Offset = at + int64(f.at)
	v.Pointer = pointer.Render(len(f.steps), func(level int) pointer.Segment {
		return f.steps[len(f.steps)-1-level]
	})
	return v
}

// keyViolation is what is wrong with a key that cannot be decoded.
func keyViolation(id int, k kind) *rule.Violation {
	v := &rule.Violation{Rule: &Rules[id], Message: "the map holds this key already"}
	if id == keyType {
		v.Message, v.Detail = "a map key of type {detail} cannot be a key in Go", k.noun()
	}
	return v
}

// in notes that f lies in the step s of a container.
func (f *fault) in(s pointer.Segment) *fault {
	f.steps = append(f.steps, s)
	return f
}

// value decodes the value at t.p.
func (t *tree) value() (any, *fault) {
	b := t.b[t.p:]
	c := b[0]
	if c < 0x80 {
		t.p++
		return fixints[c], nil
	}
	h := headers[c]
	switch h.kind {
	case strKind:
		return string(t.payload(h, b)), nil
	case binKind:
		return t.bytes(h, b), nil
	case extKind:
		if typ := int8(b[h.size-1]); typ != timestampType {
			return Ext{Type: typ, Data: t.bytes(h, b)}, nil
		}
		at, _ := parseTimestamp(t.payload(h, b))
		return at.time(), nil
	case arrayKind:
		t.p += int(h.size)
		return t.array(int(h.length(b)))
	case mapKind:
		t.p += int(h.size)
		return t.pairs(int(h.length(b)))
	}
	t.p += int(h.size + h.inline)
	return scalar(h, b), nil
}

// scalar returns the nil, bool or number at the start of b.
func scalar(h header, b []byte) any {
	switch h.kind {
	case uintKind:
		v := integer(b)
		if v > 1<<63-1 {
			return v
		}
		return int64(v)
	case intKind:
		return int64(integer(b))
	case floatKind:
		return float(b)
	case boolKind:
		return b[0] == 0xc3
	}
	return nil
}

// payload returns the bytes of the str, bin or ext that starts b, and goes
// past it.
func (t *tree) payload(h header, b []byte) []byte {
	from := int(h.size)
	to := from + int(h.length(b))
	t.p += to
	return b[from:to:to]
}

// bytes is payload for a caller who keeps the bytes.
func (t *tree) bytes(h header, b []byte) []byte {
	data := t.payload(h, b)
	if t.d.AliasBytes {
		return data
	}
	return append(make([]byte, 0, len(data)), data...)
}

// fixints are the values of the positive fixints: boxed here, an array of them
// costs no conversion each.
var fixints = makeFixints()

func makeFixints() (t [128]any) {
	for i := range t {
		t[i] = int64(i)
	}
	return t
}

// array decodes n elements.
func (t *tree) array(n int) (any, *fault) {
	a := make([]any, n)
	b, p := t.b, t.p
	for i := range a {
		if c := b[p]; c < 0x80 {
			a[i] = fixints[c]
			p++
			continue
		}
		t.p = p
		v, f := t.value()
		p = t.p
		if f != nil {
			return nil, f.in(pointer.Index(uint64(i)))
		}
		a[i] = v
	}
	t.p = p
	return a, nil
}

// pairs decodes a map of n pairs.
func (t *tree) pairs(n int) (any, *fault) {
	m := make(map[string]any, n)
	for i := range n {
		at := t.p
		h := headers[t.b[at]]
		if h.kind != strKind {
			return t.anyPairs(m, n, i)
		}
		key := t.names.name(t.payload(h, t.b[at:]))
		v, f := t.value()
		if f != nil {
			return nil, f.in(keySegment(t.b[at:]))
		}
		m[key] = v
		if len(m) <= i && !t.d.LastWins {
			return nil, t.fault(duplicateKey, at)
		}
	}
	return m, nil
}

// anyPairs goes on with a map of n pairs when pair i has a key that is no str.
func (t *tree) anyPairs(strs map[string]any, n, i int) (any, *fault) {
	m := make(map[any]any, n)
	for k, v := range strs {
		m[k] = v
	}
	for ; i < n; i++ {
		at := t.p
		h := headers[t.b[at]]
		var key any
		switch {
		case h.kind == strKind:
			key = t.names.name(t.payload(h, t.b[at:]))
		case !hashable(h, t.b[at:]):
			return nil, t.fault(keyType, at)
		default:
			key, _ = t.value()
		}
		v, f := t.value()
		if f != nil {
			return nil, f.in(keySegment(t.b[at:]))
		}
		m[key] = v
		if len(m) <= i && !t.d.LastWins {
			return nil, t.fault(duplicateKey, at)
		}
	}
	return m, nil
}

// hashable reports whether the value at the start of b can be a key of a Go map.
func hashable(h header, b []byte) bool {
	return !unhashable(h.kind) || h.kind == extKind && int8(b[h.size-1]) == timestampType
}

// fault returns what is wrong with the key at offset at.
func (t *tree) fault(id, at int) *fault {
	f := &fault{id: id, kind: headers[t.b[at]].kind, at: at}
	return f.in(keySegment(t.b[at:]))
}
