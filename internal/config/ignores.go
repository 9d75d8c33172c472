package config

import (
	"fmt"
	"time"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/rule"
)

// Ignores applies the ignore entries of a file to reports. The zero Ignores
// has none.
type Ignores struct {
	file   *File
	failOn rule.Severity
	day    time.Time
}

// Ignores returns the entries of f, which may be nil, as they hold at now;
// failOn is the severity from which on a violation rejects.
func (f *File) Ignores(failOn rule.Severity, now time.Time) *Ignores {
	if f == nil {
		return &Ignores{}
	}
	y, m, d := now.Date()
	return &Ignores{file: f, failOn: failOn, day: time.Date(y, m, d, 0, 0, 0, 0, time.UTC)}
}

func (e *Ignore) expired(day time.Time) bool { return !e.Until.IsZero() && day.After(e.Until) }

// Apply sets violations in r aside, and calls payloads ignored that were
// rejected for nothing else.
func (g *Ignores) Apply(r *inspect.Report) {
	if g.file == nil || len(g.file.Ignore) == 0 {
		return
	}
	for i := range r.Payloads {
		p := &r.Payloads[i]
		if g.setAside(p) && p.Verdict == inspect.Rejected {
			p.Verdict = inspect.Ignored
			r.Summary.Rejected--
			r.Summary.Ignored++
		}
	}
}

// setAside marks p's violations, and reports whether none is left that rejects.
func (g *Ignores) setAside(p *inspect.Payload) bool {
	left := false
	for i := range p.Violations {
		v := &p.Violations[i]
		if e := g.entry(v.Rule, p.Name); e != nil {
			v.Ignored = e.Reason
			e.used = true
		} else if v.Severity >= g.failOn {
			left = true
		}
	}
	return !left
}

func (g *Ignores) entry(id, name string) *Ignore {
	for i := range g.file.Ignore {
		e := &g.file.Ignore[i]
		if e.Rule == id && !e.expired(g.day) && e.glob.Covers(name) {
			return e
		}
	}
	return nil
}

// Stale says which entries have expired and, where all is set, which were not
// used: all payloads that they are for must then have been judged.
func (g *Ignores) Stale(all bool) []string {
	var stale []string
	if g.file == nil {
		return stale
	}
	for i := range g.file.Ignore {
		e := &g.file.Ignore[i]
		at := fmt.Sprintf("%s:%d: the ignore entry for %s in %s", g.file.Path, e.Line, e.Rule, e.Path)
		switch {
		case e.expired(g.day):
			stale = append(stale, fmt.Sprintf("%s expired after %s: fix what it is for, or move the date", at, e.Until.Format(time.DateOnly)))
		case all && !e.used:
			stale = append(stale, at+" set nothing aside: remove it")
		}
	}
	return stale
}
