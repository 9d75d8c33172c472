package rule_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/rule"
)

func TestExcerpt(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		max      int
		want     string
	}{
		{"plain", "report.csv", 100, "report.csv"},
		{"empty", "", 100, ""},
		{"printable beyond ASCII", "größe 尺寸 🙂", 100, "größe 尺寸 🙂"},
		{"exactly max", "abc", 3, "abc"},
		{"one above max", "abcd", 3, "abc…"},
		{"nothing allowed", "abc", 0, "…"},
		{"cut between characters", "aé", 2, "a…"},
		{"terminal escape", "\x1b[31mred\a", 100, `\x1b[31mred\x07`},
		{"lines", "a\r\nb\tc", 100, `a\x0d\x0ab\x09c`},
		{"zero and delete", "\x00\x7f", 100, `\x00\x7f`},
		{"C1 controls", "\u009b31m\u0085", 100, `\u{9b}31m\u{85}`},
		{"not UTF-8", "a\xffb\xc3", 100, `a\xffb\xc3`},
		{"surrogate half", "\xed\xa0\x80", 100, `\xed\xa0\x80`},
		{"replacement character itself", "\ufffd", 100, "\ufffd"},
		{"bidirectional override", "txt.\u202egpj", 100, `txt.\u{202e}gpj`},
		{"isolates and marks", "\u2066\u200f", 100, `\u{2066}\u{200f}`},
		{"zero width", "a\u200bb\ufeff", 100, `a\u{200b}b\u{feff}`},
		{"line and paragraph separators", "\u2028\u2029", 100, `\u{2028}\u{2029}`},
		{"spaces that look like others", "a\u00a0b\u3000", 100, `a\u{a0}b\u{3000}`},
		{"tag characters", "\U000e0041", 100, `\u{e0041}`},
		{"backslash, so that no escape can be faked", `\x1b`, 100, `\\x1b`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, rule.Excerpt(tt.in, tt.max))
			require.Equal(t, tt.want, rule.Excerpt([]byte(tt.in), tt.max))
		})
	}
}

func TestExcerptIsBounded(t *testing.T) {
	out := rule.Excerpt(strings.Repeat("\x00", 1<<20), 255)
	require.Equal(t, strings.Repeat(`\x00`, 255)+"…", out)
}
