package report

import (
	"io"

	"github.com/harden-input/harden/inspect"
)

// JSON writes the report as one JSON object, see docs/report.md.
func JSON(w io.Writer, r *inspect.Report) error { return indented(w, r) }
