package report

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
)

// BenchmarkFormats writes reports on 10 000 small clean files.
func BenchmarkFormats(b *testing.B) {
	r := inspect.NewReport()
	for i := range 10000 {
		r.Add(inspect.Payload{Name: fmt.Sprintf("testdata/some/directory/file-%05d.json", i), Verdict: inspect.Clean,
			Layers:     []inspect.Layer{{Format: "json", DetectedBy: "name", Complete: true, Checked: []string{"structure", "utf8"}}},
			Violations: []inspect.Violation{}, ViolationCounts: map[string]uint64{}})
	}
	for _, f := range Formats() {
		b.Run(f.Name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				require.NoError(b, f.Write(io.Discard, r, Options{}))
			}
		})
	}
}
