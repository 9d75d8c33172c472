package fuzz

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/harden-input/harden/jsoncheck"
	"github.com/harden-input/harden/rule"
)

const everyJSONCheck = jsoncheck.DuplicateKeys | jsoncheck.FoldedKeys | jsoncheck.LoneSurrogates

func jsonList(m *jsoncheck.Measurement) *rule.List { return &m.Violations }

// peerDepth is how deep jsontext and encoding/json go.
const peerDepth = 10_000

// JSONMeasure holds that Measure takes what jsontext and encoding/json take.
// They differ by design where
//   - a byte order mark is skipped with a warning,
//   - half of a surrogate pair is invalid UTF-8 for jsontext,
//   - texts are deeper than both of them go,
//   - encoding/json takes invalid UTF-8.
func JSONMeasure(data []byte) int {
	m, err := jsoncheck.Measure(data, jsoncheck.Limits{Checks: jsoncheck.LoneSurrogates})
	completeness(m.Complete, &m.Violations)
	if m.Complete != (err == nil) {
		broken("complete is %t, error %v", m.Complete, err)
	}
	if m.Depth > peerDepth || m.Violations.Count("json/bom") > 0 {
		return worth(m.Complete)
	}
	lone := m.Violations.Count("json/lone-surrogate") > 0
	if valid := jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true)); valid != (err == nil && !lone) {
		broken("jsontext says %t, we %v", valid, err)
	}
	if m.Violations.Count("json/utf8") == 0 {
		if valid := json.Valid(data); valid != (err == nil) {
			broken("encoding/json says %t, we %v", valid, err)
		}
	}
	return worth(m.Complete)
}

// JSONCounts holds that a measurement of a valid text counts what jsontext reads
// token by token.
func JSONCounts(data []byte) int {
	m, err := jsoncheck.Measure(data, jsoncheck.Limits{Checks: everyJSONCheck})
	twice := m.Violations.Count("json/duplicate-key") + m.Violations.Count("json/duplicate-key-fold")
	if err != nil || m.Depth > peerDepth || m.Violations.Total() > twice {
		return ordinary // jsontext would not read it, or read it otherwise
	}
	var want jsoncheck.Measurement
	d := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true))
	for {
		kind, length := d.StackIndex(d.StackDepth())
		token, err := d.ReadToken()
		if err == io.EOF {
			break
		} else if err != nil {
			broken("jsontext: %v in a clean text", err)
		}
		switch token.Kind() {
		case 'n':
			want.Nulls++
		case 't', 'f':
			want.Booleans++
		case '0':
			want.Numbers++
			want.LongestNumber = max(want.LongestNumber, uint64(len(token.String())))
		case '{':
			want.Objects++
		case '[':
			want.Arrays++
		case '}':
			want.MostEntries = max(want.MostEntries, uint64(length)/2)
		case ']':
			want.MostElements = max(want.MostElements, uint64(length))
		case '"':
			if kind == '{' && length%2 == 0 {
				want.Names++
			} else {
				want.Strings++
			}
			want.TextBytes += uint64(len(token.String()))
		}
		want.Depth = max(want.Depth, uint64(d.StackDepth()))
	}
	got := jsoncheck.Measurement{
		Nulls: m.Nulls, Booleans: m.Booleans, Numbers: m.Numbers, Strings: m.Strings, Arrays: m.Arrays, Objects: m.Objects, Names: m.Names,
		Depth: m.Depth, LongestNumber: m.LongestNumber, MostEntries: m.MostEntries, MostElements: m.MostElements, TextBytes: m.TextBytes,
	}
	same("counts", want, got, jsonList)
	unique := jsontext.Value(data).IsValid()
	if unique != (m.DuplicateNames == 0) {
		broken("jsontext says of names that they are unique: %t, we count %d twice", unique, m.DuplicateNames)
	}
	return worth(m.Values() > 1)
}

// JSONChunks holds that the verdict does not depend on how the bytes arrive, or
// on what a Scanner has measured before.
func JSONChunks(data []byte) int {
	r := draw(data)
	lim := jsoncheck.DefaultLimits()
	if r.IntN(3) > 0 {
		lim = drawLimits(r, jsoncheck.LimitTable())
	}
	lim.Checks = jsoncheck.Checks(r.UintN(uint(everyJSONCheck) + 1))
	want, wantErr := jsoncheck.Measure(data, lim)
	sc := jsoncheck.NewScanner(lim)
	for how, src := range map[string]io.Reader{"bytewise": bytewise(data), "piecewise": piecewise(data, r)} {
		m, err := sc.MeasureReader(src, -1)
		sameError(how, wantErr, err)
		same(how, want, m, jsonList)
	}
	m, err := sc.Measure(data)
	sameError("measured again", wantErr, err)
	same("measured again", want, m, jsonList)
	return worth(want.Complete)
}

// JSONTruncation holds that a part of a clean text is clean only where
// encoding/json takes it as well: 12 of 123.
func JSONTruncation(data []byte) int {
	m, err := jsoncheck.Measure(data, jsoncheck.Limits{})
	if err != nil {
		return ordinary
	}
	for _, n := range prefixes(draw(data), len(data)) {
		part, err := jsoncheck.Measure(data[:n], jsoncheck.Limits{})
		if part.Complete != (err == nil) {
			broken("the first %d bytes: complete is %t, %v", n, part.Complete, err)
		}
		text := bytes.TrimPrefix(data[:n], []byte("\xef\xbb\xbf"))
		if err == nil && part.Depth <= peerDepth && !json.Valid(text) {
			broken("the first %d of %d bytes are clean", n, len(data))
		}
	}
	return worth(m.Values() > 1)
}

// JSONLimits holds that lower limits refuse no less, and that limits are exact.
func JSONLimits(data []byte) int {
	r := draw(data)
	table := jsoncheck.LimitTable()
	measure := func(lim jsoncheck.Limits) error {
		_, err := jsoncheck.Measure(data, lim)
		return err
	}
	monotone(r, table, drawLimits(r, table), measure)
	m, err := jsoncheck.Measure(data, jsoncheck.Limits{})
	if err != nil {
		return ordinary
	}
	exact(table, map[string]uint64{
		"json.max-depth":          m.Depth,
		"json.max-values":         m.Values(),
		"json.max-decoded-size":   m.DecodedSize,
		"json.max-string-length":  m.LongestString,
		"json.max-name-length":    m.LongestName,
		"json.max-number-length":  m.LongestNumber,
		"json.max-object-entries": m.MostEntries,
		"json.max-array-elements": m.MostElements,
	}, measure)
	return worth(m.Values() > 1)
}
