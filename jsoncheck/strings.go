package jsoncheck

import (
	"math/bits"
	"unicode/utf8"

	"github.com/harden-input/harden/internal/anycost"
	"github.com/harden-input/harden/rule"
)

// stringValue scans what is left of a string that is a value from buf[i] on.
// Its text starts at buf[start] and is plain ASCII so far.
func (s *scanner) stringValue(i, start int) (next int, ok bool) {
	from := s.base + int64(start)
	i, size, decoded, ok := s.text(i, from, s.maxString, s.decodedLeft-anycost.String)
	if !ok {
		return i, false
	}
	s.m.LongestString = max(s.m.LongestString, uint64(size))
	s.m.TextBytes += uint64(decoded)
	s.decodedLeft -= decoded + anycost.String
	return i, true
}

// name is stringValue for a name.
func (s *scanner) name(i, start int) (next int, ok bool) {
	s.inName, s.inPieces = true, false
	s.nameFrom = s.base + int64(start)
	i, size, decoded, ok := s.text(i, s.nameFrom, s.maxName, s.decodedLeft)
	if ok {
		s.m.Names++
		s.m.LongestName = max(s.m.LongestName, uint64(size))
		s.m.TextBytes += uint64(decoded)
		s.decodedLeft -= decoded
		if s.limits.Checks&(DuplicateKeys|FoldedKeys) != 0 {
			s.checkName(i - 1)
		}
	}
	s.inName = false
	return i, ok
}

// text scans from buf[i] on what is left of a string or name whose text starts
// at byte from. limit is how long it may be as written, room how long decoded.
// It returns the index behind the closing quote, and both lengths.
//
// The limits are looked at where the scan reaches the first byte that could
// cross one, and after every escape and character: neither the window nor the
// stride of the loops decides what is found first.
func (s *scanner) text(i int, from, limit, room int64) (next int, size, decoded int64, ok bool) {
	buf := s.buf
	saved := int64(0) // by how many bytes escapes are longer than what they stand for
	for {
		// Before end there is nothing to look at but the bytes themselves.
		end := int(min(int64(len(buf)), from-s.base+min(limit, room+saved)+1))
		for i <= end-8 {
			if marks := special(load(buf, i)); marks != 0 {
				i += bits.TrailingZeros64(marks) >> 3
				break
			}
			i += 8
		}
		if i >= end {
			size = s.base + int64(i) - from
			if size > limit || size-saved > room {
				wire := size > limit && (limit <= room+saved || size-saved <= room)
				return i, size, 0, s.textCrossed(from, wire)
			}
			if buf, i, ok = s.more(i); !ok {
				return i, size, 0, s.truncated("text ends inside a string", !s.inName)
			}
			continue
		}
		switch c := buf[i]; {
		case c == '"':
			size = s.base + int64(i) - from
			return i + 1, size, size - saved, true
		case c == '\\':
			// Runs of \uXXXX that stand for one character each.
			for i <= end-8 && buf[i] == '\\' && buf[i+1] == 'u' {
				unit := hex4(buf[i+2], buf[i+3], buf[i+4], buf[i+5])
				if unit > 0xffff || isSurrogate(unit) {
					break
				}
				i += 6
				saved += 3
				if unit < 0x800 {
					saved++
					if unit < 0x80 {
						saved++
					}
				}
			}
			if i >= end || buf[i] != '\\' {
				continue
			}
			var gain int
			if i, gain, ok = s.escape(i); !ok {
				return i, 0, 0, false
			}
			buf = s.buf
			saved += int64(gain)
		case c < ' ':
			return i, 0, 0, s.syntax(i, "an escape: strings must not hold control characters as they are", !s.inName)
		case c < utf8.RuneSelf:
			i++
		default:
			if n := wide(buf[:end], i); n != i {
				i = n
				continue
			}
			r, n := utf8.DecodeRune(buf[i:])
			if r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
			if utf8.FullRune(buf[i:]) {
				return i, 0, 0, s.stop(rule.Violation{
					Rule:    &Rules[ruleUTF8],
					Message: "string is not UTF-8: {detail} does not begin a character",
					Detail:  quoteByte(buf[i]),
				}, s.base+int64(i), !s.inName)
			}
			if buf, i, ok = s.more(i); !ok {
				return i, 0, 0, s.truncated("text ends inside a character", !s.inName)
			}
		}
	}
}

// textCrossed stops the pass at the string or name whose text starts at byte
// from and crosses the limit on its length as written or, where wire is false,
// the one on decoded memory.
func (s *scanner) textCrossed(from int64, wire bool) bool {
	switch {
	case !wire:
		return s.decodedCrossed(from-1, !s.inName)
	case s.inName:
		return s.crossed(ruleNameLength, s.limits.MaxNameLength, rule.UnitBytes,
			"name is longer than {limit} bytes", from-1, false)
	default:
		return s.crossed(ruleStringLength, s.limits.MaxStringLength, rule.UnitBytes,
			"string is longer than {limit} bytes", from-1, true)
	}
}

// wide passes over characters of two and three bytes from b[i] on, while eight
// bytes are left. It returns where it stopped: at a byte that is ASCII, that
// begins a character of four bytes, or that is wrong.
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
		case w&0xc0c0f0 == 0x8080e0:
			if !threeBytes(w) {
				return i
			}
			i += 3
		case w&0xc0e0c0e0c0e0c0e0 == 0x80c080c080c080c0 && twoBytes(w) && twoBytes(w>>16) && twoBytes(w>>32) && twoBytes(w>>48):
			i += 8
		case w&0xc0e0 == 0x80c0 && twoBytes(w):
			i += 2
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

// escape passes over the escape at buf[i]. It returns the index behind it, and
// by how many bytes it is longer than what it stands for.
func (s *scanner) escape(i int) (next, gain int, ok bool) {
	buf := s.buf
	for i+2 > len(buf) {
		if buf, i, ok = s.more(i); !ok {
			return i, 0, s.truncated("text ends inside an escape", !s.inName)
		}
	}
	switch buf[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2, 1, true
	case 'u':
	default:
		return i, 0, s.syntax(i+1, `one of "\/bfnrtu after a backslash`, !s.inName)
	}
	for n := i + 2; n < i+6; n++ {
		if n >= len(buf) {
			n -= i
			if buf, i, ok = s.more(i); !ok {
				return i, 0, s.truncated("text ends inside an escape", !s.inName)
			}
			n += i
		}
		if hexDigits[buf[n]] == notHex {
			return i, 0, s.syntax(n, `four hexadecimal digits after \u`, !s.inName)
		}
	}
	unit, _ := hexUnit(buf[i:])
	switch {
	case unit < 0x80:
		return i + 6, 5, true
	case unit < 0x800:
		return i + 6, 4, true
	case !isSurrogate(unit):
		return i + 6, 3, true
	}
	if isHigh(unit) {
		// The other half has to follow at once. What does not fit is left to
		// the next round.
		for i+12 > len(buf) && startsEscape(buf[i+6:]) {
			if buf, i, ok = s.more(i); !ok {
				break
			}
		}
		if low, ok := hexUnit(buf[i+6:]); ok && isLow(low) {
			return i + 12, 8, true
		}
	}
	if s.limits.Checks&LoneSurrogates != 0 {
		s.add(rule.Violation{
			Rule:    &Rules[ruleLoneSurrogate],
			Message: "escape is half of a surrogate pair, the other half is missing",
		}, s.base+int64(i), !s.inName)
	}
	return i + 6, 3, true
}

// startsEscape reports whether b could be the start of an escape \uXXXX.
func startsEscape(b []byte) bool {
	return len(b) == 0 || b[0] == '\\' && (len(b) == 1 || b[1] == 'u')
}
