package jsoncheck

import (
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
		i = characters(buf[:max(i, end)], i)
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
			n, gain := escapes(buf[:end], i)
			i, saved = n, saved+int64(gain)
			if i >= end || buf[i] != '\\' {
				continue
			}
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

// escapes passes over escapes from b[i] on, as long as they are right, are no
// half of a surrogate pair, and twelve bytes are left. It also returns by how
// many bytes they are longer than what they stand for.
func escapes(b []byte, i int) (next, gain int) {
	for i >= 0 && i <= len(b)-12 && b[i] == '\\' {
		switch b[i+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			i += 2
			gain++
			continue
		case 'u':
		default:
			return i, gain
		}
		unit := hex4(b[i+2], b[i+3], b[i+4], b[i+5])
		switch {
		case unit > 0xffff:
			return i, gain
		case isSurrogate(unit):
			if b[i+6] != '\\' || b[i+7] != 'u' || !isHigh(unit) || !isLow(hex4(b[i+8], b[i+9], b[i+10], b[i+11])) {
				return i, gain
			}
			i += 12
			gain += 8
			continue
		case unit < 0x80:
			gain += 2
		case unit < 0x800:
			gain++
		}
		i += 6
		gain += 3
	}
	return i, gain
}

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
