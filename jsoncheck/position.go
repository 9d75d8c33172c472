package jsoncheck

import "bytes"

// A Position is a place in a text as editors count: lines and columns start
// at 1, a column is a byte of its line, and lines end with a line feed.
type Position struct {
	Line, Column uint64
}

// Locate returns the position of the byte at offset of text. An offset beyond
// the end is taken for the end.
func Locate(text []byte, offset int64) Position {
	return Position{1, 1}.After(text[:max(0, min(offset, int64(len(text))))])
}

// After returns the position behind text, which starts at p. Over a stream,
// it moves from {1, 1} on to where a violation was found.
func (p Position) After(text []byte) Position {
	lines := bytes.Count(text, []byte{'\n'})
	if lines == 0 {
		p.Column += uint64(len(text))
		return p
	}
	p.Line += uint64(lines)
	p.Column = uint64(len(text) - bytes.LastIndexByte(text, '\n'))
	return p
}
