package rule_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/rule"
)

func TestSeverityNames(t *testing.T) {
	for s, name := range map[rule.Severity]string{
		rule.Off: "off", rule.Note: "note", rule.Warning: "warning", rule.Error: "error",
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, name, s.String())
			parsed, err := rule.ParseSeverity(name)
			require.NoError(t, err)
			require.Equal(t, s, parsed)

			text, err := json.Marshal(s)
			require.NoError(t, err)
			require.Equal(t, `"`+name+`"`, string(text))
			var read rule.Severity
			require.NoError(t, json.Unmarshal(text, &read))
			require.Equal(t, s, read)
		})
	}
}

func TestSeveritiesRise(t *testing.T) {
	require.IsIncreasing(t, []rule.Severity{rule.Off, rule.Note, rule.Warning, rule.Error})
}

func TestParseSeverityRefuses(t *testing.T) {
	for _, name := range []string{"", "Error", "err", "error ", "severity(4)", "\x1b[31m"} {
		_, err := rule.ParseSeverity(name)
		require.ErrorContains(t, err, "use off, note, warning or error", "%q", name)
		require.NotContains(t, err.Error(), "\x1b")
	}
}

func TestUnknownSeverityKeepsTheOldOne(t *testing.T) {
	s := rule.Warning
	require.Error(t, s.UnmarshalText([]byte("fatal")))
	require.Equal(t, rule.Warning, s)
}

func TestStringOfNoSeverity(t *testing.T) {
	require.Equal(t, "severity(4)", rule.Severity(4).String())
}

func TestExceeds(t *testing.T) {
	for _, tt := range []struct {
		name     string
		n, limit uint64
		want     bool
	}{
		{"below", 9, 10, false},
		{"equal passes", 10, 10, false},
		{"one above", 11, 10, true},
		{"zero is no limit", math.MaxUint64, 0, false},
		{"largest limit", math.MaxUint64, math.MaxUint64, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, rule.Exceeds(tt.n, tt.limit))
		})
	}
}
