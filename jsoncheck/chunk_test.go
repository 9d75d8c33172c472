package jsoncheck

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/rule"
)

// chunks is a reader of text that delivers at most size bytes at a time.
type chunks struct {
	text []byte
	size int
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.text) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.size)], c.text)
	c.text = c.text[n:]
	return n, nil
}

// finding is a violation without what only one of slice and reader knows.
type finding struct {
	Rule, Pointer, Text string
	Offset              int64
}

func findings(m *Measurement) []finding {
	var list []finding
	for _, v := range m.Violations.Kept() {
		list = append(list, finding{v.Rule.ID, v.Pointer, v.Text(), v.Offset})
	}
	return list
}

// requireSame asserts that a pass over a reader found the same as one over a
// slice, in every respect.
func requireSame(t *testing.T, whole Measurement, wholeErr error, chunked Measurement, chunkedErr error, text string) {
	t.Helper()
	require.Equal(t, findings(&whole), findings(&chunked), text)
	require.Equal(t, fmt.Sprint(wholeErr), fmt.Sprint(chunkedErr), text)
	require.Equal(t, whole.Violations.Total(), chunked.Violations.Total(), text)
	whole.Violations, chunked.Violations = rule.List{}, rule.List{}
	require.Equal(t, whole, chunked, text)
}

// everyCheck is the default limits with all checks.
func everyCheck() Limits {
	lim := DefaultLimits()
	lim.Checks = DuplicateKeys | FoldedKeys | LoneSurrogates
	return lim
}

func requireChunkingChangesNothing(t *testing.T, text []byte, lim Limits, sizes ...int) {
	t.Helper()
	whole, wholeErr := Measure(text, lim)
	for _, size := range sizes {
		chunked, err := MeasureReader(&chunks{text, size}, int64(len(text)), lim)
		requireSame(t, whole, wholeErr, chunked, err, string(text[:min(len(text), 200)]))
	}
}

func TestChunkingChangesNothingInConformanceFiles(t *testing.T) {
	for _, lim := range []Limits{everyCheck(), {}, tightLimits()} {
		for _, text := range conformanceFiles(t, "") {
			requireChunkingChangesNothing(t, text, lim, 1, 2, 3, 7, 4096, 1<<20)
		}
	}
}

// tightLimits are limits that small texts cross.
func tightLimits() Limits {
	return Limits{
		MaxDepth: 3, MaxStringLength: 9, MaxNameLength: 5, MaxNumberLength: 6, MaxExponent: 5,
		MaxObjectEntries: 2, MaxArrayElements: 4, MaxValues: 12, MaxDecodedSize: 900, MaxTrackedKeys: 2,
		Checks: DuplicateKeys | FoldedKeys | LoneSurrogates,
	}
}

// pieces are parts of texts that, one after another, make both valid texts and
// all kinds of invalid ones.
var pieces = []string{
	"{", "}", "[", "]", ",", ":", " ", "\n", "\t", "\r\n", `"`, `"a"`, `"a":`, `"A":1`, `"\u0061":2`, `"name"`, "1", "-0", "12345678901234567890",
	"0.5", "1e5", "-1E-7", "1e400", "0.000001", "true", "false", "null", "nul", `\`, `\n`, `\u00e9`, `\ud83d\ude00`, `\ud800`, `\udc00`, `\u12`,
	"é", "€", "😀", "\xff", "\xe2\x82", "\xed\xa0\x80", "\x01", `"long string with plain text in it"`, "        ", "[]", "{}", "[[]]", `{"a":{"a":[1,2]}}`,
}

func TestChunkingChangesNothingInRandomTexts(t *testing.T) {
	random := newRandom(1)
	for range 20_000 {
		var text strings.Builder
		for range 1 + random.IntN(12) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		lim := everyCheck()
		if random.IntN(4) > 0 {
			lim = limitsFrom(random.Uint64())
		}
		requireChunkingChangesNothing(t, []byte(text.String()), lim, 1, 1+random.IntN(9))
	}
}

// Texts longer than the window make it slide, at any place in a token.
func TestChunkingChangesNothingAcrossSlides(t *testing.T) {
	for _, unit := range []string{
		`{"name":"value","number":-12.5e3,"list":[true,false,null,{}],"escaped\u0041":"\ud83d\ude00\n"},`,
		`{"é€😀":"é€😀éé€€😀😀"},   `,
		`"` + strings.Repeat("x", 1000) + `",`,
		`{"` + strings.Repeat(`n\u0061`, 300) + `":1},`,
		"1" + strings.Repeat("234567890", 50) + ",",
		"[[[[[[[[]]]]]]]],\n\t\t\t\t                    ",
	} {
		text := []byte("[" + strings.Repeat(unit, 4*windowSize/len(unit)) + "0]")
		for _, cut := range []int{len(text), len(text) - 1, windowSize + 1, windowSize, windowSize - 1, 2*windowSize + 77} {
			requireChunkingChangesNothing(t, text[:cut], everyCheck(), 1000, 4096, 1<<20)
		}
		requireChunkingChangesNothing(t, append(text, 'x'), everyCheck(), 1, 333)
	}
}

// A violation behind a slide names members whose names have left the window.
func TestPointerOfNamesThatLeftTheWindow(t *testing.T) {
	filler := `"` + strings.Repeat("x", windowSize) + `"`
	for _, c := range []struct{ name, text, pointer string }{
		{"names before the window", `{"a\u0062":{"c":[` + filler + `,{"d":` + filler + `,"e":x`, "/ab/c/1/e"},
		{"name longer than the window", `{"` + strings.Repeat("n", windowSize*2) + `":[` + filler + `,x`, "/" + strings.Repeat("n", 64) + "…/1"},
		{"escapes longer than the window", `{"` + strings.Repeat(`\u0061`, windowSize) + `":[` + filler + `,x`, "/" + strings.Repeat("a", 64) + "…/1"},
		{"empty name", `{"":` + filler + `,"":[` + filler + `,x`, "//1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, size := range []int{1, 1000, 1 << 20} {
				m, err := MeasureReader(&chunks{[]byte(c.text), size}, -1, Limits{})
				require.Error(t, err)
				require.Equal(t, c.pointer, m.Violations.Kept()[0].Pointer)
			}
			requireChunkingChangesNothing(t, []byte(c.text), Limits{}, 1<<20)
		})
	}
}

func TestPointerBelowTheLevelsKept(t *testing.T) {
	open := strings.Repeat(`{"n":[`, 1000)
	for _, text := range []string{
		open + "x",
		open + strings.Repeat("[", 100) + strings.Repeat("]", 100) + ",x",
		open + strings.Repeat(`{"deep":`, 100) + "1" + strings.Repeat("}", 100) + ",x",
		open + strings.Repeat(`{"deep":`, 100) + "1" + strings.Repeat("}", 90) + ",x",
	} {
		requireChunkingChangesNothing(t, []byte(text), Limits{}, 1, 100, 1<<20)
	}
	_, err := Measure([]byte(open+"x"), Limits{})
	var v *rule.Violation
	require.ErrorAs(t, err, &v)
	require.True(t, strings.HasSuffix(v.Pointer, "/n/0/n/0"), v.Pointer)
}

func TestReaderErrorLeavesTheTextUnjudged(t *testing.T) {
	for _, text := range []string{"", "[1,2", `"abc`, "12", `{"a"`, "{}", "tr"} {
		r := io.MultiReader(strings.NewReader(text), iotest.ErrReader(io.ErrUnexpectedEOF))
		m, err := MeasureReader(r, -1, everyCheck())
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, text)
		require.False(t, m.Complete, text)
		require.True(t, m.Violations.Empty(), text)
	}
}

func TestReaderWithoutProgress(t *testing.T) {
	_, err := MeasureReader(iotest.ErrReader(nil), -1, Limits{})
	require.ErrorIs(t, err, io.ErrNoProgress)
}

func TestReaderThatEndsWithItsLastBytes(t *testing.T) {
	m, err := MeasureReader(iotest.DataErrReader(bytes.NewReader([]byte("[1]"))), 3, Limits{})
	require.NoError(t, err)
	require.True(t, m.Complete)
}
