//go:build !wasip1

package probe

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/internal/junit"
	"github.com/harden-input/harden/rule"
)

func TestClassify(t *testing.T) {
	o := &Options{Timeout: time.Second, Memory: 100 * 1 << 20, MaxOutput: 1 << 20}
	const mib = 1 << 20
	baseline := rule.N(1000 * mib)
	for _, tt := range []struct {
		name   string
		ending ending
		base   rule.Amount
		want   Class
	}{
		{"resident at the limit", ending{resident: rule.N(100 * mib)}, baseline, Accepted},
		{"resident above it", ending{resident: rule.N(100*mib + 1)}, baseline, OverMemory},
		{"virtual at the limit above the baseline", ending{virtual: rule.N(1100 * mib)}, baseline, Accepted},
		{"virtual above that", ending{virtual: rule.N(1100*mib + 1)}, baseline, OverMemory},
		{"virtual below the baseline", ending{virtual: rule.N(mib)}, baseline, Accepted},
		{"virtual without a baseline", ending{virtual: rule.N(1 << 40)}, rule.Amount{}, Accepted},
		{"nothing measured", ending{exit: 1}, rule.Amount{}, Refused},
		{"a crash over memory is a crash", ending{signal: "SIGSEGV", resident: rule.N(200 * mib)}, baseline, Crashed},
		{"killed for time", ending{stopped: overTime, signal: "SIGKILL", resident: rule.N(200 * mib)}, baseline, TimedOut},
		{"killed for memory", ending{stopped: overMemory, signal: "SIGKILL"}, baseline, OverMemory},
		{"killed for output", ending{stopped: overOutput, signal: "SIGKILL"}, baseline, OutputOverLimit},
		{"output above the limit at its end", ending{output: mib + 1}, baseline, OutputOverLimit},
		{"output at the limit", ending{output: mib}, baseline, Accepted},
		{"a Go panic", ending{exit: 2, stderr: []byte("log\npanic: index out of range")}, baseline, Crashed},
		{"a word inside a line", ending{exit: 2, stderr: []byte("do not panic: it is fine")}, baseline, Refused},
		{"a Rust panic", ending{exit: 101, stderr: []byte("thread 'main' panicked at src/main.rs")}, baseline, Crashed},
		{"Java without memory", ending{exit: 1, stderr: []byte("Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space")}, baseline, Crashed},
		{"a Python exception", ending{exit: 1, stderr: []byte("Traceback (most recent call last):\nMemoryError")}, baseline, Refused},
		{"a shell's 139", ending{exit: 139}, baseline, Crashed},
		{"a shell's 130", ending{exit: 130}, baseline, Refused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			class, why := o.classify(&tt.ending, tt.base)
			require.Equal(t, tt.want, class)
			require.Equal(t, class.Hurts(), why != "")
		})
	}
}

func TestSelection(t *testing.T) {
	all := corpus.All()
	for _, tt := range []struct {
		name      string
		selection Selection
		want      func(c corpus.Case) bool
	}{
		{"everything but large ones", Selection{}, func(c corpus.Case) bool { return !c.Large }},
		{"a format", Selection{Formats: []string{"gzip"}}, func(c corpus.Case) bool { return !c.Large && c.Format() == "gzip" }},
		{"a kind, large", Selection{Kinds: []corpus.Kind{corpus.Hostile}, Large: true}, func(c corpus.Case) bool { return c.Kind == corpus.Hostile }},
		{"one by name", Selection{IDs: []string{"gzip/bomb-64g"}}, func(c corpus.Case) bool { return c.ID == "gzip/bomb-64g" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var want []string
			for _, c := range all {
				if tt.want(c) {
					want = append(want, c.ID)
				}
			}
			var got []string
			for _, c := range tt.selection.From(all) {
				got = append(got, c.ID)
			}
			require.NotEmpty(t, want)
			require.Equal(t, want, got)
		})
	}
}

func TestBaselineIsBenignAndOfTheSameFormat(t *testing.T) {
	all := corpus.All()
	cases := Baseline(all, Selection{IDs: []string{"msgpack/array32-4g"}}.From(all))
	require.NotEmpty(t, cases)
	for _, c := range cases {
		require.Equal(t, "msgpack", c.Format())
		require.Equal(t, corpus.Benign, c.Kind)
		require.False(t, c.Large)
	}
}

// reported is a report about two formats: json is read, gzip is not.
func reported(expected ...string) *Report {
	payload := func(id string, kind corpus.Kind) corpus.Case { return corpus.Case{ID: id, Kind: kind} }
	o := &Options{
		Command: []string{"decode", "a|b\x1b[31m", "##vso[x]"},
		Benign:  []corpus.Case{payload("json/benign", corpus.Benign), payload("gzip/benign", corpus.Benign)},
		Cases: []corpus.Case{
			payload("gzip/refused", corpus.Hostile), payload("json/accepted", corpus.Malformed),
			payload("json/crashed", corpus.Hostile), payload("json/refused", corpus.Malformed),
		},
		Expected: expected,
		Timeout:  time.Second, Memory: 1 << 20, MaxOutput: 1 << 20,
	}
	return o.report(map[string]*ending{
		"json/benign":   {resident: rule.N(1 << 20), virtual: rule.N(2 << 20)},
		"gzip/benign":   {exit: 1},
		"gzip/refused":  {exit: 1, wall: 1500 * time.Millisecond},
		"json/accepted": {resident: rule.N(1 << 20), virtual: rule.N(2 << 20)},
		"json/crashed":  {signal: "SIGSEGV", output: 30, stderr: []byte("\n \x1b]0;owned\x07|`<b>\u202e\xff ## bad\nsecond line")},
		"json/refused":  {exit: 1},
	})
}

// unhurt takes the case that crashed out of a report.
func unhurt(r *Report, expected ...string) (Verdict, string) {
	r.Summary.Classes[Crashed] = 0
	return r.judge(expected)
}

func TestVerdicts(t *testing.T) {
	verdict, line := reported().judge(nil)
	require.Equal(t, Hurt, verdict)
	require.Equal(t, "hurt by 1 of 4 cases", line)

	verdict, line = unhurt(reported())
	require.Equal(t, Unhurt, verdict)
	require.Equal(t, "unhurt by 4 cases", line)

	verdict, line = unhurt(reported(), "json", "gzip")
	require.Equal(t, Undecided, verdict, "a format that was named must be read")
	require.Equal(t, "not decided: the command does not seem to read gzip", line)

	r := reported()
	r.Formats = r.Formats[:1]
	verdict, _ = unhurt(r)
	require.Equal(t, Undecided, verdict, "a command that reads nothing proves nothing")

	r = reported()
	r.Summary.Selected++
	verdict, line = r.judge(nil)
	require.Equal(t, Undecided, verdict)
	require.Equal(t, "interrupted after 4 of 5 cases, hurt by 1 so far", line)
}

func rendered(t *testing.T, write func(*bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, write(&b))
	return b.String()
}

func TestText(t *testing.T) {
	text := rendered(t, func(b *bytes.Buffer) error { return Text(b, reported(), false) })
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	require.Equal(t, []string{
		`command: decode a|b\x1b[31m #\x23vso[x]`,
		"limits: 1s, 1.0 MiB of memory, 1.0 MiB of output",
	}, lines[:2])
	require.Contains(t, text, "baseline gzip: 0 of 1 benign cases accepted: the command does not seem to read this format at all\n")
	require.Contains(t, text, "baseline json: 1 of 1 benign cases accepted, peak resident up to 1.0 MiB, virtual up to 2.0 MiB\n")
	table := lines[len(lines)-6:]
	require.Equal(t, []string{
		"class     case           kind       ended    wall  cpu  resident  virtual  output  why",
		"crashed   json/crashed   hostile    SIGSEGV  0s    0s   ?         ?        30 B    ended by SIGSEGV; stderr: \\x1b]0;owned\\x07|`<b>\\u{202e}\\xff #\\x23 bad",
		"accepted  json/accepted  malformed  exit 0   0s    0s   1.0 MiB   2.0 MiB  0 B",
		"",
		"4 cases: 1 crashed, 0 over memory, 0 timed out, 0 output over limit, 1 accepted (1 of them malformed), 2 refused",
		"verdict: hurt by 1 of 4 cases",
	}, table)
}

func TestTextListsAllOnDemand(t *testing.T) {
	text := rendered(t, func(b *bytes.Buffer) error { return Text(b, reported(), true) })
	require.Regexp(t, `(?s)crashed .*\naccepted .*\nrefused   gzip/refused .* 1\.5s .*\nrefused   json/refused `, text)
}

func TestMarkdownHoldsNoMarkupOfOthers(t *testing.T) {
	text := rendered(t, func(b *bytes.Buffer) error { return Markdown(b, reported(), false) })
	require.Contains(t, text, "| class | case | kind |")
	require.Contains(t, text, "\\\\x1b\\]0;owned\\\\x07\\|\\`&lt;b>")
	require.Contains(t, text, "\n**verdict: hurt by 1 of 4 cases**\n")
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "|---") {
			require.Equal(t, len(columns)+1, strings.Count(line, "|")-strings.Count(line, `\|`), line)
		}
	}
}

func TestJSONFollowsItsSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../docs/probe.schema.json")
	require.NoError(t, err)
	for _, r := range []*Report{reported(), (&Options{Command: []string{"x"}}).report(nil)} {
		text := rendered(t, func(b *bytes.Buffer) error { return JSON(b, r) })
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		require.NoError(t, err)
		require.NoError(t, schema.Validate(value), text)
		for _, raw := range []string{"\x1b", "\u202e"} {
			require.NotContains(t, text, raw)
		}
	}
}

func TestDocumentationsReportFollowsTheSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../docs/probe.schema.json")
	require.NoError(t, err)
	page, err := os.ReadFile("../../docs/probe.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(page), "```json\n")
	require.True(t, found)
	example, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(example))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(value))
	var r Report
	decoder := json.NewDecoder(strings.NewReader(example))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&r))
}

func TestJUnit(t *testing.T) {
	text := rendered(t, func(b *bytes.Buffer) error { return JUnit(b, reported()) })
	require.NotContains(t, text, "\x1b")
	var suites junit.Suites
	require.NoError(t, xml.Unmarshal([]byte(text), &suites))
	require.Equal(t, 4, suites.Tests)
	require.Equal(t, 1, suites.Failures)
	crashed := suites.Suites[0].Cases[2]
	require.Equal(t, "json/crashed", crashed.Name)
	require.Equal(t, "crashed", crashed.Failure.Type)
	require.Equal(t, "crashed: ended by SIGSEGV", crashed.Failure.Message)
}

func TestJUnitOfAnUndecidedRunHasAnError(t *testing.T) {
	r := reported()
	r.Verdict, r.Conclusion = Undecided, "interrupted"
	text := rendered(t, func(b *bytes.Buffer) error { return JUnit(b, r) })
	require.Contains(t, text, `<error type="undecided" message="interrupted">`)
}
