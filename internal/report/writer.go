package report

import (
	"io"

	"github.com/harden-input/harden/inspect"
)

// A Writer writes a report while it is made, so that a run over a million
// payloads does not have to keep them. Errors are those of what it writes to.
type Writer interface {
	// Payload writes the next payload, which it may keep until End.
	Payload(p *inspect.Payload) error
	// End writes what is only known once all was judged: the summary and the
	// configuration of r. It does not look at r.Payloads.
	End(r *inspect.Report) error
}

// Write writes the whole report in the format.
func (f Format) Write(w io.Writer, r *inspect.Report, o Options) error {
	return writeAll(f.New(w, o), r)
}

func writeAll(w Writer, r *inspect.Report) error {
	for i := range r.Payloads {
		if err := w.Payload(&r.Payloads[i]); err != nil {
			return err
		}
	}
	return w.End(r)
}

// A collector writes formats that say first what is known last. It keeps the
// payloads that they speak of.
type collector struct {
	kept  []inspect.Payload
	keep  func(*inspect.Payload) bool
	write func(*inspect.Report) error
}

func (c *collector) Payload(p *inspect.Payload) error {
	if c.keep(p) {
		c.kept = append(c.kept, *p)
	}
	return nil
}

func (c *collector) End(r *inspect.Report) error {
	whole := *r
	whole.Payloads = c.kept
	return c.write(&whole)
}

func every(*inspect.Payload) bool { return true }

// hasViolations reports whether there is more to say of p than its verdict.
func hasViolations(p *inspect.Payload) bool {
	return len(p.ViolationCounts) > 0 || len(p.Violations) > 0
}

// collecting makes the Writers of a format that is written whole.
func collecting(keep func(*inspect.Payload) bool, write func(io.Writer, *inspect.Report, Options) error) func(io.Writer, Options) Writer {
	return func(w io.Writer, o Options) Writer {
		return &collector{keep: keep, write: func(r *inspect.Report) error { return write(w, r, o) }}
	}
}

// both writes one report behind the other.
type both struct{ first, second Writer }

func (b both) Payload(p *inspect.Payload) error {
	if err := b.first.Payload(p); err != nil {
		return err
	}
	return b.second.Payload(p)
}

func (b both) End(r *inspect.Report) error {
	if err := b.first.End(r); err != nil {
		return err
	}
	return b.second.End(r)
}
