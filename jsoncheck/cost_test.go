package jsoncheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/jsonbench"
)

// repeat delivers unit again and again, and counts what was taken.
type repeat struct {
	unit  string
	times int
	taken int
	at    int
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.times == 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) && r.times > 0 {
		c := copy(p[n:], r.unit[r.at:])
		n += c
		if r.at += c; r.at == len(r.unit) {
			r.at = 0
			r.times--
		}
	}
	r.taken += n
	return n, nil
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestCleanTextsAllocateNothing(t *testing.T) {
	for _, text := range jsonbench.GoFiles(t) {
		require.Zero(t, testing.AllocsPerRun(3, func() {
			if _, err := Measure(text.Text, DefaultLimits()); err != nil {
				t.Error(err)
			}
		}), text.Name)
	}
}

func TestRecordsAllocateNothing(t *testing.T) {
	records := bytes.SplitAfter(jsonbench.Records(100_000), []byte("\n"))
	scanner := NewScanner(everyCheck())
	large := []byte("{" + numbered(20_000) + `"x":1}`)
	_, err := scanner.Measure(large)
	require.NoError(t, err)
	require.Zero(t, testing.AllocsPerRun(3, func() {
		for _, record := range records[:len(records)-1] {
			if m, err := scanner.Measure(record); err != nil || !m.Complete || !m.Violations.Empty() {
				t.Error(err)
			}
		}
	}))
}

func TestScannerForgetsTheTextBefore(t *testing.T) {
	scanner := NewScanner(everyCheck())
	var fresh, reused Measurement
	random := newRandom(7)
	for range 5000 {
		var text strings.Builder
		for range 1 + random.IntN(12) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		src := []byte(text.String())
		var freshErr, err error
		fresh, freshErr = Measure(src, everyCheck())
		if random.IntN(2) == 0 {
			reused, err = scanner.Measure(src)
		} else {
			reused, err = scanner.MeasureReader(&chunks{src, 3}, -1)
		}
		requireSame(t, fresh, freshErr, reused, err, text.String())
	}
}

// A depth limit refuses a flood of brackets after as many bytes as it allows
// levels, however long the flood is.
func TestDepthIsRefusedInConstantTime(t *testing.T) {
	flood := &repeat{unit: "[", times: 100 << 20}
	_, err := MeasureReader(flood, -1, DefaultLimits())
	require.ErrorContains(t, err, "json/depth at byte 500")
	require.LessOrEqual(t, flood.taken, windowSize)
}

// Without limits, levels take 8 bytes each.
func TestFourMillionLevels(t *testing.T) {
	const levels = 4_000_000
	text := []byte(strings.Repeat("[", levels) + strings.Repeat("]", levels))
	var m Measurement
	var err error
	used := allocated(func() { m, err = Measure(text, Limits{}) })
	require.NoError(t, err)
	require.True(t, m.Complete)
	require.Equal(t, uint64(levels), m.Depth)
	require.Less(t, used, uint64(8*levels*21/20+512<<10))

	requireChunkingChangesNothing(t, text[:len(text)-1], Limits{}, 1<<16)
}

// A pooled scanner does not keep what one deep text needed.
func TestDeepTextsAreForgotten(t *testing.T) {
	scanner := NewScanner(Limits{})
	_, err := scanner.Measure(bytes.Repeat([]byte("["), 1_000_000))
	require.Error(t, err)
	require.LessOrEqual(t, len(scanner.s.pages), keptPages)
	require.Nil(t, scanner.s.buf)
}

func TestReaderMemoryIsBounded(t *testing.T) {
	long := strings.Repeat("x", 10<<20)
	for name, r := range map[string]io.Reader{
		"many values":     io.MultiReader(strings.NewReader("["), &repeat{unit: `{"name":"value"},`, times: 1_000_000}, strings.NewReader("0]")),
		"white space":     io.MultiReader(&repeat{unit: " \n", times: 5 << 20}, strings.NewReader("0")),
		"a long string":   strings.NewReader(`"` + long + `"`),
		"a long name":     strings.NewReader(`{"` + long + `":1}`),
		"a long number":   strings.NewReader(strings.Repeat("1", 10<<20)),
		"a long fraction": strings.NewReader("0." + strings.Repeat("0", 10<<20)),
	} {
		t.Run(name, func(t *testing.T) {
			scanner := NewScanner(Limits{Checks: DuplicateKeys | FoldedKeys | LoneSurrogates})
			used := allocated(func() {
				m, err := scanner.MeasureReader(r, -1)
				require.NoError(t, err)
				require.True(t, m.Complete)
			})
			require.Less(t, used, uint64(512<<10))
		})
	}
}

// decodedSizeTexts are texts of all shapes that cost memory.
func decodedSizeTexts(t *testing.T) []jsonbench.Text {
	rows := func(unit string, n int) []byte {
		return []byte("[" + strings.Repeat(unit+",", n) + unit + "]")
	}
	texts := append(jsonbench.GoFiles(t),
		jsonbench.Text{Name: "empty objects", Text: rows("{}", 30_000)},
		jsonbench.Text{Name: "empty arrays", Text: rows("[]", 30_000)},
		jsonbench.Text{Name: "zeros", Text: rows("0", 30_000)},
		jsonbench.Text{Name: "numbers", Text: rows("1.5", 30_000)},
		jsonbench.Text{Name: "nulls", Text: rows("null", 30_000)},
		jsonbench.Text{Name: "empty strings", Text: rows(`""`, 30_000)},
		jsonbench.Text{Name: "short strings", Text: rows(`"abc"`, 30_000)},
		jsonbench.Text{Name: "strings of 40 bytes", Text: rows(`"0123456789012345678901234567890123456789"`, 15_000)},
		jsonbench.Text{Name: "strings of 2000 bytes", Text: rows(`"`+strings.Repeat("x", 2000)+`"`, 1000)},
		jsonbench.Text{Name: "escaped strings", Text: rows(`"`+strings.Repeat(`\u00e9`, 50)+`"`, 10_000)},
		jsonbench.Text{Name: "pairs", Text: rows("[1.5,2.5]", 15_000)},
		jsonbench.Text{Name: "objects of one member", Text: rows(`{"a":1}`, 10_000)},
		jsonbench.Text{Name: "objects of five members", Text: rows(`{"a":1,"b":"two","c":[3],"d":null,"e":{}}`, 10_000)},
		jsonbench.Text{Name: "nested arrays", Text: []byte(strings.Repeat("[", 9000) + strings.Repeat("]", 9000))},
		jsonbench.Text{Name: "nested objects", Text: []byte(strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000))},
		jsonbench.Text{Name: "log", Text: jsonbench.Log(1 << 20)},
	)
	for _, n := range []int{8, 9, 14, 15, 100, 1000, 5000, 60_000} {
		texts = append(texts, jsonbench.Text{Name: fmt.Sprintf("objects of %d members", n+1), Text: rows("{"+numbered(n)+`"x":0}`, 60_000/n)})
	}
	return texts
}

// live returns the heap bytes that decoding text leaves alive: the mean of as
// many copies as it takes for what else lives to matter little.
func live(t *testing.T, text []byte) uint64 {
	copies := make([]any, 1+(1<<20)/len(text))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools hold goes with the second
	runtime.ReadMemStats(&before)
	for i := range copies {
		require.NoError(t, json.Unmarshal(text, &copies[i]))
	}
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(copies)
	return (after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)) / uint64(len(copies))
}

func TestDecodedSizeAgainstHeap(t *testing.T) {
	if ^uint(0)>>32 == 0 {
		t.Skip("the estimate is of 64-bit machines")
	}
	for _, text := range decodedSizeTexts(t) {
		m, err := Measure(text.Text, Limits{})
		require.NoError(t, err, text.Name)
		heap := live(t, text.Text)
		t.Logf("%-28s estimate %9d, heap %9d, ratio %.2f", text.Name, m.DecodedSize, heap, float64(m.DecodedSize)/float64(heap))
		require.GreaterOrEqual(t, m.DecodedSize*2, heap, text.Name)
		require.LessOrEqual(t, m.DecodedSize, heap*2, text.Name)
	}
}

func TestDecodedSizeIsRefusedWhereItIsCrossed(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"empty objects", `[{},{},{},{}]`}, {"strings", `["aaaa","\u00e9\n","cc"]`}, {"members", `{"a":1,"b":2,"c":{"d":[null,true,1.5]}}`},
		{"names", `{"` + strings.Repeat("n", 50) + `":0}`}, {"large object", "{" + numbered(40) + `"x":0}`}, {"string", `"` + strings.Repeat("x", 50) + `"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := []byte(c.text)
			m, err := Measure(text, Limits{})
			require.NoError(t, err)
			for limit := uint64(1); limit <= m.DecodedSize+1; limit += 1 + limit/64 {
				lim := Limits{MaxDecodedSize: limit}
				_, err := Measure(text, lim)
				require.Equal(t, limit < m.DecodedSize, err != nil, "limit %d of %d", limit, m.DecodedSize)
				requireChunkingChangesNothing(t, text, lim, 1, 9)
			}
			_, err = Measure(text, Limits{MaxDecodedSize: m.DecodedSize})
			require.NoError(t, err)
			_, err = Measure(text, Limits{MaxDecodedSize: m.DecodedSize - 1})
			require.ErrorContains(t, err, "json/decoded-size")
		})
	}
}
