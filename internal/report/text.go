package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/catalog"
	"github.com/harden-input/harden/rule"
)

// Text writes one line a payload, indented lines for each violation, and a
// summary, without colour. Clean payloads and the summary are left out where
// quiet is set. No line begins with a byte that a payload or its name controls
// unescaped.
func Text(w io.Writer, r *inspect.Report, quiet bool) error {
	return writeAll(newText(w, Options{Quiet: quiet}), r)
}

func newText(w io.Writer, o Options) Writer {
	return &textReport{b: bufio.NewWriter(w), o: o, explained: map[string]bool{}}
}

// Payload writes what there is to say of p.
func (t *textReport) Payload(p *inspect.Payload) error {
	if !t.o.Quiet || p.Verdict != inspect.Clean {
		t.payload(p)
	}
	if t.o.AtOnce {
		return t.b.Flush()
	}
	return t.failure()
}

// End writes the summary.
func (t *textReport) End(r *inspect.Report) error {
	if !t.o.Quiet {
		t.line("", summaryText(&r.Summary))
		for _, line := range configText(r.Config) {
			t.line("", line)
		}
		if r.Summary.Rejected > 0 && t.o.Next != "" {
			t.line("", t.o.Next)
		}
	}
	return t.b.Flush()
}

// failure returns the error that writing has met.
func (t *textReport) failure() error {
	_, err := t.b.Write(nil)
	return err
}

// A textReport is a report on its way to people.
type textReport struct {
	b         *bufio.Writer
	o         Options
	explained map[string]bool // rules that were explained already, by ID
}

// line writes one line. The mark is ours, or was made safe; it may hold colour.
func (t *textReport) line(mark, rest string) {
	t.b.WriteString(mark)
	t.b.WriteString(safe(rest))
	t.b.WriteByte('\n')
}

func (t *textReport) payload(p *inspect.Payload) {
	verdict := t.paint(verdictColor(p.Verdict), string(p.Verdict))
	t.line(payloadName(p)+": "+verdict, layersText(p.Layers))
	if t.o.Verbose {
		for i := range p.Layers {
			t.line("    ", layerFacts(i, &p.Layers[i]))
		}
	}
	for i := range p.Violations {
		t.violation(p, &p.Violations[i])
	}
	for _, m := range unlisted(p) {
		t.line("  ", "… and "+m.String())
	}
}

// violation writes "  error: gzip/isize-forged at byte 25: …" and what there is
// to add.
func (t *textReport) violation(p *inspect.Payload, v *inspect.Violation) {
	message := v.Rule + Where(p, v) + ": " + v.Message
	if v.LimitKey != "" {
		message += " [" + v.LimitKey + "]"
	}
	if v.Ignored != "" {
		message += " (ignored: " + rule.Excerpt(v.Ignored, maxName) + ")"
	}
	t.line("  "+t.paint(severityColor(v.Severity), v.Severity.String())+": ", message)
	if facts := amounts(v); facts != "" {
		t.line("    ", facts)
	}
	if t.o.Verbose && !t.explained[v.Rule] {
		t.explained[v.Rule] = true
		t.explain(v.Rule)
	}
}

// explain says what a rule is about.
func (t *textReport) explain(id string) {
	if r, ok := catalog.Rule(id); ok {
		t.line("    ", "why: "+r.Why)
		t.line("    ", "fix: "+r.Fix)
	}
}

// The escape sequences of terminals that text uses, ECMA-48's SGR.
const (
	red    = "1;31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// paint colours s, a word of ours.
func (t *textReport) paint(color, s string) string {
	if !t.o.Color {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

func verdictColor(v inspect.Verdict) string {
	switch v {
	case inspect.Clean:
		return green
	case inspect.Rejected:
		return red
	}
	return yellow
}

func severityColor(s rule.Severity) string {
	switch s {
	case rule.Error:
		return red
	case rule.Warning:
		return yellow
	}
	return cyan
}

// layersText is ": gzip 29 bytes → 1024 bytes (1.0 KiB), content …".
func layersText(layers []inspect.Layer) string {
	var parts []string
	for i := range layers {
		l := &layers[i]
		part := l.Format
		if _, measured := l.Size.Get(); !l.Complete && (measured || !l.Compressed.IsZero()) {
			part += " as far as measured:"
		}
		if n, ok := l.Compressed.Get(); ok {
			part += " " + Amount(n, rule.UnitBytes)
		}
		if n, ok := l.Decompressed.Get(); ok {
			part += " → " + Amount(n, rule.UnitBytes)
		}
		if n, ok := l.Size.Get(); ok {
			part += " " + Amount(n, rule.UnitBytes)
		}
		if n, ok := l.Records.Get(); ok {
			part += " " + Amount(n, "records")
		}
		if n, ok := l.Members.Get(); ok && n > 1 {
			part += fmt.Sprintf(" in %d members", n)
		}
		if l.Note != "" {
			part += " (" + l.Note + ")"
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// layerFacts is all that is known of one layer, in one line.
func layerFacts(i int, l *inspect.Layer) string {
	whole := "measured to its end"
	if !l.Complete {
		whole = "not measured to its end"
	}
	checked := "nothing"
	if len(l.Checked) > 0 {
		checked = strings.Join(l.Checked, ", ")
	}
	text := fmt.Sprintf("layer %d: %s, detected by %s, %s; checked: %s", i, l.Format, l.DetectedBy, whole, checked)
	var facts []string
	for _, f := range []struct {
		amount rule.Amount
		unit   string
	}{
		{l.Members, "members"},
		{l.StoredBlocks, "stored blocks"}, {l.FixedBlocks, "fixed blocks"}, {l.DynamicBlocks, "dynamic blocks"},
		{l.Work, "work units"},
		{l.Values, "values"}, {l.Arrays, "arrays"}, {l.Objects, "objects"}, {l.Maps, "maps"}, {l.Strings, "strings"},
		{l.Depth, "levels"},
	} {
		if n, known := f.amount.Get(); known {
			facts = append(facts, Amount(n, f.unit))
		}
	}
	if in, known := l.Compressed.Get(); known && in > 0 {
		if out, known := l.Decompressed.Get(); known {
			facts = append(facts, fmt.Sprintf("ratio %.1f : 1", float64(out)/float64(in)))
		}
	}
	if n, known := l.DecodedSize.Get(); known {
		facts = append(facts, "about "+Amount(n, rule.UnitBytes)+" decoded")
	}
	if len(facts) > 0 {
		text += "; " + strings.Join(facts, ", ")
	}
	return text
}

func summaryText(s *inspect.Summary) string {
	total := s.Clean + s.Rejected + s.Undecided + s.Ignored
	parts := []string{fmt.Sprintf("%d clean", s.Clean), fmt.Sprintf("%d rejected", s.Rejected), fmt.Sprintf("%d undecided", s.Undecided)}
	if s.Ignored > 0 {
		parts = append(parts, fmt.Sprintf("%d ignored", s.Ignored))
	}
	if s.Unlisted > 0 {
		parts = append(parts, fmt.Sprintf("%d of them not listed", s.Unlisted))
	}
	for _, reason := range sortedKeys(s.Skipped) {
		parts = append(parts, fmt.Sprintf("%d skipped (%s)", s.Skipped[reason], reason))
	}
	noun := "payloads"
	if total == 1 {
		noun = "payload"
	}
	return fmt.Sprintf("%d %s: %s", total, noun, strings.Join(parts, ", "))
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
