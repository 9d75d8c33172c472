package msgpackcheck

import "encoding/binary"

// kind groups the first bytes of values.
type kind uint8

const (
	reserved kind = iota // 0xc1, used by nothing
	nilKind
	boolKind
	uintKind // fixint included
	intKind  // negative fixint included
	floatKind
	strKind
	binKind
	extKind
	arrayKind
	mapKind
)

// noun names k in messages.
func (k kind) noun() string {
	return [...]string{"reserved byte", "nil", "bool", "uint", "int", "float", "str", "bin", "ext", "array", "map"}[k]
}

// header describes what the first byte of a value says.
type header struct {
	kind kind
	// size is the bytes of the header: the first byte, the length field, and
	// the type of an ext.
	size uint8
	// field is the bytes of the length field; 0 where the first byte says all.
	field uint8
	// inline is the length where there is no field: payload bytes of fixed
	// values, of fixstr and fixext; elements or pairs of fixarray and fixmap.
	inline uint8
}

// length returns the length that the header h at the start of b declares:
// payload bytes, elements or pairs. b holds at least h.size bytes.
func (h header) length(b []byte) uint64 {
	switch h.field {
	case 1:
		return uint64(b[1])
	case 2:
		return uint64(binary.BigEndian.Uint16(b[1:]))
	case 4:
		return uint64(binary.BigEndian.Uint32(b[1:]))
	}
	return uint64(h.inline)
}

// headers holds the header of every first byte.
var headers = makeHeaders()

func makeHeaders() (t [256]header) {
	for c := range t {
		switch {
		case c <= 0x7f:
			t[c] = header{kind: uintKind, size: 1}
		case c <= 0x8f:
			t[c] = header{kind: mapKind, size: 1, inline: uint8(c & 15)}
		case c <= 0x9f:
			t[c] = header{kind: arrayKind, size: 1, inline: uint8(c & 15)}
		case c <= 0xbf:
			t[c] = header{kind: strKind, size: 1, inline: uint8(c & 31)}
		case c >= 0xe0:
			t[c] = header{kind: intKind, size: 1}
		}
	}
	t[0xc0] = header{kind: nilKind, size: 1}
	t[0xc1] = header{kind: reserved, size: 1}
	t[0xc2] = header{kind: boolKind, size: 1}
	t[0xc3] = header{kind: boolKind, size: 1}
	t[0xca] = header{kind: floatKind, size: 1, inline: 4}
	t[0xcb] = header{kind: floatKind, size: 1, inline: 8}
	for i := range 4 {
		t[0xcc+i] = header{kind: uintKind, size: 1, inline: 1 << i}
		t[0xd0+i] = header{kind: intKind, size: 1, inline: 1 << i}
	}
	for i := range 5 {
		t[0xd4+i] = header{kind: extKind, size: 2, inline: 1 << i}
	}
	for i := range 3 {
		field := uint8(1) << i
		t[0xc4+i] = header{kind: binKind, size: 1 + field, field: field}
		t[0xc7+i] = header{kind: extKind, size: 2 + field, field: field}
		t[0xd9+i] = header{kind: strKind, size: 1 + field, field: field}
	}
	for i := range 2 {
		field := uint8(2) << i
		t[0xdc+i] = header{kind: arrayKind, size: 1 + field, field: field}
		t[0xde+i] = header{kind: mapKind, size: 1 + field, field: field}
	}
	return t
}

// integer returns the bits of the integer whose first byte is b[0], sign
// extended where it is a signed encoding. b holds the whole value.
func integer(b []byte) uint64 {
	switch c := b[0]; c {
	case 0xcc:
		return uint64(b[1])
	case 0xcd:
		return uint64(binary.BigEndian.Uint16(b[1:]))
	case 0xce:
		return uint64(binary.BigEndian.Uint32(b[1:]))
	case 0xcf, 0xd3:
		return binary.BigEndian.Uint64(b[1:])
	case 0xd0:
		return uint64(int8(b[1]))
	case 0xd1:
		return uint64(int16(binary.BigEndian.Uint16(b[1:])))
	case 0xd2:
		return uint64(int32(binary.BigEndian.Uint32(b[1:])))
	default:
		return uint64(int8(c))
	}
}
