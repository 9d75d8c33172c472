package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/catalog"
	"github.com/harden-input/harden/internal/spell"
	"github.com/harden-input/harden/rule"
)

// explainWidth is where lines of an explanation are broken, in bytes.
const explainWidth = 80

// Explain writes everything there is to say of a rule: what is wrong, whom it
// hurts, what to do, and where to read on.
func Explain(w io.Writer, r *rule.Rule) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.ID, r.Title)
	fmt.Fprintf(&b, "%s, %s\n\n", severityText(r, r.Default), r.Kind)
	wrap(&b, r.Why)
	b.WriteString("\nWhat to do:\n")
	wrap(&b, r.Fix)
	if r.LimitKey != "" {
		b.WriteString("\nLimit:\n")
		for _, f := range inspect.LimitTable() {
			if f.Key == r.LimitKey {
				limit := inspect.DefaultLimits()
				fmt.Fprintf(&b, "  %s (%s), by default %s; --limit %s=VALUE changes it\n", f.Key,
					strings.TrimSuffix(f.Doc, "."), spell.FormatLimit(f.Unit, *f.Field(&limit)), f.Key)
			}
		}
	}
	if len(r.CWE) > 0 || len(r.References) > 0 {
		b.WriteString("\nSee:\n")
		for _, n := range r.CWE {
			fmt.Fprintf(&b, "  https://cwe.mitre.org/data/definitions/%d.html\n", n)
		}
		for _, ref := range r.References {
			fmt.Fprintf(&b, "  %s\n", ref)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wrap writes text in indented lines of at most explainWidth bytes, words that
// are longer apart.
func wrap(b *strings.Builder, text string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len("  ")+len(line)+1+len(word) > explainWidth {
			fmt.Fprintf(b, "  %s\n", line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	fmt.Fprintf(b, "  %s\n", line)
}

// severityText is the severity as people are told it: a rule that says no
// judgement was possible has none.
func severityText(r *rule.Rule, s rule.Severity) string {
	switch {
	case r.Undecided:
		return "undecided"
	case r.Stops:
		return s.String() + ", ends the inspection"
	}
	return s.String()
}

// RuleTable writes one line a rule, with the severities of profile p.
func RuleTable(w io.Writer, p *inspect.Profile) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "RULE\tSEVERITY\tKIND\tWHAT IS WRONG")
	for _, r := range catalog.Rules() {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.ID, severityText(&r, p.Severity(&r)), r.Kind, r.Title)
	}
	return t.Flush()
}

// A ruleJSON is a rule as scripts read it.
type ruleJSON struct {
	ID         string        `json:"id"`
	Severity   rule.Severity `json:"severity"`
	Kind       rule.Kind     `json:"kind"`
	Stops      bool          `json:"stops"`
	Undecided  bool          `json:"undecided"`
	LimitKey   string        `json:"limit_key,omitempty"`
	Title      string        `json:"title"`
	Why        string        `json:"why"`
	Fix        string        `json:"fix"`
	CWE        []int         `json:"cwe"`
	References []string      `json:"references"`
}

func newRuleJSON(r *rule.Rule, s rule.Severity) ruleJSON {
	return ruleJSON{ID: r.ID, Severity: s, Kind: r.Kind, Stops: r.Stops, Undecided: r.Undecided, LimitKey: r.LimitKey,
		Title: r.Title, Why: r.Why, Fix: r.Fix,
		CWE: append([]int{}, r.CWE...), References: append([]string{}, r.References...)}
}

// ExplainJSON writes a rule as one JSON object.
func ExplainJSON(w io.Writer, r *rule.Rule) error { return encode(w, newRuleJSON(r, r.Default), " ") }

// RulesJSON writes all rules, with the severities of profile p, as a JSON array.
func RulesJSON(w io.Writer, p *inspect.Profile) error {
	all := []ruleJSON{}
	for _, r := range catalog.Rules() {
		all = append(all, newRuleJSON(&r, p.Severity(&r)))
	}
	return encode(w, all, " ")
}

// LimitTable writes one line a limit and one column a profile.
func LimitTable(w io.Writer, profiles []inspect.Profile) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "LIMIT")
	for _, p := range profiles {
		fmt.Fprintf(t, "\t%s", strings.ToUpper(p.Name))
	}
	fmt.Fprintln(t)
	for _, f := range inspect.LimitTable() {
		fmt.Fprint(t, f.Key)
		for i := range profiles {
			fmt.Fprintf(t, "\t%s", spell.FormatLimit(f.Unit, *f.Field(&profiles[i].Limits)))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// A limitJSON is a limit as scripts read it. A profile without it has null.
type limitJSON struct {
	Key      string             `json:"key"`
	Unit     string             `json:"unit"`
	Doc      string             `json:"doc"`
	Profiles map[string]*uint64 `json:"profiles"`
}

// LimitsJSON writes all limits as a JSON array: amounts in their unit, null
// where a profile has no such limit.
func LimitsJSON(w io.Writer, profiles []inspect.Profile) error {
	all := []limitJSON{}
	for _, f := range inspect.LimitTable() {
		l := limitJSON{Key: f.Key, Unit: f.Unit, Doc: f.Doc, Profiles: map[string]*uint64{}}
		for i := range profiles {
			l.Profiles[profiles[i].Name] = nil
			if n := f.Field(&profiles[i].Limits); *n != 0 {
				l.Profiles[profiles[i].Name] = n
			}
		}
		all = append(all, l)
	}
	return encode(w, all, " ")
}
