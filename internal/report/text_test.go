package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/rule"
)

func TestAmount(t *testing.T) {
	for name, c := range map[string]struct {
		n    uint64
		unit string
		want string
	}{
		"none":     {0, "members", "0 members"},
		"one":      {1, "members", "1 member"},
		"bytes":    {1023, rule.UnitBytes, "1023 bytes"},
		"KiB":      {1024, rule.UnitBytes, "1024 bytes (1.0 KiB)"},
		"most":     {math.MaxUint64, rule.UnitBytes, "18446744073709551615 bytes (16 EiB)"},
		"time":     {30e9, inspect.UnitTime, "30s"},
		"checksum": {907060871, "", "907060871"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, Amount(c.n, c.unit)) })
	}
}

func TestAmountsSayWhatTheMessageDoesNot(t *testing.T) {
	for name, c := range map[string]struct {
		v    inspect.Violation
		want string
	}{
		"nothing":  {inspect.Violation{}, ""},
		"small":    {inspect.Violation{Declared: rule.N(14), Actual: rule.N(13), Unit: rule.UnitBytes}, ""},
		"checksum": {inspect.Violation{Declared: rule.N(907060871), Actual: rule.N(907060870)}, ""},
		"forged": {inspect.Violation{Declared: rule.N(math.MaxUint32), Actual: rule.N(13), Unit: rule.UnitBytes},
			"declared 4294967295 bytes (4.0 GiB), actual 13 bytes"},
		"limit": {inspect.Violation{Actual: rule.N(17), Limit: rule.N(16), Unit: "members", LimitKey: "gzip.max-members"},
			"actual 17 members, limit 16 members, change it with --limit gzip.max-members=…"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, amounts(&c.v)) })
	}
}

func TestTextSaysWhere(t *testing.T) {
	pointer := "/a/0"
	for name, c := range map[string]struct {
		layers int
		v      inspect.Violation
		want   string
	}{
		"one layer":  {1, inspect.Violation{Rule: "gzip/ratio", Offset: 25}, " at byte 25"},
		"outermost":  {2, inspect.Violation{Rule: "gzip/ratio", Offset: 25}, " at byte 25 of gzip"},
		"inner":      {2, inspect.Violation{Rule: "gzip/ratio", Layer: 1, Offset: 25}, " at byte 25 of gzip (layer 1)"},
		"line":       {1, inspect.Violation{Rule: "json/utf8", Offset: 9, Line: 2, Column: 3, Pointer: &pointer}, " at byte 9, line 2 column 3, /a/0"},
		"as a whole": {0, inspect.Violation{Rule: "input/empty"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := oneViolation("a", c.layers, c.v)
			require.Equal(t, c.want, Where(&r.Payloads[0], &c.v))
		})
	}
}

func TestTextCountsWhatIsNotListed(t *testing.T) {
	r := oneViolation("a.gz", 1, inspect.Violation{Rule: "gzip/multi-member", Severity: rule.Note, Message: "m"})
	r.Payloads[0].ViolationCounts["gzip/multi-member"] = 1000
	require.Equal(t, "a.gz: rejected: gzip\n"+
		"  note: gzip/multi-member at byte 0: m\n"+
		"  … and 999 more of gzip/multi-member\n"+
		"1 payload: 0 clean, 1 rejected, 0 undecided\n", string(rendered(t, "text", r, Options{})))
}

func TestTextNamesTheRecord(t *testing.T) {
	r := oneViolation("a", 1, inspect.Violation{})
	p := &r.Payloads[0]
	p.Record, p.Line = 3, 4
	p.Violations[0].Line, p.Violations[0].Column = 4, 5
	text := string(rendered(t, "text", r, Options{}))
	require.Contains(t, text, "a, record 3, line 4: rejected")
	require.Contains(t, text, "at byte 0, column 5: ")
}

func TestAutoAddsAnnotations(t *testing.T) {
	r := oneViolation("a", 1, inspect.Violation{Rule: "gzip/ratio", Severity: rule.Error})
	text := string(rendered(t, "text", r, Options{}))
	require.Equal(t, text, string(rendered(t, "auto", r, Options{})))
	require.Equal(t, text+string(rendered(t, "github", r, Options{})), string(rendered(t, "auto", r, Options{Annotations: true})))
}
