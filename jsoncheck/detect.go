package jsoncheck

import "bytes"

// LookAhead is how many bytes from its start [Looks] considers of a payload.
const LookAhead = 4096

// Looks reports whether a payload that starts with the bytes of window looks
// like JSON, by its first tokens and nothing else: UTF-8, escapes and limits
// are not judged.
//
// After an optional byte order mark and white space, it fits where it starts
// with { and then } or a name and a colon, or with [ and then ] or the start of
// a value. Tokens that the window, or its first [LookAhead] bytes, cut off fit:
// it takes the pass to tell a text that is cut off from one that goes on.
//
// scalar says that the payload is one lone string, number, true, false or null
// instead, unfinished only where whole does not say that window is all of it.
// Plain text may be that by chance, so it is for payloads that were named, and
// not for ones that were come across.
func Looks(window []byte, whole bool) (fits, scalar bool) {
	if len(window) > LookAhead {
		window, whole = window[:LookAhead], false
	}
	l := look{text: bytes.TrimPrefix(window, []byte("\xef\xbb\xbf")), open: true}
	l.space()
	if len(l.text) == 0 {
		return false, false
	}
	switch c := l.text[0]; c {
	case '{':
		l.text = l.text[1:]
		return l.member(), false
	case '[':
		l.text = l.text[1:]
		return l.array(), false
	}
	l.open = !whole
	if !l.scalar() {
		return false, false
	}
	l.space()
	fits = len(l.text) == 0
	return fits, fits
}

// look is what is left of a window.
type look struct {
	text []byte
	open bool // a token that text does not finish fits
}

// space passes over white space.
func (l *look) space() { l.text = bytes.TrimLeft(l.text, " \t\r\n") }

// array reports whether text, behind a [, goes on like an array: with ], or
// with the start of a value. As TOML has [[tables]], another [ is not enough.
func (l *look) array() bool {
	for {
		l.space()
		if len(l.text) == 0 {
			return l.open
		}
		switch l.text[0] {
		case ']', '{':
			return true
		case '[':
			l.text = l.text[1:]
		default:
			return l.scalar() && l.ended()
		}
	}
}

// member reports whether text, behind a {, goes on like an object.
func (l *look) member() bool {
	l.space()
	if len(l.text) == 0 {
		return l.open
	}
	if l.text[0] == '}' {
		return true
	}
	if l.text[0] != '"' || !l.scalar() {
		return false
	}
	if l.space(); len(l.text) == 0 {
		return l.open
	}
	return l.text[0] == ':'
}

// ended reports whether the scalar before text ends there: [1.2.3] and [trunk]
// do not start with one.
func (l *look) ended() bool {
	if len(l.text) == 0 {
		return l.open
	}
	switch c := l.text[0] | 0x20; {
	case c-'0' <= 9, 'a' <= c && c <= 'z', c >= 0x80:
		return false
	}
	switch l.text[0] {
	case '.', '_', '-', '+', ':', '/':
		return false
	}
	return true
}

// scalar passes over a string, number, true, false or null, or as much of it
// as there is, and reports whether it did.
func (l *look) scalar() bool {
	switch c := l.text[0]; {
	case c == '"':
		return l.string()
	case c == 't':
		return l.word("true")
	case c == 'f':
		return l.word("false")
	case c == 'n':
		return l.word("null")
	case c == '-' || c-'0' <= 9:
		return l.number()
	}
	return false
}

func (l *look) word(word string) bool {
	n := min(len(word), len(l.text))
	if string(l.text[:n]) != word[:n] {
		return false
	}
	l.text = l.text[n:]
	return n == len(word) || l.open
}

// string passes over a string: no control character is in it.
func (l *look) string() bool {
	for i := 1; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case c == '"':
			l.text = l.text[i+1:]
			return true
		case c == '\\':
			i++
		case c < ' ':
			return false
		}
	}
	l.text = nil
	return l.open
}

// number passes over a number.
func (l *look) number() bool {
	i := 0
	digits := func() (some bool) {
		from := i
		for i < len(l.text) && l.text[i]-'0' <= 9 {
			i++
		}
		return i > from || i == len(l.text) && l.open
	}
	if l.text[0] == '-' {
		i++
	}
	zero := i
	if !digits() || i > zero+1 && l.text[zero] == '0' {
		return false
	}
	if i < len(l.text) && l.text[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(l.text) && l.text[i]|0x20 == 'e' {
		i++
		if i < len(l.text) && (l.text[i] == '+' || l.text[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	l.text = l.text[i:]
	return true
}
