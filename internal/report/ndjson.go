package report

import (
	"bufio"
	"io"

	"github.com/harden-input/harden/inspect"
)

// A lastLine ends a report in NDJSON: a report without it was cut off.
type lastLine struct {
	Schema  string              `json:"schema"`
	Summary inspect.Summary     `json:"summary"`
	Config  *inspect.ConfigFile `json:"config,omitempty"`
}

// writeNDJSON writes one payload a line, and last a line with the summary.
func writeNDJSON(w io.Writer, r *inspect.Report, _ Options) error {
	b := bufio.NewWriter(w)
	for i := range r.Payloads {
		if err := encode(b, &r.Payloads[i], ""); err != nil {
			return err
		}
	}
	if err := encode(b, lastLine{r.Schema, r.Summary, r.Config}, ""); err != nil {
		return err
	}
	return b.Flush()
}
