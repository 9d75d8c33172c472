package msgpackcheck

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// No prefix of a value is a value.
func TestTruncatedIsNeverClean(t *testing.T) {
	for _, doc := range randomDocuments(300) {
		if _, err := Measure(doc.data, Limits{}); err != nil {
			continue
		}
		for n := range doc.data {
			m, err := Measure(doc.data[:n], Limits{})
			require.Error(t, err, doc.name)
			require.False(t, m.Complete, doc.name)
		}
	}
}

// Lowering a limit never accepts what was refused before, and the measured
// amount is the lowest limit that passes.
func TestLimitsAreExactAndMonotone(t *testing.T) {
	amounts := map[string]func(m Measurement) uint64{
		"msgpack.max-depth":        func(m Measurement) uint64 { return m.Depth },
		"msgpack.max-values":       func(m Measurement) uint64 { return m.Values },
		"msgpack.max-decoded-size": func(m Measurement) uint64 { return m.DecodedSize },
		"msgpack.max-array-length": func(m Measurement) uint64 { return m.LargestArray },
		"msgpack.max-map-length":   func(m Measurement) uint64 { return m.LargestMap },
		"msgpack.max-str-length":   func(m Measurement) uint64 { return m.LargestString },
	}
	for _, field := range LimitTable() {
		amount, measured := amounts[field.Key]
		if !measured {
			continue
		}
		t.Run(field.Key, func(t *testing.T) {
			for _, doc := range append(randomDocuments(300), realDocuments(t)...) {
				m, err := Measure(doc.data, Limits{})
				n := amount(m)
				if err != nil || n < 2 {
					continue
				}
				var lim Limits
				*field.Field(&lim) = n
				_, err = Measure(doc.data, lim)
				require.NoError(t, err, doc.name)
				for _, lower := range []uint64{n - 1, n / 2, 1} {
					*field.Field(&lim) = lower
					m, err := Measure(doc.data, lim)
					require.Error(t, err, doc.name)
					require.Equal(t, field.Key, m.Violations.Kept()[0].Rule.LimitKey)
				}
			}
		})
	}
}

func TestRulesAndLimitsBelongTogether(t *testing.T) {
	keys := map[string]bool{}
	for _, f := range LimitTable() {
		keys[f.Key] = true
		require.NotEmpty(t, f.Doc)
		lim := DefaultLimits()
		require.NotZero(t, *f.Field(&lim), "the default profile limits everything")
	}
	for i := range Rules {
		r := &Rules[i]
		require.NotEmpty(t, r.Title)
		require.NotEmpty(t, r.Why)
		require.NotEmpty(t, r.Fix)
		require.NotEmpty(t, r.CWE)
		require.NotEmpty(t, r.References)
		require.Equal(t, r.Kind == "limit", r.LimitKey != "", r.ID)
		if r.LimitKey != "" {
			require.True(t, keys[r.LimitKey], r.LimitKey)
			delete(keys, r.LimitKey)
		}
	}
	require.Empty(t, keys, "limits that no rule guards")
}

// What is clean decodes, to as many values as were measured.
func TestCleanDecodesToTheMeasuredValues(t *testing.T) {
	d := Decoder{LastWins: true}
	for _, doc := range append(randomDocuments(1000), realDocuments(t)...) {
		m, err := Measure(doc.data, Limits{Checks: DuplicateKeys | KeyType})
		v, decodeErr := d.Decode(doc.data)
		if err != nil {
			require.Equal(t, err, decodeErr)
			continue
		}
		if decodeErr != nil {
			requireRule(t, decodeErr, "msgpack/key-type")
			require.NotZero(t, m.Violations.Count("msgpack/key-type"))
			continue
		}
		if m.Violations.Count("msgpack/duplicate-key") == 0 {
			require.Equal(t, m.Values, countValues(v), doc.name)
		}
	}
}

func countValues(v any) uint64 {
	n := uint64(1)
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n += countValues(e)
		}
	case map[string]any:
		for _, e := range v {
			n += 1 + countValues(e)
		}
	case map[any]any:
		for _, e := range v {
			n += 1 + countValues(e)
		}
	}
	return n
}
