package fuzz

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/fuzz/target"
)

// run fuzzes a body, starting from the seeds that suit the target.
func run(f *testing.F, body func([]byte) int) {
	for _, seed := range seeds(f, formatOf(f, f.Name())) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if body(data) == unwanted {
			t.Skip("out of reach for this target")
		}
	})
}

// formatOf returns the format of a target's inputs.
func formatOf(t testing.TB, name string) string {
	for _, of := range target.All() {
		if of.Name == name {
			return of.Format
		}
	}
	require.Fail(t, "not in the list of targets", name)
	return ""
}

// seeds returns the small payloads of the corpus in a format, of all formats
// where it is empty, and odd ones that are no payloads of it.
func seeds(t testing.TB, format string) (all [][]byte) {
	for _, c := range corpus.All() {
		if c.Large || format != "" && c.Format() != format {
			continue
		}
		var b bytes.Buffer
		_, err := c.WriteTo(&b)
		require.NoError(t, err)
		all = append(all, b.Bytes())
	}
	switch format {
	case "msgpack":
		for header := range 256 {
			all = append(all, []byte{byte(header), 0, 0, 0, 1, 0xc0, 0xc0})
		}
	case "json":
		for _, text := range oddTexts {
			all = append(all, []byte(text))
		}
	case "":
		for _, text := range append(oddNames, oddConfigurations...) {
			all = append(all, []byte(text))
		}
	}
	return append(all, nil, []byte("0"))
}

// oddTexts take every path of a JSON scanner.
var oddTexts = []string{
	` `, `{"a":1,"\u0061":2}`, `{"a":[1,2,{"b":"c"}],"A":null}`, `[0,-0,1.5,1e5,1E+5,-1.25e-7,1e400,0.000001]`,
	`"\ud83d\ude00\ud83d"`, `"\u12`, "\xef\xbb\xbf{}", "\xff\xfe[\x00", "{}\n{}\r\n", `["ééé€€€😀😀"]`, "\"\xed\xa0\x80\"", `tru`,
	"[\n        1,\n\t2,                 3\r\n]", `{"a name longer than a word":"a string longer than that, with plain text in it"}`,
}

// oddNames are what terminals and CI logs take for more than text.
var oddNames = []string{
	"a.gz", "-", "::error::boom", "##[error]boom", "##vso[task.complete]", "a\n::set-env name=x::y", "\r::error::", "\x1b]0;owned\a", "\u009b31m",
	"\u202e", "\u2028", "\ufeff", "\xff", "\U000e0041", "]]>", "</testcase>", "\x00", "%0A::error::", `\x1b`, `"`, "####", "{{declared}}", "--- folded",
}

// oddConfigurations are configuration files.
var oddConfigurations = []string{
	"profile: gateway\nfail-on: note",
	"limits:\n  gzip:\n    max-members: 16\n  json.max-depth: none",
	"severity: {gzip/multi-member: error, json/duplicate-key: off}",
	"exclude: ['**/x', a]\nignore:\n  - {rule: gzip/members, path: a, reason: b, until: 2027-01-01}",
	"limits.json.max-tracked-keys: 1",
	"a: &a [*a]",
}
