package jsoncheck

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Inputs that parsers are known to disagree about or to suffer from, and what
// is said of each: every violation as "rule at offset", none for a clean text.
func TestJudgedInputs(t *testing.T) {
	wide := func(s string) string { // as UTF-16, little end first
		return strings.Join(strings.Split(s, ""), "\x00") + "\x00"
	}
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"100000 open arrays", strings.Repeat("[", 100_000), []string{"depth at 500"}},
		{"50000 open objects in arrays", strings.Repeat(`[{"":`, 50_000), []string{"depth at 1250"}},
		{"depth at the limit", strings.Repeat("[", 500) + strings.Repeat("]", 500), nil},
		{"depth above the limit", strings.Repeat("[", 501) + strings.Repeat("]", 501), []string{"depth at 500"}},

		{"exponent of nine digits", `1e999999999`, []string{"exponent at 0"}},
		{"negative exponent of nine digits", `-1e-999999999`, []string{"exponent at 0"}},
		{"integer of a million digits", strings.Repeat("9", 1_000_000), []string{"number-length at 0"}},
		{"fraction of a million digits", "0." + strings.Repeat("0", 1_000_000), []string{"number-length at 0"}},
		{"leading zero", `01`, []string{"syntax at 1"}},
		{"plus sign", `+1`, []string{"syntax at 0"}},
		{"no integer part", `.5`, []string{"syntax at 0"}},
		{"no fraction", `1.`, []string{"truncated at 2"}},
		{"no fraction in an array", `[1.]`, []string{"syntax at 3"}},
		{"hexadecimal number", `0x1`, []string{"trailing-data at 1"}},
		{"NaN", `NaN`, []string{"syntax at 0"}},
		{"Infinity", `Infinity`, []string{"syntax at 0"}},
		{"lone minus", `-`, []string{"truncated at 1"}},
		{"minus and space", `- 1`, []string{"syntax at 1"}},
		{"empty exponent", `1e`, []string{"truncated at 2"}},
		{"exponent of a sign", `[1e+]`, []string{"syntax at 4"}},
		{"negative zero", `-0`, nil},

		{"duplicate key behind an escape", `{"a":1,"\u0061":2}`, []string{"duplicate-key at 7"}},
		{"keys that differ in case", `{"a":1,"A":2}`, []string{"duplicate-key-fold at 7"}},
		{"lone surrogate", `"\ud800"`, []string{"lone-surrogate at 1"}},
		{"surrogates in the wrong order", `"\udd1e\ud834"`, []string{"lone-surrogate at 1", "lone-surrogate at 7"}},
		{"second surrogate cut off", `"\ud834\udd"`, []string{"lone-surrogate at 1", "syntax at 11"}},

		{"invalid UTF-8", "\"\xff\"", []string{"utf8 at 1"}},
		{"overlong UTF-8", "\"\xc0\x80\"", []string{"utf8 at 1"}},
		{"UTF-8 cut off at the end", "\"\xe2\x82", []string{"truncated at 3"}},
		{"byte order mark", "\xef\xbb\xbf{}", []string{"bom at 0"}},
		{"byte order mark and nothing", "\xef\xbb\xbf", []string{"bom at 0", "truncated at 3"}},
		{"UTF-16", wide(`{"a":1}`), []string{"syntax at 1"}},
		{"UTF-16 with a mark", "\xff\xfe" + wide(`[]`), []string{"syntax at 0"}},
		{"UTF-32", "\x00\x00\x00[\x00\x00\x00]", []string{"syntax at 0"}},
		{"control character", "\"\n\"", []string{"syntax at 1"}},
		{"DEL", "\"\x7f\"", nil},
		{"bad escape", `"\x"`, []string{"syntax at 2"}},
		{"octal escape", `"\0"`, []string{"syntax at 2"}},
		{"capital U escape", `"\U0041"`, []string{"syntax at 2"}},
		{"bad digit of an escape", `"\u00G0"`, []string{"syntax at 5"}},
		{"bad escape far into a string", `"` + strings.Repeat("x", 33) + `\z"`, []string{"syntax at 35"}},
		{"escaped NUL", `"\u0000"`, nil},

		{"trailing comma in an array", `[1,]`, []string{"syntax at 3"}},
		{"trailing comma in an object", `{"a":1,}`, []string{"syntax at 7"}},
		{"lone comma", `,`, []string{"syntax at 0"}},
		{"missing comma", `[1 2]`, []string{"syntax at 3"}},
		{"single quotes", `{'a':1}`, []string{"syntax at 1"}},
		{"comment", `[1/*x*/]`, []string{"syntax at 2"}},
		{"unquoted name", `{a:1}`, []string{"syntax at 1"}},
		{"garbage behind the value", `{}x`, []string{"trailing-data at 2"}},
		{"two values", `{}{}`, []string{"trailing-data at 2"}},
		{"NUL behind the value", "{}\x00", []string{"trailing-data at 2"}},
		{"record separator of RFC 7464", "\x1e{}\n", []string{"syntax at 0"}},
		{"nothing", ``, []string{"truncated at 0"}},
		{"white space only", " \n\t\r ", []string{"truncated at 5"}},
		{"a mebibyte of spaces", strings.Repeat(" ", 1<<20) + "0", nil},
		{"no-break space", "\u00a0{}", []string{"syntax at 0"}},
		{"form feed", "\f{}", []string{"syntax at 0"}},
		{"line separator", "[\u2028]", []string{"syntax at 1"}},

		{"string above the limit", `"` + strings.Repeat("x", 64<<20) + `y"`, []string{"string-length at 0"}},
		{"name of 60000 bytes", `{"` + strings.Repeat("x", 60_000) + `":1}`, []string{"name-length at 1"}},
		{"a million members", "{" + numbered(1_000_000) + `"x":0}`, []string{"object-entries at 3034619"}},
		{"a million elements", "[" + strings.Repeat("0,", 1_000_000) + "0]", nil},
		{"a million empty objects", "[" + strings.Repeat("{},", 1_000_000) + "{}]", nil},
		{"nine million empty objects", "[" + strings.Repeat("{},", 9_000_000) + "{}]", []string{"decoded-size at 25165822"}},
		{"top-level string", `"x"`, nil},
		{"top-level number", `12`, nil},
		{"top-level null", `null`, nil},
		{"literal cut off", `tru`, []string{"truncated at 3"}},
		{"literal misspelt", `trux`, []string{"syntax at 3"}},
		{"literal too long", `nulll`, []string{"trailing-data at 4"}},
		{"limit crossed by the last byte", "[" + strings.Repeat(" ", windowSize-1001) + strings.Repeat("1", 1001), []string{"number-length at 64536"}},
		{"run of commas", "[" + strings.Repeat(",", 1000), []string{"syntax at 1"}},
		{"run of colons", `{"a"` + strings.Repeat(":", 1000), []string{"syntax at 5"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, _ := Measure([]byte(c.text), everyCheck())
			var got []string
			stops := false
			for _, v := range m.Violations.Kept() {
				got = append(got, fmt.Sprintf("%s at %d", strings.TrimPrefix(v.Rule.ID, "json/"), v.Offset))
				stops = stops || v.Rule.Stops
			}
			require.Equal(t, c.want, got)
			require.Equal(t, !stops, m.Complete)
			if len(c.text) < 1<<20 {
				requireChunkingChangesNothing(t, []byte(c.text), everyCheck(), 1, 1000)
			}
		})
	}
}

func TestMessages(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"names the byte", `[1;2]`, `json/syntax at byte 2: found ';', expected a comma or ] after the element`},
		{"names a byte that cannot be shown", "[\xff]", `json/syntax at byte 1: found byte 0xff, expected a value`},
		{"names UTF-16", "\xfe\xff\x00[\x00]", `json/syntax at byte 0: text looks like UTF-16: JSON must be UTF-8`},
		{"names UTF-32", "[\x00\x00\x00]\x00\x00\x00", `json/syntax at byte 1: text looks like UTF-32: JSON must be UTF-8`},
		{"suggests records", "{}\n{}\n", `json/trailing-data at byte 3: a second value follows on another line: newline-delimited JSON is inspected as records`},
		{"does not suggest records on one line", "{} {}", `json/trailing-data at byte 3: found '{' after the end of the value`},
		{"states the limit", strings.Repeat("[", 501), `json/depth at byte 500: arrays and objects are nested more than 500 levels deep`},
		{"states the exponent", "1e401", `json/exponent at byte 0: number has a decimal exponent of magnitude 401, above 400`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Measure([]byte(c.text), DefaultLimits())
			require.EqualError(t, err, c.want)
		})
	}
}

func TestMeasurement(t *testing.T) {
	text := ` {"a":[1,-2.5,true,false,null,"é\n"],"longer":{"":{}},"b":[[]]} `
	m, err := Measure([]byte(text), everyCheck())
	require.NoError(t, err)
	require.Equal(t, Measurement{
		Complete: true, Length: uint64(len(text)),
		Nulls: 1, Booleans: 2, Numbers: 2, Strings: 1, Arrays: 3, Objects: 3, Names: 4,
		Depth: 3, LongestString: 4, LongestName: 6, LongestNumber: 4, MostElements: 6, MostEntries: 3,
		TextBytes:   3 + 1 + 6 + 0 + 1,
		DecodedSize: 3*48 + 2*288 + 3*24 + 7*16 + 2*8 + 16 + 11,
	}, m)
	require.Equal(t, uint64(12), m.Values())
}

// Texts that are cut off are never clean, except where what is left is a
// number by itself.
func TestTruncatedTextsAreNeverClean(t *testing.T) {
	complete := map[string]bool{"1": true, "12": true, "-1": true, "0": true, "1.5": true, "1.52": true, "1.52e1": true, "1e5": true}
	for _, text := range []string{
		`123`, `-12`, `0.0`, `1.52e10`, `1e55`, `true`, `false`, `null`, `"aé\u00e9\ud83d\ude00"`, `[]`, `{}`, `[1,"a",{"b":[null]}]`,
		`{"name":"value","x":{"y":[1.5e3,true]},"":""}`, " \n[1]", "\xef\xbb\xbf[1]",
	} {
		_, err := Measure([]byte(text), DefaultLimits())
		require.NoError(t, err, text)
		for n := range len(text) {
			prefix := text[:n]
			m, err := Measure([]byte(prefix), DefaultLimits())
			require.Equal(t, complete[prefix], err == nil, prefix)
			require.Equal(t, complete[prefix], m.Complete, prefix)
			if complete[prefix] || n < 3 && text[0] == 0xef { // a part of the mark is no text
				continue
			}
			kept := m.Violations.Kept()
			require.Equal(t, "json/truncated", kept[len(kept)-1].Rule.ID, prefix)
			require.Equal(t, int64(n), kept[len(kept)-1].Offset, prefix)
		}
	}
}
