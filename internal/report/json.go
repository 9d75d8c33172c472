package report

import (
	"encoding/json"
	"io"

	"github.com/harden-input/harden/inspect"
)

// JSON writes the report as one JSON object, see docs/report.md.
func JSON(w io.Writer, r *inspect.Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(r)
}
