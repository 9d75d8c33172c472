package kubewarden

import (
	"bytes"
	"encoding/json"
)

// A cursor is a place in a JSON text that measureText let through. The text is
// whole, valid, and its objects have no name twice, so that no step can fail.
type cursor struct {
	text []byte
	at   int
	// stopped ends the walk: objects and arrays have no more in them, and no
	// value may be asked for.
	stopped bool
}

// kind passes over what separates values, and returns the first byte of what
// comes: one that starts a value, or ends an array or object.
func (c *cursor) kind() byte {
	for {
		switch b := c.text[c.at]; b {
		case ' ', '\t', '\r', '\n', ',', ':':
			c.at++
		default:
			return b
		}
	}
}

// object passes over the object that comes, and calls visit with each name.
// Visit has to pass over the value.
func (c *cursor) object(visit func(name string)) {
	c.kind()
	for c.at++; !c.stopped && c.kind() != '}'; {
		visit(string(unquote(c.value())))
	}
	c.at++
}

// array passes over the array that comes, and calls visit with each index.
// Visit has to pass over the element.
func (c *cursor) array(visit func(index int)) {
	c.kind()
	i := 0
	for c.at++; !c.stopped && c.kind() != ']'; i++ {
		visit(i)
	}
	c.at++
}

// value passes over the value that comes, and returns it as written.
func (c *cursor) value() []byte {
	first := c.kind()
	start := c.at
	switch first {
	case '"':
		c.string()
	case '{', '[':
		c.container()
	default:
		for c.at < len(c.text) && !ends(c.text[c.at]) {
			c.at++
		}
	}
	return c.text[start:c.at]
}

// ends reports whether b cannot be part of a number, true, false or null.
func ends(b byte) bool {
	switch b {
	case ' ', '\t', '\r', '\n', ',', ']', '}':
		return true
	}
	return false
}

// container passes over an array or object, however deep, without recursion.
func (c *cursor) container() {
	for depth := 0; ; {
		switch c.text[c.at] {
		case '"':
			c.string()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		c.at++
		if depth == 0 {
			return
		}
	}
}

// string passes over a string.
func (c *cursor) string() {
	c.at++
	for {
		c.at += bytes.IndexByte(c.text[c.at:], '"') + 1
		// The quote is escaped where an odd number of backslashes is before
		// it. The string's first quote ends the count.
		backslashes := 0
		for c.text[c.at-2-backslashes] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return
		}
	}
}

// unquote returns what a string as written stands for. Where nothing is escaped
// in it, that is a part of the text and no copy.
func unquote(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		panic("kubewarden: a string that was measured is none") // jsoncheck refuses it
	}
	return []byte(s)
}
