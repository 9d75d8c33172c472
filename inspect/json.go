package inspect

import (
	"io"

	"github.com/harden-input/harden/jsoncheck"
	"github.com/harden-input/harden/rule"
)

var jsonFormat = format{
	name:       "json",
	claims:     []string{".json", ".geojson", ".ndjson", ".jsonl"},
	looks:      looksLikeJSON,
	detectedBy: byContent,
	lines:      true,
	pointers:   true,
	measure: func(data []byte, lim *Limits) (outcome, error) {
		m, err := jsoncheck.Measure(data, lim.JSON)
		return jsonOutcome(m, lim), fromReader(err, &m.Violations)
	},
	measureReader: func(r io.Reader, size int64, lim *Limits) (outcome, error) {
		m, err := jsoncheck.MeasureReader(r, size, lim.JSON)
		return jsonOutcome(m, lim), fromReader(err, &m.Violations)
	},
}

// looksLikeJSON takes a lone scalar, which plain text may be by chance, only
// where somebody named the payload.
func looksLikeJSON(window []byte, whole, named bool) bool {
	fits, scalar := jsoncheck.Looks(window, whole)
	return fits && (named || !scalar)
}

func jsonOutcome(m jsoncheck.Measurement, lim *Limits) outcome {
	checked := []string{checkedStructure, "utf8"}
	keys := m.Violations.Count("json/duplicate-unchecked") == 0
	checked = appendCheck(checked, lim.JSON.Checks&jsoncheck.DuplicateKeys != 0, "duplicate-keys", keys)
	checked = appendCheck(checked, lim.JSON.Checks&jsoncheck.FoldedKeys != 0, "duplicate-keys-folded", keys)
	checked = appendCheck(checked, lim.JSON.Checks&jsoncheck.LoneSurrogates != 0, "lone-surrogates", true)
	return outcome{
		complete:   m.Complete,
		violations: m.Violations,
		checked:    checked,
		facts: Facts{
			Size:        rule.N(m.Length),
			Values:      rule.N(m.Values()),
			Arrays:      rule.N(m.Arrays),
			Objects:     rule.N(m.Objects),
			Strings:     rule.N(m.Strings),
			Depth:       rule.N(m.Depth),
			DecodedSize: rule.N(m.DecodedSize),
		},
	}
}
