package inspect

import (
	"io"

	"github.com/harden-input/harden/msgpackcheck"
	"github.com/harden-input/harden/rule"
)

var msgpackFormat = format{
	name:       "msgpack",
	claims:     []string{".msgpack", ".mpk"},
	looks:      looksLikeMsgpack,
	detectedBy: byContent,
	pointers:   true,
	measure: func(data []byte, lim *Limits) (outcome, error) {
		m, err := msgpackcheck.Measure(data, lim.Msgpack)
		return msgpackOutcome(m, lim), fromReader(err, &m.Violations)
	},
	measureReader: func(r io.Reader, size int64, lim *Limits) (outcome, error) {
		m, err := msgpackcheck.MeasureReader(r, size, lim.Msgpack)
		return msgpackOutcome(m, lim), fromReader(err, &m.Violations)
	},
}

// looksLikeMsgpack takes bytes for msgpack only where somebody named the
// payload: any bytes are msgpack with a little luck.
func looksLikeMsgpack(window []byte, _, named bool) bool {
	return named && msgpackcheck.Looks(window)
}

func msgpackOutcome(m msgpackcheck.Measurement, lim *Limits) outcome {
	on := func(c msgpackcheck.Checks) bool { return lim.Msgpack.Checks&c != 0 }
	checked := []string{checkedStructure}
	checked = appendCheck(checked, on(msgpackcheck.UTF8), "utf8", true)
	checked = appendCheck(checked, on(msgpackcheck.DuplicateKeys), "duplicate-keys", m.Violations.Count("msgpack/duplicate-unchecked") == 0)
	checked = appendCheck(checked, on(msgpackcheck.KeyType), "key-types", true)
	checked = appendCheck(checked, on(msgpackcheck.ExtType), "ext-types", true)
	checked = appendCheck(checked, on(msgpackcheck.Canonical), "canonical", true)
	return outcome{
		complete:   m.Complete,
		violations: m.Violations,
		checked:    checked,
		facts: Facts{
			Size:        rule.N(m.Consumed),
			Values:      rule.N(m.Values),
			Arrays:      rule.N(m.Arrays),
			Maps:        rule.N(m.Maps),
			Strings:     rule.N(m.Strings),
			Depth:       rule.N(m.Depth),
			DecodedSize: rule.N(m.DecodedSize),
		},
	}
}
