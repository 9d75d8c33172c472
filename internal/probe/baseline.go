//go:build !wasip1

package probe

import (
	"fmt"
	"io"
	"slices"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/rule"
)

// Baseline returns the benign cases of all that tell what a command needs for
// honest payloads of the formats of selected. None of them is large.
func Baseline(all, selected []corpus.Case) []corpus.Case {
	formats := formatsOf(selected)
	if formats == nil {
		return nil
	}
	return Selection{Formats: formats, Kinds: []corpus.Kind{corpus.Benign}}.From(all)
}

func formatsOf(cases []corpus.Case) []string {
	var formats []string
	for _, c := range cases {
		if !slices.Contains(formats, c.Format()) {
			formats = append(formats, c.Format())
		}
	}
	return formats
}

// refusals is how often it is looked at what a refusal needs. Runtimes with
// several threads reserve more or less, as chance has it.
const refusals = 6

// noFormat is a payload that no format begins with and that declares nothing.
type noFormat struct{}

func (noFormat) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write([]byte{0xc1})
	return int64(n), err
}

// refused returns cases from which it is seen what the command needs to refuse
// a payload of format: a stack trace may need more than any honest payload.
func refused(format string) []corpus.Case {
	var cases []corpus.Case
	for i := range refusals {
		cases = append(cases, corpus.Case{ID: fmt.Sprintf("%s/baseline-refusal-%d", format, i), Kind: corpus.Malformed, Payload: noFormat{}})
	}
	return cases
}

// baseline says what the command needs anyway: at most for a benign payload of
// format that it accepts, or to refuse one byte.
func (o *Options) baseline(format string, endings map[string]*ending) FormatReport {
	r := FormatReport{Format: format}
	for _, c := range o.Benign {
		e := endings[c.ID]
		if c.Format() != format || e == nil {
			continue
		}
		r.Benign++
		if class, _ := o.classify(e, rule.Amount{}); class == Accepted {
			r.Accepted++
			r.needs(e)
		}
	}
	if r.Unread() {
		return r
	}
	for _, c := range refused(format) {
		e := endings[c.ID]
		if e == nil {
			continue
		}
		class, _ := o.classify(e, rule.Amount{})
		if !class.Hurts() {
			r.needs(e)
		}
		r.AcceptsAnything = r.AcceptsAnything || class == Accepted
	}
	return r
}

func (f *FormatReport) needs(e *ending) {
	f.Resident, f.Virtual = larger(f.Resident, e.resident), larger(f.Virtual, e.virtual)
}

func larger(a, b rule.Amount) rule.Amount {
	n, _ := a.Get()
	if m, known := b.Get(); known && m > n {
		return b
	}
	return a
}
