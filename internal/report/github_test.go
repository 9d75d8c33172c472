package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/rule"
)

func TestGitHubAnnotations(t *testing.T) {
	v := inspect.Violation{Rule: "gzip/ratio", Severity: rule.Error, Offset: 25, Message: "100%"}
	for name, c := range map[string]struct {
		file   string
		change func(*inspect.Report)
		want   string
	}{
		"file":          {"a/b.gz", nil, "::error file=a/b.gz,title=gzip/ratio::a/b.gz at byte 25: 100%25\n"},
		"stdin":         {"-", nil, "::error title=gzip/ratio::stdin at byte 25: 100%25\n"},
		"name escaped":  {"a,b:c%.gz", nil, "::error file=a%2Cb%3Ac%25.gz,title=gzip/ratio::a,b:c%25.gz at byte 25: 100%25\n"},
		"two lines":     {"a\n::error::b", nil, "::error file=a\\x0a%3A%3Aerror%3A%3Ab,title=gzip/ratio::a\\x0a::error::b at byte 25: 100%25\n"},
		"note is other": {"a", func(r *inspect.Report) { r.Payloads[0].Violations[0].Severity = rule.Note }, "::notice file=a,title=gzip/ratio::a at byte 25: 100%25\n"},
		"line": {"a", func(r *inspect.Report) { r.Payloads[0].Violations[0].Line, r.Payloads[0].Violations[0].Column = 2, 3 },
			"::error file=a,line=2,col=3,title=gzip/ratio::a at byte 25, line 2 column 3: 100%25\n"},
		"line of content": {"a", func(r *inspect.Report) {
			r.Payloads[0].StreamLayer, r.Payloads[0].Violations[0].Line, r.Payloads[0].Violations[0].Column = 1, 2, 3
		}, "::error file=a,title=gzip/ratio::a at byte 25, line 2 column 3: 100%25\n"},
		"more": {"a", func(r *inspect.Report) { r.Payloads[0].ViolationCounts["gzip/ratio"] = 9 },
			"::error file=a,title=gzip/ratio::a at byte 25: 100%25\n::notice file=a,title=gzip/ratio::a: 8 more of gzip/ratio\n"},
		"unlisted": {"a", func(r *inspect.Report) { r.Payloads = nil; r.Summary.Unlisted = 7 },
			"::error title=harden::7 more records that are not clean are not listed\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := oneViolation(c.file, 1, v)
			if c.change != nil {
				c.change(r)
			}
			require.Equal(t, c.want, string(rendered(t, "github", r, Options{})))
		})
	}
}

func TestGitHubSaysNothingOfWhatIsClean(t *testing.T) {
	r := inspect.NewReport()
	r.Add(inspect.Payload{Name: "a", Verdict: inspect.Clean})
	require.Empty(t, strings.TrimSpace(string(rendered(t, "github", r, Options{}))))
}
