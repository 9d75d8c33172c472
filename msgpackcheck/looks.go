package msgpackcheck

// looksWindow is how many bytes decide whether an input looks like msgpack.
const looksWindow = 512

// Looks reports whether an input that starts with window can be taken for
// msgpack although nobody said so: it starts with an array or map, and the first
// 512 bytes hold neither the byte 0xc1 in place of a value nor anything after
// the end of that array or map. A header that promises too much, a window that
// ends inside a value, and limits do not speak against it.
func Looks(window []byte) bool {
	if len(window) == 0 {
		return false
	}
	if k := headers[window[0]].kind; k != arrayKind && k != mapKind {
		return false
	}
	s := newScan(window[:min(len(window), looksWindow)], nil, 0, Limits{})
	s.size = unknownSize // so that no header is oversized
	s.value()
	s.end()
	fits := s.m.Violations.Count(Rules[reservedByte].ID) == 0 && s.m.Violations.Count(Rules[trailingData].ID) == 0
	s.free()
	return fits
}
