package rule_test

import (
	"strconv"
	"strings"
)

// unescape reverses rule.Excerpt of a text that was not cut.
func unescape(s string) string {
	var b strings.Builder
	for s != "" {
		before, after, found := strings.Cut(s, `\`)
		b.WriteString(before)
		if !found {
			break
		}
		var escape string
		switch after[0] {
		case '\\':
			b.WriteByte('\\')
			s = after[1:]
			continue
		case 'x':
			escape, s = after[1:3], after[3:]
			n, _ := strconv.ParseUint(escape, 16, 8)
			b.WriteByte(byte(n))
		default: // u{N}
			escape, s, _ = strings.Cut(after[2:], "}")
			n, _ := strconv.ParseUint(escape, 16, 32)
			b.WriteRune(rune(n))
		}
	}
	return b.String()
}
