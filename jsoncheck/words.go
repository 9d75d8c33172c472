package jsoncheck

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Constants for eight bytes at a time, the first of them lowest.
const (
	each  = 0x0101010101010101
	highs = 0x80 * each
)

// special marks, by its lowest set bit, the first byte of w that cannot just be
// passed over in a string: a control character, a quote, a backslash, or a
// byte that is not ASCII. Marks above the lowest may be wrong. Flipping bit 1
// puts the quote right behind the control characters, so that one subtraction
// finds both.
func special(w uint64) uint64 {
	return (((w ^ 0x02*each) - 0x21*each) | ((w ^ 0x5c*each) - each) | w) & highs
}

// notDigit marks, by its lowest set bit, the first byte of w that is not a digit.
func notDigit(w uint64) uint64 {
	w ^= '0' * each
	return ((w + 0x76*each) | w) & highs
}

// load returns the eight bytes of b from b[i] on. The caller has made sure of
// i <= len(b)-8.
func load(b []byte, i int) uint64 {
	if i < 0 || i > len(b)-8 {
		return 0
	}
	return binary.LittleEndian.Uint64(b[i : i+8 : i+8])
}

// plain passes over what special does not mark from b[i] on, as long as eight
// bytes are left.
func plain(b []byte, i int) int {
	for i <= len(b)-8 {
		if marks := special(load(b, i)); marks != 0 {
			return i + bits.TrailingZeros64(marks)>>3
		}
		i += 8
	}
	return i
}

// indentation passes over spaces from b[i] on, as long as eight bytes are left.
func indentation(b []byte, i int) int {
	for i <= len(b)-8 {
		if rest := load(b, i) ^ ' '*each; rest != 0 {
			return i + bits.TrailingZeros64(rest)>>3
		}
		i += 8
	}
	return i
}

// characters passes over the characters of a string from b[i] on, as long as
// eight bytes are left. It returns where it stopped: there, or at a quote, a
// backslash, a control character, or bytes that are not UTF-8.
func characters(b []byte, i int) int {
	for {
		i = plain(b, i)
		if i > len(b)-8 || b[i] < utf8.RuneSelf {
			return i
		}
		next := wide(b, i)
		if next == i {
			return i
		}
		i = next
	}
}

// wide passes over characters of two bytes and more from b[i] on, as long as
// eight bytes are left. It returns where it stopped: there, or at a byte that
// is ASCII or wrong.
func wide(b []byte, i int) int {
	for i <= len(b)-8 {
		w := load(b, i)
		switch {
		case w&0xc0c0f0c0c0f0 == 0x8080e08080e0:
			if !threeBytes(w) {
				return i
			}
			if !threeBytes(w >> 24) {
				return i + 3
			}
			i += 6
		case w&0xc0c0f0 == 0x8080e0 && threeBytes(w):
			i += 3
		case w&0xc0e0c0e0c0e0c0e0 == 0x80c080c080c080c0 && twoBytes(w) && twoBytes(w>>16) && twoBytes(w>>32) && twoBytes(w>>48):
			i += 8
		case w&0xc0e0 == 0x80c0 && twoBytes(w):
			i += 2
		case w&0xc0c0c0f8 == 0x808080f0 && fourBytes(w):
			i += 4
		default:
			return i
		}
	}
	return i
}

// threeBytes reports whether the three bytes in w, of the right form, encode a
// character that needs them (E0 is followed by A0 or more) and that is none of
// a surrogate pair (ED is followed by less than A0).
func threeBytes(w uint64) bool {
	x := w & 0x200f
	return x != 0x0000 && x != 0x200d
}

// twoBytes reports whether the two bytes in w, of the right form, encode a
// character that needs them: they do not begin with C0 or C1.
func twoBytes(w uint64) bool { return w&0x1e != 0 }

// fourBytes reports whether the four bytes in w, of the right form, encode a
// character that needs them (F0 is followed by 90 or more) and is at most
// U+10FFFF (F4 is followed by less than 90).
func fourBytes(w uint64) bool {
	switch lead, second := w&7, w>>12&3; lead {
	case 0:
		return second != 0
	case 4:
		return second == 0
	default:
		return lead < 4
	}
}
