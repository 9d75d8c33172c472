package report

import (
	"encoding/json"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // ships the schema
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/rule"
)

// publishedSARIF compiles OASIS' schema of SARIF 2.1.0, which go-sarif keeps in
// a constant of its source.
func publishedSARIF(t *testing.T) *jsonschema.Schema {
	t.Helper()
	pkg, err := build.Import("github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif", ".", build.FindOnly)
	require.NoError(t, err)
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.Dir, "schema.go"), nil, 0)
	require.NoError(t, err)
	var text string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err = strconv.Unquote(lit.Value)
			require.NoError(t, err)
		}
		return true
	})
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("sarif.json", value))
	schema, err := c.Compile("sarif.json")
	require.NoError(t, err)
	return schema
}

func TestSARIFFollowsThePublishedSchema(t *testing.T) {
	schema := publishedSARIF(t)
	validate(t, schema, rendered(t, "sarif", corpusReport(t), Options{Version: "v1.2.3"}))
	validate(t, schema, rendered(t, "sarif", inspect.NewReport(), Options{}))
}

// sarifOf is the only run of r as SARIF.
func sarifOf(t *testing.T, r *inspect.Report) sarifRun {
	t.Helper()
	var log sarifLog
	require.NoError(t, json.Unmarshal(rendered(t, "sarif", r, Options{}), &log))
	require.Len(t, log.Runs, 1)
	return log.Runs[0]
}

func TestSARIFResultNamesARuleWithItsText(t *testing.T) {
	run := sarifOf(t, corpusReport(t))
	require.NotEmpty(t, run.Results)
	for _, result := range run.Results {
		r := run.Tool.Driver.Rules[result.RuleIndex]
		require.Equal(t, result.RuleID, r.ID)
		require.NotEmpty(t, r.ShortDescription.Text)
		require.NotEmpty(t, r.Help.Text)
		require.NotEmpty(t, r.Help.Markdown)
	}
}

func TestSARIFRegion(t *testing.T) {
	at := func(n int64) *int64 { return &n }
	for name, c := range map[string]struct {
		violation inspect.Violation
		stream    int
		want      sarifRegion
	}{
		"binary file":         {inspect.Violation{Offset: 25}, 0, sarifRegion{StartLine: 1, ByteOffset: at(25)}},
		"start of a file":     {inspect.Violation{}, 0, sarifRegion{StartLine: 1, ByteOffset: at(0)}},
		"text":                {inspect.Violation{Offset: 25, Line: 3, Column: 4}, 0, sarifRegion{StartLine: 3, StartColumn: 4, ByteOffset: at(25)}},
		"inside gzip":         {inspect.Violation{Layer: 1, Offset: 25, Line: 3, Column: 4}, 0, sarifRegion{StartLine: 1}},
		"record inside gzip":  {inspect.Violation{Offset: 25, Line: 3, Column: 4}, 1, sarifRegion{StartLine: 1}},
		"offset behind 4 GiB": {inspect.Violation{Offset: 5 << 30}, 0, sarifRegion{StartLine: 1, ByteOffset: at(5 << 30)}},
	} {
		t.Run(name, func(t *testing.T) {
			r := oneViolation("a", 2, c.violation)
			r.Payloads[0].StreamLayer = c.stream
			require.Equal(t, c.want, sarifOf(t, r).Results[0].Locations[0].PhysicalLocation.Region)
		})
	}
}

func TestSARIFLevels(t *testing.T) {
	for _, s := range []rule.Severity{rule.Note, rule.Warning, rule.Error} {
		r := oneViolation("a", 1, inspect.Violation{Rule: "gzip/multi-member", Severity: s})
		run := sarifOf(t, r)
		require.Equal(t, s.String(), run.Results[0].Level)
		require.Equal(t, "note", run.Tool.Driver.Rules[0].DefaultConfiguration.Level)
	}
}

func TestSARIFRuleThatIsOffByDefault(t *testing.T) {
	r := oneViolation("a", 1, inspect.Violation{Rule: "json/duplicate-key-fold", Severity: rule.Note})
	require.Equal(t, sarifConfiguration{Enabled: false, Level: "none"}, sarifOf(t, r).Tool.Driver.Rules[0].DefaultConfiguration)
}

func TestSARIFCountsWhatIsNotListed(t *testing.T) {
	r := oneViolation("a", 1, inspect.Violation{Rule: "gzip/multi-member", Severity: rule.Note})
	require.Zero(t, sarifOf(t, r).Results[0].OccurrenceCount)
	r.Payloads[0].ViolationCounts["gzip/multi-member"] = 1000
	require.Equal(t, uint64(1000), sarifOf(t, r).Results[0].OccurrenceCount)
}

func TestSARIFSaysThatSomethingWasNotJudged(t *testing.T) {
	r := inspect.NewReport()
	require.True(t, sarifOf(t, r).Invocations[0].ExecutionSuccessful)
	r.Summary.Undecided++
	require.False(t, sarifOf(t, r).Invocations[0].ExecutionSuccessful)
}

func TestSARIFFingerprint(t *testing.T) {
	fingerprintOf := func(name string, v inspect.Violation) string {
		return sarifOf(t, oneViolation(name, 1, v)).Results[0].PartialFingerprints["hardenViolation/v1"]
	}
	v := inspect.Violation{Rule: "gzip/isize-forged", Offset: 25}
	moved := v
	moved.Offset++
	require.Equal(t, fingerprintOf("a", v), fingerprintOf("a", v))
	require.NotEqual(t, fingerprintOf("a", v), fingerprintOf("b", v))
	require.NotEqual(t, fingerprintOf("a", v), fingerprintOf("a", moved))
}
