package jsoncheck

import (
	"strconv"

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

// trailing stops the pass at buf[i], which follows the root value. newline
// says that a line ended between the two.
func (s *scanner) trailing(i int, newline bool) {
	v := rule.Violation{
		Rule:    &Rules[ruleTrailingData],
		Message: "found {detail} after the end of the value",
		Detail:  quoteByte(s.buf[i]),
	}
	if newline && startsValue(s.buf[i]) {
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
