package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"github.com/harden-input/harden/inspect"
)

// JSON writes the report as one JSON object, see docs/report.md.
func JSON(w io.Writer, r *inspect.Report) error { return encode(w, r, " ") }

func newJSON(w io.Writer, _ Options) Writer { return &jsonReport{b: bufio.NewWriter(w)} }

// A jsonReport is the object that JSON writes, on its way.
type jsonReport struct {
	b     *bufio.Writer
	begun bool // a payload was written
}

func (j *jsonReport) head() error {
	_, err := j.b.WriteString("{\n \"schema\": \"" + inspect.Schema + "\",\n \"payloads\": [")
	return err
}

func (j *jsonReport) Payload(p *inspect.Payload) error {
	separator := ",\n  "
	if !j.begun {
		if err := j.head(); err != nil {
			return err
		}
		j.begun, separator = true, "\n  "
	}
	return j.value(separator, p, "  ")
}

func (j *jsonReport) End(r *inspect.Report) error {
	closing := "\n ]"
	if !j.begun {
		if err := j.head(); err != nil {
			return err
		}
		closing = "]"
	}
	if err := j.value(closing+",\n \"summary\": ", r.Summary, " "); err != nil {
		return err
	}
	if r.Config != nil {
		if err := j.value(",\n \"config\": ", r.Config, " "); err != nil {
			return err
		}
	}
	if _, err := j.b.WriteString("\n}\n"); err != nil {
		return err
	}
	return j.b.Flush()
}

// value writes v behind what is before it, its lines indented by prefix.
func (j *jsonReport) value(before string, v any, prefix string) error {
	text, err := marshal(v, prefix, " ")
	if err != nil {
		return err
	}
	_, _ = j.b.WriteString(before) // an error comes again
	_, err = j.b.Write(bytes.TrimSuffix(text, []byte("\n")))
	return err
}

// Encode writes v as JSON, indented and safe to print.
func Encode(w io.Writer, v any) error { return encode(w, v, " ") }

// encode writes v as JSON and a line feed. Characters that could steer a
// terminal are escaped.
func encode(w io.Writer, v any, indent string) error {
	text, err := marshal(v, "", indent)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

func marshal(v any, prefix, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return appendSafeJSON(make([]byte, 0, b.Len()), b.Bytes()), nil
}
