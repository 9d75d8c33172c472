package transcode

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/harden-input/harden/internal/pointer"
)

// keptNames is up to how many names a map leaves its set of names to the next
// one: to clear a large set for each of many small maps would cost too much.
const keptNames = 64

// object writes a map of n pairs. Keys become names: that two of them become
// the same is found by comparing what is written.
func (t *text) object(n int) error {
	t.out = append(t.out, '{')
	t.path = append(t.path, pointer.Segment{})
	level := len(t.path) - 1
	for len(t.names) <= level {
		t.names = append(t.names, nil)
	}
	if t.names[level] == nil {
		t.names[level] = map[string]struct{}{}
	}
	first := true
	for range n {
		at := t.pos
		if err := t.key(); err != nil {
			return err
		}
		if _, twice := t.names[level][string(t.name)]; twice {
			if !t.lossy {
				return t.refuse(keyCollision, at, "another key of the map has the same name in JSON; --lossy keeps the first", "")
			}
			t.skip()
			continue
		}
		if n > 1 {
			t.names[level][string(t.name)] = struct{}{}
		}
		if !first {
			t.out = append(t.out, ',')
		}
		first = false
		t.out = append(append(append(append(t.out, '"'), t.name...), '"'), ':')
		if err := t.value(); err != nil {
			return err
		}
	}
	if len(t.names[level]) > keptNames {
		t.names[level] = nil
	} else {
		clear(t.names[level])
	}
	t.path = t.path[:level]
	t.out = append(t.out, '}')
	return nil
}

// key reads the next key into name, escaped and without quotes, and makes it
// the last step of path.
func (t *text) key() error {
	v := t.next()
	t.name = t.name[:0]
	step := &t.path[len(t.path)-1]
	switch v.kind {
	case strKind:
		*step = pointer.Name(v.data)
		if err := t.checkUTF8(v); err != nil {
			return err
		}
		t.name = appendText(t.name, v.data)
		return nil
	case nilKind:
		t.name = append(t.name, "null"...)
	case boolKind:
		t.name = strconv.AppendBool(t.name, v.bits != 0)
	case intKind:
		t.name = strconv.AppendInt(t.name, int64(v.bits), 10)
	case uintKind:
		t.name = strconv.AppendUint(t.name, v.bits, 10)
	case floatKind:
		if f := math.Float64frombits(v.bits); math.IsNaN(f) || math.IsInf(f, 0) {
			t.name = append(t.name, formatNotFinite(f)...)
		} else {
			t.name = appendFloat(t.name, f)
		}
	case binKind:
		t.name = base64.StdEncoding.AppendEncode(t.name, v.data)
	default:
		at, ok := timestamp(v)
		if !ok {
			*step = pointer.Segment{}
			return t.refuse(keyType, v.at, "a key that is {detail} has no name in JSON", noun(v.kind))
		}
		t.name = append(t.name, at...)
	}
	*step = pointer.Name(append([]byte{}, t.name...))
	return nil
}

func noun(k kind) string {
	switch k {
	case arrayKind:
		return "an array"
	case mapKind:
		return "a map"
	}
	return "an ext"
}

// str writes a str, in pieces that end between characters.
func (t *text) str(v value) error {
	if err := t.checkUTF8(v); err != nil {
		return err
	}
	t.out = append(t.out, '"')
	for rest := v.data; len(rest) > 0; {
		n := min(len(rest), outBuffer)
		for n < len(rest) && n > outBuffer-utf8.UTFMax && !utf8.RuneStart(rest[n]) {
			n--
		}
		t.out = appendText(t.out, rest[:n])
		rest = rest[n:]
		if err := t.room(); err != nil {
			return err
		}
	}
	t.out = append(t.out, '"')
	return nil
}

func (t *text) checkUTF8(v value) error {
	if t.lossy || utf8.Valid(v.data) {
		return nil
	}
	return t.refuse(invalidUTF8, v.at, "a str that is not UTF-8 cannot be text in JSON; --lossy writes U+FFFD for each such byte", "")
}

// appendText writes s as it stands between the quotes of a JSON string. What
// could command a terminal is written as an escape: every character that is not
// printable, whether JSON demands it or not.
func appendText(b, s []byte) []byte {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			switch {
			case c == '"' || c == '\\':
				b = append(b, '\\', c)
			case c == '\n':
				b = append(b, '\\', 'n')
			case c == '\t':
				b = append(b, '\\', 't')
			case c < ' ' || c == 0x7f:
				b = appendEscape(b, uint16(c))
			default:
				b = append(b, c)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = appendEscape(b, utf8.RuneError)
		case unicode.IsPrint(r):
			b = append(b, s[i:i+n]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = appendEscape(appendEscape(b, uint16(high)), uint16(low))
		default:
			b = appendEscape(b, uint16(r))
		}
		i += n
	}
	return b
}

func appendEscape(b []byte, unit uint16) []byte {
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', hex[unit>>12], hex[unit>>8&15], hex[unit>>4&15], hex[unit&15])
}
