package jsoncheck

import (
	"github.com/harden-input/harden/internal/anycost"
	"github.com/harden-input/harden/rule"
)

// shortNumber is the length in bytes of the longest number that the main loop
// takes by itself: 20 of sign and integer, a point, 23 digits, and 4 of exponent.
const shortNumber = 48

// exactExponent is the magnitude up to which exponents are told exactly.
const exactExponent = 1e15

// The states of number, named after what was read last.
type numberState uint8

const (
	atSign numberState = iota // the sign, or nothing yet
	atZero                    // an integer part of 0
	atInteger
	atPoint
	atFraction
	atE
	atExponentSign
	atExponent
)

// number scans the number that begins at buf[i], whatever its length.
func (s *scanner) number(i int) (int, bool) {
	var (
		buf      = s.buf
		from     = s.base + int64(i)
		state    = atSign
		ok       bool
		integer  int64 // digits of the integer part, none for 0
		zeros    int64 // digits of the fraction before its first other than 0
		nonzero  bool  // a digit other than 0 was seen
		negative bool  // the exponent is
		exponent int64
	)
	if buf[i] == '-' {
		i++
	}
	for {
		if i >= len(buf) {
			if buf, i, ok = s.more(i); !ok {
				if state == atZero || state == atInteger || state == atFraction || state == atExponent {
					break
				}
				return i, s.truncated("text ends inside a number", true)
			}
		}
		c := buf[i]
		digit := c-'0' <= 9
		switch state {
		case atSign:
			switch {
			case c == '0':
				state = atZero
			case digit:
				state, nonzero, integer = atInteger, true, 1
			default:
				return i, s.syntax(i, "a digit after the sign", true)
			}
		case atZero, atInteger:
			switch {
			case digit && state == atZero:
				return i, s.syntax(i, "no digit after a leading zero", true)
			case digit:
				integer++
			case c == '.':
				state = atPoint
			case c|0x20 == 'e':
				state = atE
			default:
				goto ended
			}
		case atPoint, atFraction:
			switch {
			case digit:
				state = atFraction
				if c != '0' {
					nonzero = true
				} else if !nonzero {
					zeros++
				}
			case state == atPoint:
				return i, s.syntax(i, "a digit after the decimal point", true)
			case c|0x20 == 'e':
				state = atE
			default:
				goto ended
			}
		default:
			switch {
			case digit:
				state = atExponent
				if exponent < exactExponent*10 {
					exponent = exponent*10 + int64(c-'0')
				}
			case state == atE && (c == '+' || c == '-'):
				state, negative = atExponentSign, c == '-'
			case state != atExponent:
				return i, s.syntax(i, "a digit in the exponent", true)
			default:
				goto ended
			}
		}
		i++
		if s.base+int64(i)-from > s.maxNumber {
			return i, s.crossed(ruleNumberLength, s.limits.MaxNumberLength, rule.UnitBytes,
				"number is longer than {limit} bytes", from, true)
		}
	}
ended:
	size := s.base + int64(i) - from
	s.m.Numbers++
	s.m.LongestNumber = max(s.m.LongestNumber, uint64(size))
	if nonzero {
		if negative {
			exponent = -exponent
		}
		if integer > 0 {
			exponent += integer - 1
		} else {
			exponent -= zeros + 1
		}
		if magnitude := max(exponent, -exponent); magnitude > s.maxExponent {
			v := rule.Violation{
				Rule:       &Rules[ruleExponent],
				LimitValue: rule.N(s.limits.MaxExponent),
				Unit:       unitExponent,
				Message:    "number has a decimal exponent of many digits, above {limit}",
			}
			if magnitude < exactExponent {
				v.Actual = rule.N(uint64(magnitude))
				v.Message = "number has a decimal exponent of magnitude {actual}, above {limit}"
			}
			s.add(v, from, true)
		}
	}
	if s.decodedLeft -= anycost.Number; s.decodedLeft < 0 {
		return i, s.decodedCrossed(from, true)
	}
	return i, true
}

// literal scans true, false or null, which c begins at buf[i].
func (s *scanner) literal(i int, c byte) (next int, ok bool) {
	word := "null"
	switch c {
	case 't':
		word = "true"
	case 'f':
		word = "false"
	}
	buf := s.buf
	for n := range len(word) {
		if i >= len(buf) {
			if buf, i, ok = s.more(i); !ok {
				return i, s.truncated("text ends inside "+word, true)
			}
		}
		if buf[i] != word[n] {
			return i, s.syntax(i, word, true)
		}
		i++
	}
	if c == 'n' {
		s.m.Nulls++
	} else {
		s.m.Booleans++
	}
	return i, true
}
