package fuzz

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/harden-input/harden/rule"
)

// Excerpt holds that what comes out is safe to print, bounded, and tells
// different texts apart.
func Excerpt(data []byte) int {
	most := draw(data).IntN(len(data) + 2)
	out := rule.Excerpt(data, most)
	if other := rule.Excerpt(string(data), most); other != out {
		broken("%q of bytes, %q of a string", out, other)
	}
	unsafe := func(r rune) bool { return !unicode.IsPrint(r) || unicode.Is(unicode.Cf, r) }
	if !utf8.ValidString(out) || strings.ContainsFunc(out, unsafe) {
		broken("not safe to print: %q", out)
	}
	// No escape is longer, for its bytes, than the \xNN of one byte.
	if len(out) > 4*most+len("…") {
		broken("%d bytes of at most %d", len(out), most)
	}
	if len(data) <= most {
		if unescaped(out) != string(data) {
			broken("%q stands for %q", out, data)
		}
		return ordinary
	}
	start, isCut := strings.CutSuffix(out, "…")
	if !isCut || !strings.HasPrefix(string(data), unescaped(start)) {
		broken("%q is not the start of %q", out, data)
	}
	return ordinary
}

var escape = regexp.MustCompile(`\\\\|\\x[0-9a-f]{2}|\\u\{[0-9a-f]+\}`)

// unescaped reads what Excerpt writes.
func unescaped(s string) string {
	return escape.ReplaceAllStringFunc(s, func(e string) string {
		hex := strings.Trim(e[2:], "{}")
		n, err := strconv.ParseUint(hex, 16, 32)
		switch {
		case e == `\\`:
			return `\`
		case err != nil:
			broken("%q is no escape", e)
		case e[1] == 'x':
			return string([]byte{byte(n)})
		}
		return string(rune(n))
	})
}
