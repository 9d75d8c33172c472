package transcode

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"
	"time"

	"github.com/harden-input/harden/internal/pointer"
)

// The msgpack type that a value's first byte tells.
type kind uint8

const (
	nilKind kind = iota
	boolKind
	intKind  // bits holds an int64
	uintKind // bits holds a uint64
	floatKind
	strKind
	binKind
	extKind
	arrayKind
	mapKind
)

// A value is what stands at one place of the payload, containers without what
// is in them.
type value struct {
	kind kind
	at   int    // offset of its first byte
	bits uint64 // of a bool or number; a float's as a float64
	n    int    // elements of an array, pairs of a map
	data []byte // of str, bin, ext
	ext  int8
}

// uint reads n bytes, big endian.
func (t *text) uint(n int) uint64 {
	b := t.bytes(n)
	switch n {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.BigEndian.Uint16(b))
	case 4:
		return uint64(binary.BigEndian.Uint32(b))
	}
	return binary.BigEndian.Uint64(b)
}

func (t *text) bytes(n int) []byte {
	b := t.src[t.pos : t.pos+n]
	t.pos += n
	return b
}

// next reads the next value. src was measured: all of it is there, lengths fit
// an int, and no byte is reserved.
func (t *text) next() value {
	v := value{at: t.pos}
	c := t.src[t.pos]
	t.pos++
	switch {
	case c <= 0x7f:
		v.kind, v.bits = uintKind, uint64(c)
	case c <= 0x8f:
		v.kind, v.n = mapKind, int(c&15)
	case c <= 0x9f:
		v.kind, v.n = arrayKind, int(c&15)
	case c <= 0xbf:
		v.kind, v.data = strKind, t.bytes(int(c&31))
	case c == 0xc0:
		v.kind = nilKind
	case c <= 0xc3:
		v.kind, v.bits = boolKind, uint64(c&1)
	case c <= 0xc6:
		v.kind, v.data = binKind, t.bytes(int(t.uint(1<<(c-0xc4))))
	case c <= 0xc9:
		n := int(t.uint(1 << (c - 0xc7)))
		v.kind, v.ext, v.data = extKind, int8(t.uint(1)), t.bytes(n)
	case c == 0xca:
		v.kind = floatKind
		v.bits = math.Float64bits(float64(math.Float32frombits(uint32(t.uint(4)))))
	case c == 0xcb:
		v.kind, v.bits = floatKind, t.uint(8)
	case c <= 0xcf:
		v.kind, v.bits = uintKind, t.uint(1<<(c-0xcc))
	case c <= 0xd3:
		n := 1 << (c - 0xd0)
		shift := 64 - 8*n // the sign is the first bit of what was read
		v.kind, v.bits = intKind, uint64(int64(t.uint(n)<<shift)>>shift)
	case c <= 0xd8:
		v.kind, v.ext = extKind, int8(t.uint(1))
		v.data = t.bytes(1 << (c - 0xd4))
	case c <= 0xdb:
		v.kind, v.data = strKind, t.bytes(int(t.uint(1<<(c-0xd9))))
	case c <= 0xdd:
		v.kind, v.n = arrayKind, int(t.uint(2<<(c-0xdc)))
	case c <= 0xdf:
		v.kind, v.n = mapKind, int(t.uint(2<<(c-0xde)))
	default:
		v.kind, v.bits = intKind, uint64(int64(int8(c)))
	}
	return v
}

// skip goes past the next value. Like the measuring pass, it counts what is
// still owed, and needs no stack.
func (t *text) skip() {
	for owed := uint64(1); owed > 0; owed-- {
		switch v := t.next(); v.kind {
		case arrayKind:
			owed += uint64(v.n)
		case mapKind:
			owed += 2 * uint64(v.n)
		}
	}
}

// value writes the next value.
func (t *text) value() error {
	if err := t.room(); err != nil {
		return err
	}
	switch v := t.next(); v.kind {
	case nilKind:
		t.out = append(t.out, "null"...)
	case boolKind:
		t.out = strconv.AppendBool(t.out, v.bits != 0)
	case intKind:
		t.out = strconv.AppendInt(t.out, int64(v.bits), 10)
	case uintKind:
		t.out = strconv.AppendUint(t.out, v.bits, 10)
	case floatKind:
		return t.float(v)
	case strKind:
		return t.str(v)
	case binKind:
		return t.bin(v.data)
	case extKind:
		return t.extension(v)
	case arrayKind:
		return t.array(v.n)
	case mapKind:
		return t.object(v.n)
	}
	return nil
}

func (t *text) float(v value) error {
	f := math.Float64frombits(v.bits)
	if !math.IsNaN(f) && !math.IsInf(f, 0) {
		t.out = appendFloat(t.out, f)
		return nil
	}
	if !t.lossy {
		return t.refuse(notFinite, v.at, "JSON has no {detail}; --lossy writes null", formatNotFinite(f))
	}
	t.out = append(t.out, "null"...)
	return nil
}

func formatNotFinite(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// appendFloat writes the shortest decimal that reads as f again, in the form
// that JavaScript and encoding/json use.
func appendFloat(b []byte, f float64) []byte {
	if abs := math.Abs(f); abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	b = strconv.AppendFloat(b, f, 'e', -1, 64)
	if n := len(b); b[n-4] == 'e' && b[n-2] == '0' { // e-09 is e-9
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
}

// bin writes base64 with padding, RFC 4648 section 4.
func (t *text) bin(data []byte) error {
	const whole = outBuffer / 4 * 3 // bytes that need no padding
	t.out = append(t.out, '"')
	for len(data) > whole {
		t.out = base64.StdEncoding.AppendEncode(t.out, data[:whole])
		data = data[whole:]
		if err := t.flush(); err != nil {
			return err
		}
	}
	t.out = append(base64.StdEncoding.AppendEncode(t.out, data), '"')
	return nil
}

// extension writes a timestamp as RFC 3339 text, and any other ext as an object.
func (t *text) extension(v value) error {
	if at, ok := timestamp(v); ok {
		t.out = append(append(append(t.out, '"'), at...), '"')
		return nil
	}
	t.out = append(t.out, `{"ext":`...)
	t.out = strconv.AppendInt(t.out, int64(v.ext), 10)
	t.out = append(t.out, `,"data":`...)
	if err := t.bin(v.data); err != nil {
		return err
	}
	t.out = append(t.out, '}')
	return nil
}

// The seconds of the first and the last moment that RFC 3339, whose years have
// four digits, can write.
const (
	firstSecond = -62167219200 // 0000-01-01T00:00:00Z
	lastSecond  = 253402300799 // 9999-12-31T23:59:59Z
)

// timestamp returns the text of an ext that is a timestamp which has one.
func timestamp(v value) (string, bool) {
	if v.kind != extKind || v.ext != -1 {
		return "", false
	}
	var sec, nsec int64
	switch len(v.data) {
	case 4:
		sec = int64(binary.BigEndian.Uint32(v.data))
	case 8:
		both := binary.BigEndian.Uint64(v.data)
		sec, nsec = int64(both&(1<<34-1)), int64(both>>34)
	default: // measured: 12
		nsec, sec = int64(binary.BigEndian.Uint32(v.data)), int64(binary.BigEndian.Uint64(v.data[4:]))
	}
	if sec < firstSecond || sec > lastSecond {
		return "", false
	}
	return time.Unix(sec, nsec).UTC().Format(time.RFC3339Nano), true
}

func (t *text) array(n int) error {
	t.out = append(t.out, '[')
	t.path = append(t.path, pointer.Segment{})
	for i := range n {
		if i > 0 {
			t.out = append(t.out, ',')
		}
		t.path[len(t.path)-1] = pointer.Index(uint64(i))
		if err := t.value(); err != nil {
			return err
		}
	}
	t.path = t.path[:len(t.path)-1]
	t.out = append(t.out, ']')
	return nil
}
