package jsoncheck

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/harden-input/harden/internal/jsonbench"
)

// BenchmarkMeasure compares, in one run, default limits without checks to
// encoding/json (which does not look at UTF-8) and to jsontext (which does,
// here without its check for duplicate names).
func BenchmarkMeasure(b *testing.B) {
	texts := append(jsonbench.GoFiles(b), jsonbench.Text{Name: "log", Text: jsonbench.Log(200 << 20)})
	lim := DefaultLimits()
	lim.MaxDecodedSize = 0 // the log takes more
	for _, text := range texts {
		b.Run(text.Name+"/jsoncheck", func(b *testing.B) {
			benchmarkText(b, text.Text, func(text []byte) bool {
				_, err := Measure(text, lim)
				return err == nil
			})
		})
		b.Run(text.Name+"/encoding-json", func(b *testing.B) { benchmarkText(b, text.Text, json.Valid) })
		b.Run(text.Name+"/jsontext", func(b *testing.B) {
			benchmarkText(b, text.Text, func(text []byte) bool {
				return jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true))
			})
		})
	}
}

func benchmarkText(b *testing.B, text []byte, valid func([]byte) bool) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if !valid(text) {
			b.Fatal("text was refused")
		}
	}
}

// BenchmarkChecks tells what the optional checks cost, beside jsontext with
// its own check for duplicate names.
func BenchmarkChecks(b *testing.B) {
	for _, text := range jsonbench.GoFiles(b) {
		for _, c := range []struct {
			name   string
			checks Checks
		}{{"none", 0}, {"duplicates", DuplicateKeys}, {"folded", FoldedKeys}, {"surrogates", LoneSurrogates}, {"all", DuplicateKeys | FoldedKeys | LoneSurrogates}} {
			b.Run(text.Name+"/"+c.name, func(b *testing.B) {
				lim := DefaultLimits()
				lim.Checks = c.checks
				benchmarkText(b, text.Text, func(text []byte) bool {
					_, err := Measure(text, lim)
					return err == nil
				})
			})
		}
		b.Run(text.Name+"/jsontext-duplicates", func(b *testing.B) {
			benchmarkText(b, text.Text, func(text []byte) bool { return jsontext.Value(text).IsValid() })
		})
	}
}

// BenchmarkReader measures a stream, in the reads of 32 KiB that a gzip layer makes.
func BenchmarkReader(b *testing.B) {
	for _, text := range jsonbench.GoFiles(b) {
		b.Run(text.Name, func(b *testing.B) {
			benchmarkText(b, text.Text, func(text []byte) bool {
				_, err := MeasureReader(&chunks{text, 32 << 10}, int64(len(text)), DefaultLimits())
				return err == nil
			})
		})
	}
}

// BenchmarkRecords measures 10 MB of newline-delimited JSON line by line.
func BenchmarkRecords(b *testing.B) {
	text := jsonbench.Records(10 << 20)
	for _, c := range []struct {
		name   string
		checks Checks
	}{{"no checks", 0}, {"all checks", DuplicateKeys | FoldedKeys | LoneSurrogates}} {
		b.Run(c.name, func(b *testing.B) {
			lim := DefaultLimits()
			lim.Checks = c.checks
			scanner := NewScanner(lim)
			benchmarkText(b, text, func(text []byte) bool {
				for len(text) > 0 {
					n := bytes.IndexByte(text, '\n')
					if _, err := scanner.Measure(text[:n]); err != nil {
						return false
					}
					text = text[n+1:]
				}
				return true
			})
		})
	}
}

// BenchmarkTokens measures one kind of token at a time.
func BenchmarkTokens(b *testing.B) {
	rows := func(unit string) string {
		return "[" + strings.Repeat(unit+",", 1<<20/len(unit)) + unit + "]"
	}
	for _, c := range []struct{ name, text string }{
		{"strings of 4", rows(`"abcd"`)}, {"strings of 16", rows(`"abcdefghijklmnop"`)}, {"strings of 100", rows(`"` + strings.Repeat("x", 100) + `"`)},
		{"strings of 64 KiB", rows(`"` + strings.Repeat("x", 64<<10) + `"`)},
		{"two-byte characters", rows(`"` + strings.Repeat("é", 50) + `"`)}, {"three-byte characters", rows(`"` + strings.Repeat("€", 33) + `"`)},
		{"four-byte characters", rows(`"` + strings.Repeat("😀", 25) + `"`)}, {"mixed characters", rows(`"` + strings.Repeat("aé €x😀", 10) + `"`)},
		{"short escapes", rows(`"` + strings.Repeat(`\n`, 50) + `"`)}, {"long escapes", rows(`"` + strings.Repeat(`\u20ac`, 20) + `"`)}, {"surrogate pairs", rows(`"` + strings.Repeat(`\ud83d\ude00`, 10) + `"`)},
		{"spaces", rows("0" + strings.Repeat(" ", 200))}, {"indentation", rows("\n" + strings.Repeat(" ", 20) + "0")}, {"tabs", rows("\n\t\t\t\t0")},
		{"digits", rows("7")}, {"integers", rows("1234567")}, {"long integers", rows("1234567890123456789")}, {"decimals", rows("-65.613616999999977")}, {"exponents", rows("1.5e-10")},
		{"literals", rows("true,false,null")}, {"empty arrays", rows("[]")}, {"empty objects", rows("{}")}, {"members", rows(`{"a":1,"b":2}`)},
		{"depth", strings.Repeat("[", 1<<19) + strings.Repeat("]", 1<<19)},
	} {
		b.Run(c.name, func(b *testing.B) {
			benchmarkText(b, []byte(c.text), func(text []byte) bool {
				_, err := Measure(text, Limits{})
				return err == nil
			})
		})
	}
}
