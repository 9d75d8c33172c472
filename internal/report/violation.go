package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/rule"
)

// inFile reports whether v is in the bytes of the file itself, and not in what
// a layer of it holds.
func inFile(p *inspect.Payload, v *inspect.Violation) bool {
	return v.Layer == 0 && p.StreamLayer == 0
}

// Where says where in a payload a violation is: " at byte 25 of json (layer 1), line 3 column 4, /a/0".
func Where(p *inspect.Payload, v *inspect.Violation) string {
	at := fmt.Sprintf(" at byte %d", v.Offset)
	if v.Offset == 0 && strings.HasPrefix(v.Rule, "input/") { // about the payload as a whole
		at = ""
	}
	if len(p.Layers) > 1 && v.Layer < len(p.Layers) {
		at += " of " + p.Layers[v.Layer].Format
		if v.Layer > 0 {
			at += fmt.Sprintf(" (layer %d)", v.Layer)
		}
	}
	switch {
	case v.Line == 0:
	case v.Line == p.Line: // the record's name has it
		at += fmt.Sprintf(", column %d", v.Column)
	default:
		at += fmt.Sprintf(", line %d column %d", v.Line, v.Column)
	}
	if v.Pointer != nil && *v.Pointer != "" {
		at += ", " + *v.Pointer
	}
	return at
}

// amounts adds to a message what it does not say: large sizes as people read
// them, and the limit with the flag that changes it. It is "" where the message
// says it all.
func amounts(v *inspect.Violation) string {
	var parts []string
	large := false
	for _, a := range []struct {
		name   string
		amount rule.Amount
	}{{"declared", v.Declared}, {"actual", v.Actual}, {"limit", v.Limit}} {
		if n, known := a.amount.Get(); known {
			parts = append(parts, a.name+" "+Amount(n, v.Unit))
			large = large || v.Unit == rule.UnitBytes && n >= 1<<10
		}
	}
	switch {
	case v.LimitKey != "":
		parts = append(parts, "change it with --limit "+v.LimitKey+"=…")
	case !large:
		return ""
	}
	return strings.Join(parts, ", ")
}

// Amount writes the exact number with its unit, and bytes in IEC units beside
// it where they are many. Time is written as a duration.
func Amount(n uint64, unit string) string {
	switch {
	case unit == inspect.UnitTime:
		return time.Duration(n).String()
	case unit == "":
		return fmt.Sprint(n)
	case unit == rule.UnitBytes && n >= 1<<10:
		return fmt.Sprintf("%d bytes (%s)", n, humanize.IBytes(n))
	case n == 1:
		unit = strings.TrimSuffix(unit, "s")
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// A more is a number of violations of one rule that were counted, not kept.
type more struct {
	rule string
	n    uint64
}

func (m more) String() string { return fmt.Sprintf("%d more of %s", m.n, m.rule) }

// unlisted returns the violations of p that it counts and does not list, by
// rule.
func unlisted(p *inspect.Payload) []more {
	listed := map[string]uint64{}
	for i := range p.Violations {
		listed[p.Violations[i].Rule]++
	}
	var all []more
	for _, id := range sortedKeys(p.ViolationCounts) {
		if n := p.ViolationCounts[id]; n > listed[id] {
			all = append(all, more{id, n - listed[id]})
		}
	}
	return all
}
