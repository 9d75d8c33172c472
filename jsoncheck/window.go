package jsoncheck

import "io"

// windowSize is how much of a text from a reader is held at once. A name in
// progress is kept whole up to keptWire bytes, which must fit several times.
const (
	windowSize  = 64 << 10
	smallWindow = 4 << 10 // where the text is known to be shorter
)

// more makes at least one byte after buf[i] available and returns the window
// and the index in it that i has become. Where the text has no more bytes, or
// its reader failed, the index returned is the length of the window.
// i must be the length of the window, or so close to it that what lies between
// is the start of one escape or one character.
func (s *scanner) more(i int) ([]byte, int, bool) {
	if s.src.R == nil || s.ended {
		return s.buf, i, false
	}
	if len(s.buf) == cap(s.buf) {
		i = s.slide(i)
	}
	n, err := s.src.Read(s.buf[len(s.buf):cap(s.buf)])
	if err != nil {
		s.ended = true
		if err != io.EOF {
			s.readErr = err
		}
		return s.buf, i, false
	}
	s.buf = s.buf[:len(s.buf)+n]
	return s.buf, i, true
}

// slide drops the bytes before i from the window, keeping what pointers and
// the check for duplicates still need of them.
func (s *scanner) slide(i int) int {
	from := i
	if s.inName {
		from = s.slideName(i)
	}
	s.keepNames()
	n := copy(s.buf, s.buf[from:])
	s.buf = s.buf[:n]
	s.base += int64(from)
	if s.inName && !s.inPieces {
		s.setNamePos(0)
	}
	return i - from
}

// open sets s up to read a text from buf or, where r is not nil, size bytes
// from r, if that is known.
func (s *scanner) open(buf []byte, r io.Reader, size int64) {
	s.base, s.ended, s.readErr = 0, false, nil
	s.src.R = r
	if r == nil {
		s.buf = buf
		return
	}
	room := windowSize
	if size >= 0 && size < smallWindow {
		room = smallWindow
	}
	if len(s.memory) < room {
		s.memory = make([]byte, room)
	}
	s.buf = s.memory[:0]
}
