package rule

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Excerpt returns at most max bytes of s in a form that is safe to print
// anywhere: whatever is not printable, every format character (bidirectional
// controls, zero width, U+2028) and every byte that is not UTF-8 is written as
// \xNN or \u{N}, a backslash as \\. A longer s is cut between characters and ends in "…".
// max counts bytes of s, not of the escaped result.
func Excerpt[T string | []byte](s T, max int) string {
	cut := len(s) > max
	var b strings.Builder
	for i := 0; i < len(s) && i < max; {
		r, size := decode(s, i)
		if i+size > max {
			break
		}
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x`)
			b.WriteByte(hex[s[i]>>4])
			b.WriteByte(hex[s[i]&15])
		case r == '\\':
			b.WriteString(`\\`)
		case r < 0x80 && !strconv.IsPrint(r):
			b.WriteString(`\x`)
			b.WriteByte(hex[byte(r)>>4])
			b.WriteByte(hex[byte(r)&15])
		case !unicode.IsPrint(r) || unicode.Is(unicode.Cf, r):
			b.WriteString(`\u{`)
			b.WriteString(strconv.FormatInt(int64(r), 16))
			b.WriteByte('}')
		default:
			b.WriteRune(r)
		}
		i += size
	}
	if cut {
		b.WriteString("…")
	}
	return b.String()
}

const hex = "0123456789abcdef"

// decode is utf8.DecodeRune at s[i:] without converting all of s.
func decode[T string | []byte](s T, i int) (rune, int) {
	if s[i] < utf8.RuneSelf {
		return rune(s[i]), 1
	}
	return utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
}
