package jsoncheck

import (
	"math/bits"

	"github.com/harden-input/harden/internal/anycost"
)

// run scans the text from buf[i] on to its end, or to the first violation that
// stops the pass. It is one loop over the window without recursion: the labels
// are what the grammar allows next. Whenever it needs a byte beyond the
// window, more either delivers it or has reached the end of the text, so a
// refill never changes what is found. What is rare or may cross a refill inside
// a token is handed to text, number and literal; the loop itself takes only
// tokens that end inside the window and break no limit.
func (s *scanner) run(i int) {
	var (
		buf     = s.buf
		depth   = 0
		entries = int64(0)
		kind    = inRoot
		levels  = &s.first
		checks  = s.limits.Checks&(DuplicateKeys|FoldedKeys) != 0
		ok      bool
		c       byte
		start   int
		why     reason
	)

value: // a value has to begin here
	for {
		if uint(i) >= uint(len(buf)) {
			s.depth = depth
			if buf, i, ok = s.more(i); !ok {
				why = endAtValue
				goto refused
			}
		}
		if c = buf[i]; c > ' ' {
			break
		}
		if !isSpace(c) {
			why = badValue
			goto refused
		}
		i++
		if i < len(buf) && buf[i] == ' ' {
			i = indentation(buf, i)
		}
	}
	if s.valuesLeft--; s.valuesLeft|s.decodedLeft < 0 {
		why = tooMuch
		goto refused
	}
	switch c {
	case '"':
		goto stringValue
	case '{', '[':
		goto open
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		goto number
	case 't':
		if i+4 <= len(buf) && string(buf[i:i+4]) == "true" {
			i += 4
			s.m.Booleans++
			goto after
		}
	case 'f':
		if i+5 <= len(buf) && string(buf[i:i+5]) == "false" {
			i += 5
			s.m.Booleans++
			goto after
		}
	case 'n':
		if i+4 <= len(buf) && string(buf[i:i+4]) == "null" {
			i += 4
			s.m.Nulls++
			goto after
		}
	default:
		why = badValue
		goto refused
	}
	s.depth, s.entries, s.kind = depth, entries, kind
	if i, ok = s.literal(i, c); !ok {
		return
	}
	buf = s.buf
	goto after

stringValue:
	s.m.Strings++
	i++
	start = i
	i = plain(buf, i)
	if i < len(buf) && buf[i] == '"' {
		size := int64(i - start)
		i++
		left := s.decodedLeft - size - anycost.String
		if left < 0 {
			why = stringCrossed
			goto refused
		}
		if uint64(size) > s.m.LongestString {
			if size > s.maxString {
				why = stringCrossed
				goto refused
			}
			s.m.LongestString = uint64(size)
		}
		s.decodedLeft = left
		s.m.TextBytes += uint64(size)
		goto after
	}
	s.depth, s.entries, s.kind = depth, entries, kind
	if i, ok = s.stringValue(i, start); !ok {
		return
	}
	buf = s.buf
	goto after

number:
	// Of a number of up to shortNumber bytes, all bytes and the one behind
	// it are in the window. Longer ones leave to longNumber.
	start = i
	if s.shortNumbers && i < len(buf)-shortNumber {
		if c == '-' {
			i++
			c = buf[i]
		}
		if c-'0' > 9 {
			goto longNumber
		}
		i++
		if c == '0' {
			if c = buf[i]; c-'0' <= 9 {
				goto longNumber
			}
		} else {
			// Integers are mostly short, and a loop that ends where the last
			// ones did is predicted; fractions are mostly long.
			for c = buf[i]; c-'0' <= 9; c = buf[i] {
				if i > start+4 {
					marks := notDigit(load(buf, i))
					if marks == 0 {
						i += 8
						if marks = notDigit(load(buf, i)); marks == 0 {
							goto longNumber
						}
					}
					i += bits.TrailingZeros64(marks) >> 3
					c = buf[i]
					break
				}
				i++
			}
		}
		if c == '.' {
			i++
			marks := notDigit(load(buf, i))
			if marks == 0 {
				i += 8
				if marks = notDigit(load(buf, i)); marks == 0 {
					i += 8
					if marks = notDigit(load(buf, i)); marks == 0 {
						goto longNumber
					}
				}
			} else if marks&0x80 != 0 {
				goto longNumber
			}
			i += bits.TrailingZeros64(marks) >> 3
			c = buf[i]
		}
		if c|0x20 == 'e' {
			i++
			if c = buf[i]; c == '+' || c == '-' {
				i++
			}
			if buf[i]-'0' > 9 {
				goto longNumber
			}
			i++
			if buf[i]-'0' <= 9 {
				i++
				if buf[i]-'0' <= 9 {
					goto longNumber
				}
			}
		}
		s.m.Numbers++
		if size := uint64(i - start); size > s.m.LongestNumber {
			s.m.LongestNumber = size
		}
		if s.decodedLeft -= anycost.Number; s.decodedLeft < 0 {
			i = start
			why = tooLarge
			goto refused
		}
		goto after
	}
longNumber:
	s.depth, s.entries, s.kind = depth, entries, kind
	if i, ok = s.number(start); !ok {
		return
	}
	buf = s.buf
	goto after

open: // a container begins
	if c == '[' {
		s.m.Arrays++
		s.decodedLeft -= anycost.Slice
	} else {
		s.m.Objects++
		s.decodedLeft -= anycost.Map
	}
	if s.decodedLeft < 0 {
		why = tooLarge
		goto refused
	}
	if int64(depth) >= s.maxDepth {
		why = tooDeep
		goto refused
	}
	levels[depth&levelMask] = uint64(entries)<<kindBits | uint64(kind)
	if uint(depth) < nameLevels {
		s.namePos[depth] = noName
	} else {
		s.setDeepName(depth, noName)
	}
	depth++
	if depth&levelMask == 0 {
		levels = s.pageOf(depth)
	}
	if uint64(depth) > s.m.Depth {
		s.m.Depth = uint64(depth)
	}
	i++
	entries = 0
	if c == '{' {
		kind = inObject
		goto name
	}
	kind = inArray
	for {
		if uint(i) >= uint(len(buf)) {
			s.depth = depth
			if buf, i, ok = s.more(i); !ok {
				why = endAtValue
				goto refused
			}
		}
		if c = buf[i]; c > ' ' {
			break
		}
		if !isSpace(c) {
			why = badValue
			goto refused
		}
		i++
		if i < len(buf) && buf[i] == ' ' {
			i = indentation(buf, i)
		}
	}
	if c == ']' {
		i++
		goto closed
	}
	entries = 1
	s.decodedLeft -= anycost.Slot
	goto value

name: // a name has to begin here, or the first may be missing
	for {
		if uint(i) >= uint(len(buf)) {
			s.depth = depth
			if buf, i, ok = s.more(i); !ok {
				why = endAtName
				goto refused
			}
		}
		if c = buf[i]; c > ' ' {
			break
		}
		if !isSpace(c) {
			why = badName
			goto refused
		}
		i++
		if i < len(buf) && buf[i] == ' ' {
			i = indentation(buf, i)
		}
	}
	if c != '"' {
		if c == '}' && entries == 0 {
			i++
			goto closed
		}
		why = badName
		goto refused
	}
	entries++
	if entries > s.maxEntries {
		why = tooManyEntries
		goto refused
	}
	if entries == 1 || entries > 8 {
		s.decodedLeft -= int64(anycost.MapStep(uint64(entries)))
	}
	i++
	start = i
	if uint(depth-1) < nameLevels {
		s.namePos[depth-1] = i
	} else {
		s.setDeepName(depth-1, i)
	}
	i = plain(buf, i)
	if i < len(buf) && buf[i] == '"' {
		size := int64(i - start)
		i++
		left := s.decodedLeft - size
		if left < 0 {
			why = nameCrossed
			goto refused
		}
		if uint64(size) > s.m.LongestName {
			if size > s.maxName {
				why = nameCrossed
				goto refused
			}
			s.m.LongestName = uint64(size)
		}
		s.decodedLeft = left
		s.m.Names++
		s.m.TextBytes += uint64(size)
		if checks {
			s.depth, s.entries, s.kind = depth, entries, kind
			s.plainName(buf[start:i-1], start)
		}
		goto colon
	}
	s.depth, s.entries, s.kind = depth, entries, kind
	if i, ok = s.name(i, start); !ok {
		return
	}
	buf = s.buf

colon:
	for {
		if uint(i) >= uint(len(buf)) {
			s.depth = depth
			if buf, i, ok = s.more(i); !ok {
				why = endAtColon
				goto refused
			}
		}
		if c = buf[i]; c == ':' {
			i++
			goto value
		}
		if !isSpace(c) {
			why = badColon
			goto refused
		}
		i++
	}

closed: // the innermost container has ended
	if kind == inArray {
		if uint64(entries) > s.m.MostElements {
			s.m.MostElements = uint64(entries)
		}
	} else {
		if uint64(entries) > s.m.MostEntries {
			s.m.MostEntries = uint64(entries)
		}
		if checks {
			s.closeNames(depth)
		}
	}
	if depth&levelMask == 0 {
		levels = s.pageOf(depth - 1)
	}
	depth--
	{
		outer := levels[depth&levelMask]
		entries, kind = int64(outer>>kindBits), kindOf(outer)
	}

after: // a value has ended
	for {
		if uint(i) >= uint(len(buf)) {
			s.depth = depth
			if buf, i, ok = s.more(i); !ok {
				if kind == inRoot {
					goto done
				}
				why = endAfter
				goto refused
			}
		}
		c = buf[i]
		if kind == inObject {
			if c == ',' {
				i++
				goto name
			}
			if c == '}' {
				i++
				goto closed
			}
		} else if kind == inArray {
			if c == ',' {
				i++
				entries++
				if entries > s.maxElements {
					why = tooManyElements
					goto refused
				}
				s.decodedLeft -= anycost.Slot
				goto value
			}
			if c == ']' {
				i++
				goto closed
			}
		}
		if !isSpace(c) {
			why = badAfter
			goto refused
		}
		i++
		if c == '\n' && kind == inRoot {
			s.newLine = true
		}
		if i < len(buf) && buf[i] == ' ' {
			i = indentation(buf, i)
		}
	}

refused:
	s.depth, s.entries, s.kind = depth, entries, kind
	s.refuse(why, i, start)
	return

done:
	s.m.Complete = s.readErr == nil
	s.m.Length = uint64(s.base) + uint64(i)
}

func kindOf(packed uint64) kind { return kind(packed & (1<<kindBits - 1)) }

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }
