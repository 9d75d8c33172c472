package jsoncheck

import (
	"unicode"
	"unicode/utf8"
)

// nextRune decodes the first character of a string's text as written, and
// returns how many bytes it takes there. Half of a surrogate pair is U+FFFD,
// as RFC 8259 section 8.2 leaves it open and decoders commonly do. At the end
// of the string, and where the text is cut off or wrong, size is zero.
func nextRune(text []byte) (r rune, size int) {
	if len(text) == 0 || text[0] == '"' {
		return 0, 0
	}
	if text[0] != '\\' {
		if text[0] < utf8.RuneSelf {
			return rune(text[0]), 1
		}
		r, size = utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			return 0, 0
		}
		return r, size
	}
	if len(text) < 2 {
		return 0, 0
	}
	switch c := text[1]; c {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
	default:
		return rune(c), 2
	}
	unit, ok := hexUnit(text)
	switch {
	case !ok:
		return 0, 0
	case !isSurrogate(unit):
		return rune(unit), 6
	case isHigh(unit) && len(text) >= 12:
		if low, ok := hexUnit(text[6:]); ok && isLow(low) {
			return pair(unit, low), 12
		}
	}
	return utf8.RuneError, 6
}

// hexUnit reads an escape of the form \uXXXX at the start of text.
func hexUnit(text []byte) (unit uint32, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit = hex4(text[2], text[3], text[4], text[5])
	return unit, unit <= 0xffff
}

func isSurrogate(unit uint32) bool { return unit-0xd800 < 0x800 }
func isHigh(unit uint32) bool      { return unit-0xd800 < 0x400 }
func isLow(unit uint32) bool       { return unit-0xdc00 < 0x400 }

func pair(high, low uint32) rune {
	return rune((high-0xd800)<<10 | (low - 0xdc00) + 0x10000)
}

// hex4 returns the number that four hexadecimal digits make, or more than
// 0xffff where one of them is none.
func hex4(a, b, c, d byte) uint32 {
	return uint32(hexDigits[a])<<12 | uint32(hexDigits[b])<<8 | uint32(hexDigits[c])<<4 | uint32(hexDigits[d])
}

// notHex makes a number of four digits larger than 0xffff, whichever it is.
const notHex = 1 << 16

// appendDecoded appends the characters of a string's text as written to dst,
// as long as they fit into its capacity, and returns how many bytes of text
// they are. It stops before the closing quote.
func appendDecoded(dst, text []byte) (decoded []byte, n int) {
	for cap(dst)-len(dst) >= utf8.UTFMax {
		r, size := nextRune(text[n:])
		if size == 0 {
			break
		}
		dst = utf8.AppendRune(dst, r)
		n += size
	}
	return dst, n
}

// equalNames reports whether two names as written, each up to its closing
// quote, decode to the same characters or, under folding, to characters that
// differ only in case.
func equalNames(a, b []byte, folding bool) bool {
	for {
		ra, na := nextRune(a)
		rb, nb := nextRune(b)
		if na == 0 || nb == 0 {
			return na == nb
		}
		if folding {
			ra, rb = foldRune(ra), foldRune(rb)
		}
		if ra != rb {
			return false
		}
		a, b = a[na:], b[nb:]
	}
}

// foldRune returns the smallest of the characters that r equals under Unicode
// simple case folding, as encoding/json has it.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			r += 'A' - 'a'
		}
		return r
	}
	for {
		next := unicode.SimpleFold(r)
		if next <= r {
			return next
		}
		r = next
	}
}

// writeFolded adds the decoded text of a name to the hash of the folded name.
func (s *scanner) writeFolded(decoded []byte) {
	var space [256]byte
	folded := space[:0]
	for len(decoded) > 0 {
		if cap(folded)-len(folded) < utf8.UTFMax {
			s.fold.Write(folded)
			folded = space[:0]
		}
		if c := decoded[0]; c < utf8.RuneSelf {
			folded = append(folded, byte(foldRune(rune(c))))
			decoded = decoded[1:]
			continue
		}
		r, size := utf8.DecodeRune(decoded)
		folded = utf8.AppendRune(folded, foldRune(r))
		decoded = decoded[size:]
	}
	s.fold.Write(folded)
}

// hexDigits holds the values of hexadecimal digits, and notHex for other bytes.
var hexDigits = func() (table [256]uint32) {
	for c := range table {
		switch {
		case '0' <= c && c <= '9':
			table[c] = uint32(c - '0')
		case 'a' <= c && c <= 'f':
			table[c] = uint32(c - 'a' + 10)
		case 'A' <= c && c <= 'F':
			table[c] = uint32(c - 'A' + 10)
		default:
			table[c] = notHex
		}
	}
	return table
}()
