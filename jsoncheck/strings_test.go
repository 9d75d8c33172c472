package jsoncheck

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/rule"
)

// edges is how far into a string a fault is moved: past every edge of 8, 16
// and 32 bytes, with room on both sides.
const edges = 80

// requireRefusedAt asserts that text breaks the rule at that offset, however
// it is delivered.
func requireRefusedAt(t *testing.T, text, id string, offset int) {
	t.Helper()
	_, err := Measure([]byte(text), Limits{})
	var v *rule.Violation
	require.ErrorAs(t, err, &v, text)
	require.Equal(t, id, v.Rule.ID, text)
	require.Equal(t, int64(offset), v.Offset, text)
	requireChunkingChangesNothing(t, []byte(text), Limits{}, 1, 5)
}

func TestBadEscapesAcrossEdges(t *testing.T) {
	for _, c := range []struct {
		name, fault string
		at          int // which byte of it is wrong
	}{
		{"hexadecimal", `\x41`, 1}, {"octal", `\0`, 1}, {"capital U", `\U0041`, 1}, {"line end", "\\\n", 1}, {"single quote", `\'`, 1}, {"not ASCII", `\é`, 1},
		{"first digit", `\uG000`, 2}, {"second digit", `\u0G00`, 3}, {"third digit", `\u00G0`, 4}, {"fourth digit", `\u000G`, 5},
		{"digits cut by a quote", `\u00"`, 4}, {"digits cut by an escape", `\u00\n`, 4}, {"high digit bits", "\\u00\xb00", 4},
		{"second half", `\ud834\uddGG`, 10}, {"second half cut off", `\ud834\udd"`, 10}, {"second half is no escape", `\ud834\x`, 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			for before := range edges {
				text := `["` + strings.Repeat("x", before) + c.fault + strings.Repeat("y", 40) + `"]`
				requireRefusedAt(t, text, "json/syntax", 2+before+c.at)
				name := `{"` + strings.Repeat("x", before) + c.fault + strings.Repeat("y", 40) + `":1}`
				requireRefusedAt(t, name, "json/syntax", 2+before+c.at)
			}
		})
	}
}

func TestControlCharactersAcrossEdges(t *testing.T) {
	for c := range 0x20 {
		for before := range edges {
			text := `"` + strings.Repeat("x", before) + string(rune(c)) + strings.Repeat("y", 20) + `"`
			requireRefusedAt(t, text, "json/syntax", 1+before)
		}
	}
}

func TestBadUTF8AcrossEdges(t *testing.T) {
	for _, c := range []struct{ name, fault string }{
		{"continuation", "\x80"}, {"last continuation", "\xbf"}, {"never used C0", "\xc0\x80"}, {"never used C1", "\xc1\xbf"}, {"never used F5", "\xf5\x80\x80\x80"}, {"never used FF", "\xff"},
		{"two bytes cut", "\xc3"}, {"two bytes cut by two", "\xc3\xc3\xa9"}, {"three bytes cut after one", "\xe2"}, {"three bytes cut after two", "\xe2\x82"}, {"four bytes cut after three", "\xf0\x9f\x98"},
		{"overlong in three", "\xe0\x9f\xbf"}, {"overlong in four", "\xf0\x8f\xbf\xbf"}, {"first surrogate", "\xed\xa0\x80"}, {"last surrogate", "\xed\xbf\xbf"}, {"above U+10FFFF", "\xf4\x90\x80\x80"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, filler := range []string{"x", "é", "€", "😀", "aé€😀"} {
				for n := range edges / len(filler) {
					for shift := range 4 {
						before := strings.Repeat("z", shift) + strings.Repeat(filler, n)
						for _, after := range []string{"yyyyyyyyyyyyyyyyyyy", "€€€€€€€€"} {
							requireRefusedAt(t, `"`+before+c.fault+after+`"`, "json/utf8", 1+len(before))
						}
					}
				}
			}
		})
	}
}

// Every sequence of two bytes, and every one of three and four with bytes at
// the borders of what is allowed, is judged as the standard library does, and
// behind strings of all lengths.
func TestUTF8AgreesWithTheStandardLibrary(t *testing.T) {
	borders := []byte{0x00, 0x1f, 0x20, 'a', 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff}
	judge := func(b string) {
		if strings.ContainsAny(b, "\x00\x1f\"\\") {
			return
		}
		for _, padding := range []string{"", "xxxxxxxx", "éé€€"} {
			text := []byte(`"` + padding + b + padding + `"`)
			_, err := Measure(text, Limits{})
			if (err == nil) != utf8.Valid(text) {
				require.Equal(t, utf8.Valid(text), err == nil, "%q", text)
			}
		}
	}
	for a := 0x80; a < 0x100; a++ {
		for b := range 0x100 {
			if b >= 0x20 {
				judge(string([]byte{byte(a), byte(b)}))
			}
		}
		for _, b := range borders {
			for _, c := range borders {
				judge(string([]byte{byte(a), b, c}))
				if a < 0xe0 {
					continue
				}
				for _, d := range []byte{0x7f, 0x80, 0xbf, 0xc0} {
					judge(string([]byte{byte(a), b, c, d}))
				}
			}
		}
	}
}

func TestGoodStringsAcrossEdges(t *testing.T) {
	for _, unit := range []string{"é", "€", "😀", `\n`, `\"`, `\\`, `\/`, `\u0000`, `\u00e9`, `\uABCD`, `\ud83d\ude00`, "\x7f", "\u2028", "߿ࠀ￿𐀀􏿿"} {
		for before := range edges {
			text := `"` + strings.Repeat("x", before) + strings.Repeat(unit, 3) + strings.Repeat("y", before%9) + `"`
			m, err := Measure([]byte(text), Limits{})
			require.NoError(t, err, text)
			require.Equal(t, uint64(len(text)-2), m.LongestString, text)
			requireChunkingChangesNothing(t, []byte(text), Limits{}, 1, 5)
		}
	}
}

func TestTextBytesAreUnescaped(t *testing.T) {
	for text, want := range map[string]int{
		`"abc"`: 3, `"\n\"\\\/"`: 4, `"\u0041"`: 1, `"\u00e9"`: 2, `"\u20ac"`: 3, `"\ud83d\ude00"`: 4,
		`"\ud83d"`: 3, `"\ude00\ud83d"`: 6, `"\ud83d\ud83d\ude00"`: 7, `"\ud83dx"`: 4, `"\ud83d\n"`: 4, `{"\u0041b":"c"}`: 3, `"é€😀"`: 9,
		`"` + strings.Repeat(`\u0041\u00e9\u20ac`, 20) + `"`: 120,
	} {
		m, err := Measure([]byte(text), Limits{})
		require.NoError(t, err, text)
		require.Equal(t, uint64(want), m.TextBytes, text)
	}
}

func TestLoneSurrogates(t *testing.T) {
	for text, offsets := range map[string][]int64{
		`"\ud800"`: {1}, `"\udc00"`: {1}, `"\udc00\ud800"`: {1, 7}, `"\ud800\ud800\udc00"`: {1}, `"\ud800\u0041"`: {1}, `"\ud800\n"`: {1}, `"\ud800x"`: {1},
		`"\ud800\udc00"`: nil, `"\uD834\uDD1E"`: nil, `{"\ud800":"\udfff"}`: {2, 11}, `"\\ud800"`: nil,
	} {
		m, err := Measure([]byte(text), everyCheck())
		require.NoError(t, err, text)
		var got []int64
		for _, v := range m.Violations.Kept() {
			require.Equal(t, "json/lone-surrogate", v.Rule.ID, text)
			got = append(got, v.Offset)
		}
		require.Equal(t, offsets, got, text)
		m, _ = Measure([]byte(text), DefaultLimits())
		require.True(t, m.Violations.Empty(), "not asked for")
	}
}
