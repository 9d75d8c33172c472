package inspect

import (
	"io"

	"github.com/harden-input/harden/gzipcheck"
	"github.com/harden-input/harden/rule"
)

var gzipFormat = format{
	name:       "gzip",
	looks:      looksLikeGzip,
	detectedBy: byMagic,
	measure: func(data []byte, lim *Limits) (outcome, error) {
		m, err := gzipcheck.Measure(data, lim.Gzip)
		return gzipOutcome(m), fromReader(err, &m.Violations)
	},
	measureReader: func(r io.Reader, size int64, lim *Limits) (outcome, error) {
		m, err := gzipcheck.MeasureReader(r, size, lim.Gzip)
		return gzipOutcome(m), fromReader(err, &m.Violations)
	},
	open: func(r io.Reader, lim *Limits) content {
		z := gzipcheck.NewReader(r, lim.Gzip)
		z.CollectAll(true)
		return gzipContent{z}
	},
}

// looksLikeGzip finds RFC 1952's magic number.
func looksLikeGzip(window []byte, _, _ bool) bool {
	return len(window) >= 2 && window[0] == 0x1f && window[1] == 0x8b
}

type gzipContent struct{ *gzipcheck.Reader }

func (c gzipContent) outcome() outcome { return gzipOutcome(c.Measurement()) }

func gzipOutcome(m gzipcheck.Measurement) outcome {
	return outcome{
		complete:   m.Complete,
		violations: m.Violations,
		checked:    []string{checkedStructure},
		size:       m.Decompressed,
		facts: Facts{
			Compressed:    rule.N(m.Compressed),
			Decompressed:  rule.N(m.Decompressed),
			Members:       rule.N(m.Members),
			StoredBlocks:  rule.N(m.StoredBlocks),
			FixedBlocks:   rule.N(m.FixedBlocks),
			DynamicBlocks: rule.N(m.DynamicBlocks),
			Work:          rule.N(m.Work),
		},
	}
}
