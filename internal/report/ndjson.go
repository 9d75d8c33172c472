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

// An ndjsonReport is one payload a line, and last a line with the summary.
type ndjsonReport struct{ b *bufio.Writer }

func newNDJSON(w io.Writer, _ Options) Writer { return ndjsonReport{bufio.NewWriter(w)} }

func (n ndjsonReport) Payload(p *inspect.Payload) error { return encode(n.b, p, "") }

func (n ndjsonReport) End(r *inspect.Report) error {
	if err := encode(n.b, lastLine{r.Schema, r.Summary, r.Config}, ""); err != nil {
		return err
	}
	return n.b.Flush()
}
