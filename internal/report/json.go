package report

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/harden-input/harden/inspect"
)

// JSON writes the report as one JSON object, see docs/report.md.
func JSON(w io.Writer, r *inspect.Report) error { return encode(w, r, " ") }

func writeJSON(w io.Writer, r *inspect.Report, _ Options) error { return JSON(w, r) }

// Encode writes v as JSON, indented and safe to print.
func Encode(w io.Writer, v any) error { return encode(w, v, " ") }

// encode writes v as JSON and a line feed. Characters that could steer a
// terminal are escaped.
func encode(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(appendSafeJSON(make([]byte, 0, b.Len()), b.Bytes()))
	return err
}
