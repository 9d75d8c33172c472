package jsoncheck

import (
	"strconv"

	"github.com/harden-input/harden/internal/anycost"
	"github.com/harden-input/harden/internal/pointer"
	"github.com/harden-input/harden/rule"
)

// add adds v, a violation at byte at of the text. Its pointer is that of the
// value being scanned or, where inner is false, of the container it is in.
// What List would only count is not worked out: a text may break a rule that
// does not stop the pass in every few bytes.
func (s *scanner) add(v rule.Violation, at int64, inner bool) {
	if len(s.m.Violations.Kept()) >= rule.MaxKept && s.m.Violations.Count(v.Rule.ID) > 0 {
		s.m.Violations.Add(rule.Violation{Rule: v.Rule})
		return
	}
	v.Offset = at
	v.Pointer = s.pointer(inner)
	s.m.Violations.Add(v)
}

// stop adds the violation that ends the pass. It returns false, for callers
// to return.
func (s *scanner) stop(v rule.Violation, at int64, inner bool) bool {
	s.m.Length = uint64(at)
	s.add(v, at, inner)
	return false
}

// pointer returns the pointer of the value being scanned or, where inner is
// false or no value has begun, of the innermost container.
func (s *scanner) pointer(inner bool) string {
	depth := s.depth
	if depth > 0 && (!inner || s.entries == 0) {
		depth--
	}
	return pointer.Render(depth, s.segment)
}

// segment returns the step taken in the container at level.
func (s *scanner) segment(level int) pointer.Segment {
	entries, kind := s.level(level)
	if kind == inArray {
		return pointer.Index(uint64(entries - 1))
	}
	if name, ok := s.nameAt(level); ok {
		return pointer.Name(name)
	}
	return pointer.Segment{}
}

// crossed stops the pass at a value that crosses a limit. How far it would
// have gone beyond is not known, as it is not looked at.
func (s *scanner) crossed(r int, limit uint64, unit, message string, at int64, inner bool) bool {
	return s.stop(rule.Violation{
		Rule:       &Rules[r],
		LimitValue: rule.N(limit),
		Unit:       unit,
		Message:    message,
	}, at, inner)
}

// decodedCrossed stops the pass at a value that takes more memory than is left.
func (s *scanner) decodedCrossed(at int64, inner bool) bool {
	return s.crossed(ruleDecodedSize, s.limits.MaxDecodedSize, rule.UnitBytes,
		"value takes more than an estimated {limit} bytes of memory once decoded", at, inner)
}

// trailing stops the pass at buf[i], which follows the root value.
func (s *scanner) trailing(i int) {
	v := rule.Violation{
		Rule:    &Rules[ruleTrailingData],
		Message: "found {detail} after the end of the value",
		Detail:  quoteByte(s.buf[i]),
	}
	if s.newLine && startsValue(s.buf[i]) {
		v.Message = "a second value follows on another line: newline-delimited JSON is inspected as records"
	}
	s.stop(v, s.base+int64(i), true)
}

// startsValue reports whether a value can begin with c.
func startsValue(c byte) bool {
	switch c {
	case '{', '[', '"', '-', 't', 'f', 'n':
		return true
	}
	return c-'0' <= 9
}

// syntax stops the pass at the byte buf[i], which the grammar does not allow
// there. expected says what it does allow.
func (s *scanner) syntax(i int, expected string, inner bool) bool {
	at := s.base + int64(i)
	v := rule.Violation{
		Rule:    &Rules[ruleSyntax],
		Message: "found {detail}, expected " + expected,
		Detail:  quoteByte(s.buf[i]),
	}
	if at < int64(len(s.head)) {
		if encoding := encodingOf(s.head[:]); encoding != "" {
			v.Message, v.Detail = "text looks like {detail}: JSON must be UTF-8", encoding
		}
	}
	return s.stop(v, at, inner)
}

// truncated ends the pass at the end of the text, which message says comes too
// early, or where the reader failed.
func (s *scanner) truncated(message string, inner bool) bool {
	at := s.base + int64(len(s.buf))
	if s.readErr != nil {
		s.m.Length = uint64(at)
		return false
	}
	return s.stop(rule.Violation{Rule: &Rules[ruleTruncated], Message: message}, at, inner)
}

// A reason is why the main loop ends before the text does.
type reason uint8

const (
	// The text ends.
	endAtValue reason = iota
	endAtName
	endAtColon
	endAfter
	// The grammar does not allow the byte.
	badValue
	badName
	badColon
	badAfter
	// A limit is crossed.
	tooMuch // the one on values, or tooLarge
	tooLarge
	tooDeep
	tooManyElements
	tooManyEntries
	stringCrossed // the one on its length, or tooLarge
	nameCrossed   // likewise
)

// refuse stops the pass at buf[i], or at the string or name whose text starts
// at buf[start].
func (s *scanner) refuse(why reason, i, start int) {
	at, text := s.base+int64(i), s.base+int64(start)
	switch why {
	case endAtValue:
		if s.depth == 0 {
			s.truncated("text holds no value", true)
		} else {
			s.truncated("text ends where a value should begin", true)
		}
	case endAtName:
		s.truncated("text ends inside an object", false)
	case endAtColon:
		s.truncated("text ends after the name of a member", true)
	case endAfter:
		if s.kind == inArray {
			s.truncated("text ends inside an array", false)
		} else {
			s.truncated("text ends inside an object", false)
		}

	case badValue:
		s.syntax(i, "a value", true)
	case badName:
		if s.entries == 0 {
			s.syntax(i, "a name in double quotes or }", false)
		} else {
			s.syntax(i, "a name in double quotes", false)
		}
	case badColon:
		s.syntax(i, "a colon after the name", true)
	case badAfter:
		switch s.kind {
		case inArray:
			s.syntax(i, "a comma or ] after the element", false)
		case inObject:
			s.syntax(i, "a comma or } after the member", false)
		default:
			s.trailing(i)
		}

	case tooMuch:
		if !startsValue(s.buf[i]) {
			// What cannot be comes before what may not be.
			s.syntax(i, "a value", true)
			return
		}
		if s.valuesLeft >= 0 {
			s.decodedCrossed(at, true)
			return
		}
		s.crossed(ruleValues, s.limits.MaxValues, unitValues, "text has more than {limit} values", at, true)
	case tooLarge:
		s.decodedCrossed(at, true)
	case tooDeep:
		s.crossed(ruleDepth, s.limits.MaxDepth, unitLevels,
			"arrays and objects are nested more than {limit} levels deep", at, true)
	case tooManyElements:
		s.crossed(ruleArrayElements, s.limits.MaxArrayElements, unitElements,
			"array has more than {limit} elements", at-1, true)
	case tooManyEntries:
		s.crossed(ruleObjectEntries, s.limits.MaxObjectEntries, unitEntries,
			"object has more than {limit} members", at, false)
	case stringCrossed:
		s.textCrossed(text, s.maxString <= s.decodedLeft-anycost.String)
	case nameCrossed:
		s.inName = true
		s.textCrossed(text, s.maxName <= s.decodedLeft)
	}
}

// quoteByte names a byte that has no place where it was found.
func quoteByte(c byte) string {
	if c > ' ' && c < 0x7f {
		return strconv.QuoteRune(rune(c))
	}
	const hex = "0123456789abcdef"
	return "byte 0x" + string([]byte{hex[c>>4], hex[c&15]})
}

// encodingOf names the encoding, other than UTF-8, of a text that starts with
// the bytes of head, or returns "".
func encodingOf(head []byte) string {
	zero := func(i int) bool { return head[i] == 0 }
	switch mark := string(head[:2]); {
	case string(head) == "\xff\xfe\x00\x00", string(head) == "\x00\x00\xfe\xff":
		return "UTF-32"
	case mark == "\xff\xfe", mark == "\xfe\xff":
		return "UTF-16"
	case zero(0) && zero(1) && zero(2) && !zero(3), !zero(0) && zero(1) && zero(2) && zero(3):
		return "UTF-32"
	case zero(0) && !zero(1) && zero(2) && !zero(3), !zero(0) && zero(1) && !zero(2) && zero(3):
		return "UTF-16"
	}
	return ""
}
