// Package report writes inspect.Report in the formats of the command line.
package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/rule"
)

// maxName bounds how much of a payload's name is printed, in bytes.
const maxName = 1 << 10

// Text writes one line a payload, an indented line a violation, and a summary.
// A clean payload without violations is left out where quiet is set. No line
// begins with a byte that a payload or its name controls unescaped.
func Text(w io.Writer, r *inspect.Report, quiet bool) error {
	b := bufio.NewWriter(w)
	for i := range r.Payloads {
		p := &r.Payloads[i]
		if quiet && p.Verdict == inspect.Clean {
			continue
		}
		payloadText(b, p)
	}
	if !quiet {
		fmt.Fprintln(b, summaryText(&r.Summary))
		for _, line := range configText(r.Config) {
			fmt.Fprintln(b, line)
		}
	}
	return b.Flush()
}

func payloadText(w io.Writer, p *inspect.Payload) {
	name := Name(p.Name)
	if p.Record != 0 {
		name += fmt.Sprintf(", record %d", p.Record)
	}
	if p.Line != 0 {
		name += fmt.Sprintf(", line %d", p.Line)
	}
	fmt.Fprintf(w, "%s: %s%s\n", name, p.Verdict, layersText(p.Layers))
	for i := range p.Violations {
		violationText(w, p, &p.Violations[i])
	}
	listed := map[string]uint64{}
	for i := range p.Violations {
		listed[p.Violations[i].Rule]++
	}
	for _, id := range sortedKeys(p.ViolationCounts) {
		if more := p.ViolationCounts[id] - listed[id]; more > 0 {
			fmt.Fprintf(w, "  … and %d more of %s\n", more, id)
		}
	}
}

// Name escapes a payload's name so that it can stand at the start of a line.
func Name(name string) string {
	if name == "-" {
		return "stdin"
	}
	return rule.Excerpt(name, maxName)
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

// violationText writes "  error: gzip/isize-forged at byte 25: …".
func violationText(w io.Writer, p *inspect.Payload, v *inspect.Violation) {
	where := fmt.Sprintf(" at byte %d", v.Offset)
	if v.Offset == 0 && strings.HasPrefix(v.Rule, "input/") { // about the payload as a whole
		where = ""
	}
	if len(p.Layers) > 1 && v.Layer < len(p.Layers) {
		where += " of " + p.Layers[v.Layer].Format
		if v.Layer > 0 {
			where += fmt.Sprintf(" (layer %d)", v.Layer)
		}
	}
	if v.Line != 0 {
		where += fmt.Sprintf(", line %d column %d", v.Line, v.Column)
	}
	if v.Pointer != nil && *v.Pointer != "" {
		where += ", " + *v.Pointer
	}
	message := v.Message
	if v.LimitKey != "" {
		message += " [" + v.LimitKey + "]"
	}
	if v.Ignored != "" {
		message += " (ignored: " + rule.Excerpt(v.Ignored, maxName) + ")"
	}
	fmt.Fprintf(w, "  %s: %s%s: %s\n", v.Severity, v.Rule, where, message)
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

// Amount writes the exact number with its unit, and bytes in IEC units beside
// it where they are many.
func Amount(n uint64, unit string) string {
	if n == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	if unit == rule.UnitBytes && n >= 1<<10 {
		return fmt.Sprintf("%d bytes (%s)", n, humanize.IBytes(n))
	}
	return fmt.Sprintf("%d %s", n, unit)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
