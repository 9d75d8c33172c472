package msgpackcheck

import "github.com/harden-input/harden/rule"

// What a container of a builder starts with at most.
const (
	firstSlots   = 4096
	firstEntries = 65536
	// leastSlots is what an array starts to grow from.
	leastSlots = 8
	// pageFrames is how many open containers a page of them holds, in 6 KiB.
	pageFrames = 64
	// firstBytes is what a payload longer than the window starts with.
	firstBytes = 64 << 10
)

// A builder makes a tree of the values that a scan over a reader walks, while
// it walks them. Because nobody knows whether a promised value will come, it
// gives out no more slots than there are bytes read and not yet spoken for.
type builder struct {
	d    *Decoder
	root any
	// pages holds the depth open containers. It grows by whole pages, so that
	// a level costs one frame and not the copies of a slice that grows.
	pages []*[pageFrames]frame
	depth int
	// idle is the slots given to open containers and not yet filled.
	idle uint64
	long []byte // payload that comes in chunks
	// names holds the keys to intern, from the first on, where that is asked for.
	names *interner
	// fault is the first key that cannot be decoded. The scan goes on, to find
	// the end of the value.
	fault *rule.Violation
}

// frame is an open container.
type frame struct {
	length uint64 // elements or pairs promised
	given  uint64 // slots given and not filled
	array  []any
	named  map[string]any // from the first key on, while all are str
	mixed  map[any]any    // from the first other key on
	isMap  bool
	key    any // a string, in named
	keyAt  int64
	pairs  uint64
}

// innermost returns the innermost open container.
func (b *builder) innermost() *frame {
	return &b.pages[(b.depth-1)/pageFrames][(b.depth-1)%pageFrames]
}

// open begins the array or map e.
func (b *builder) open(e *element, s *scan) {
	if b.fault != nil {
		return
	}
	if e.isKey {
		b.refuse(keyType, e.kind, e.at, s)
		return
	}
	f := frame{length: e.length, isMap: e.kind == mapKind}
	free := uint64(len(s.buf) - s.pos)
	free -= min(free, b.idle)
	if f.isMap {
		f.given = 2 * min(e.length, firstEntries, free/2)
	} else {
		f.given = min(e.length, firstSlots, free)
		f.array = make([]any, 0, f.given)
	}
	b.idle += f.given
	if b.depth == len(b.pages)*pageFrames {
		b.pages = append(b.pages, new([pageFrames]frame))
	}
	b.depth++
	*b.innermost() = f
}

// close ends the innermost container.
func (b *builder) close(s *scan) {
	if b.fault != nil {
		return
	}
	f := b.innermost()
	b.idle -= f.given
	var v any = f.array
	switch {
	case f.mixed != nil:
		v = f.mixed
	case f.named != nil:
		v = f.named
	case f.isMap:
		v = map[string]any{}
	}
	*f = frame{}
	b.depth--
	b.put(v, s)
}

// put gives the value v, which just ended, to its container.
func (b *builder) put(v any, s *scan) {
	if b.depth == 0 {
		b.root = v
		return
	}
	f := b.innermost()
	if f.given > 0 {
		f.given--
		b.idle--
	}
	if !f.isMap {
		if n := uint64(len(f.array)); n == uint64(cap(f.array)) {
			more := min(f.length, max(leastSlots, 2*n)) - n
			f.array = append(make([]any, 0, n+more), f.array...)
			f.given += more - 1
			b.idle += more - 1
		}
		f.array = append(f.array, v)
		return
	}
	f.pairs++
	var held int
	if f.mixed != nil {
		f.mixed[f.key] = v
		held = len(f.mixed)
	} else {
		f.named[f.key.(string)] = v
		held = len(f.named)
	}
	if uint64(held) < f.pairs && !b.d.LastWins {
		b.refuse(duplicateKey, strKind, f.keyAt, s)
	}
}

// putKey makes v the key of the pair that the innermost map begins.
func (b *builder) putKey(e *element, v any) {
	f := b.innermost()
	_, isString := v.(string)
	switch {
	case f.mixed != nil, f.named != nil && isString:
	case f.named == nil && isString:
		f.named = make(map[string]any, f.given/2)
	case f.named == nil:
		f.mixed = make(map[any]any, f.given/2)
	default:
		b.mix(f)
	}
	if f.given > 0 {
		f.given--
		b.idle--
	}
	f.key, f.keyAt = v, e.at
}

// mix goes over to a map with keys of any type. It has room for what there is: a
// second map with room for all would make a header cost twice. The slots given to
// the first stay given, for what they cost was paid.
func (b *builder) mix(f *frame) {
	f.mixed = make(map[any]any, len(f.named)+1)
	for k, v := range f.named {
		f.mixed[k] = v
	}
	f.named = nil
}

// done takes the decoded scalar or payload v.
func (b *builder) done(e *element, v any, s *scan) {
	if e.isKey {
		b.putKey(e, v)
	} else {
		b.put(v, s)
	}
}

// refuse notes a key that cannot be decoded and drops what was built.
func (b *builder) refuse(id int, k kind, at int64, s *scan) {
	b.fault = keyViolation(id, k)
	b.fault.Offset, b.fault.Pointer = at, s.pointer()
	b.pages, b.depth, b.root, b.long, b.idle = nil, 0, nil, nil, 0
}

// scalar takes the nil, bool or number encoded in v.
func (b *builder) scalar(e *element, v []byte, s *scan) {
	if b.fault == nil {
		b.done(e, scalar(e.header, v), s)
	}
}

// payload takes a str, bin or ext whose bytes are data, of which it keeps a copy.
func (b *builder) payload(e *element, data []byte, s *scan) {
	switch {
	case b.fault != nil:
	case e.isKey && e.kind == strKind:
		if b.d.InternKeys && b.names == nil {
			b.names = interners.Get().(*interner)
		}
		b.putKey(e, b.names.name(data))
	case e.kind == strKind:
		b.done(e, string(data), s)
	case e.kind == extKind && e.ext == timestampType:
		at, _ := parseTimestamp(data)
		b.done(e, at.time(), s)
	default:
		b.keep(e, append(make([]byte, 0, len(data)), data...), s)
	}
}

// keep takes a bin, or an ext that is no timestamp, and its bytes.
func (b *builder) keep(e *element, data []byte, s *scan) {
	switch {
	case e.isKey:
		b.refuse(keyType, e.kind, e.at, s)
	case e.kind == extKind:
		b.put(Ext{Type: e.ext, Data: data}, s)
	default:
		b.put(data, s)
	}
}

// chunk takes the next bytes of a long payload. They are gathered in memory
// that doubles as they come and ends at the true length.
func (b *builder) chunk(e *element, data []byte) {
	if b.fault != nil {
		return
	}
	if need := len(b.long) + len(data); need > cap(b.long) {
		room := min(e.length, max(firstBytes, 2*uint64(cap(b.long)), uint64(need)))
		b.long = append(make([]byte, 0, room), b.long...)
	}
	b.long = append(b.long, data...)
}

// chunked ends a long payload.
func (b *builder) chunked(e *element, s *scan) {
	if b.fault != nil {
		return
	}
	data := b.long
	b.long = nil
	if e.kind == strKind {
		b.done(e, string(data), s)
		return
	}
	b.keep(e, data, s)
}

// result returns the value that was built, or why there is none. It is called
// once, at the end.
func (b *builder) result(s *scan) (any, error) {
	if b.names != nil {
		b.names.free()
		b.names = nil
	}
	switch {
	case s.err != nil:
		return nil, s.err
	case s.m.Violations.Err() != nil:
		return nil, s.m.Violations.Err()
	case b.fault != nil:
		return nil, b.fault
	}
	return b.root, nil
}
