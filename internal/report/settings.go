package report

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/config"
	"github.com/harden-input/harden/internal/spell"
	"github.com/harden-input/harden/rule"
)

// configText says which configuration file a report rests on, a line each for
// the file and for what it loosened.
func configText(f *inspect.ConfigFile) []string {
	if f == nil {
		return nil
	}
	lines := []string{fmt.Sprintf("configured by %s (sha256 %s)", Name(f.Path), f.SHA256)}
	for _, l := range f.Loosened {
		lines = append(lines, "  loosened "+rule.Excerpt(l, maxName))
	}
	return lines
}

// Settings writes what holds and where each value comes from, one a line.
func Settings(w io.Writer, r *config.Resolved) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range settings(r) {
		fmt.Fprintf(t, "%s\t%s\t%s\n", s.Key, rule.Excerpt(s.Value, maxName), rule.Excerpt(s.From, maxName))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, line := range configText(r.Reported()) {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// A settingJSON is one effective value as scripts read it.
type settingJSON struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	From  string `json:"from"`
}

// SettingsJSON writes what Settings does as one JSON object.
func SettingsJSON(w io.Writer, r *config.Resolved) error {
	return encode(w, struct {
		Settings []settingJSON       `json:"settings"`
		Config   *inspect.ConfigFile `json:"config"`
	}{settings(r), r.Reported()}, " ")
}

// settings lists every effective value: limits as they are written in a file,
// severities of rules whose severity can be changed.
func settings(r *config.Resolved) []settingJSON {
	all := []settingJSON{
		{"profile", r.Profile, r.From("profile")},
		{"fail-on", r.Config.FailOn.String(), r.From("fail-on")},
	}
	for _, f := range inspect.LimitTable() {
		all = append(all, settingJSON{"limits." + f.Key, spell.FormatLimit(f.Unit, *f.Field(&r.Config.Limits)), r.From(f.Key)})
	}
	for _, of := range inspect.Rules() {
		if !of.Undecided {
			all = append(all, settingJSON{"severity." + of.ID, r.Severity(&of).String(), r.From(of.ID)})
		}
	}
	if r.File == nil {
		return all
	}
	for _, g := range r.File.Exclude() {
		all = append(all, settingJSON{"exclude", g.Pattern, r.File.Path})
	}
	for i := range r.File.Ignore {
		e := &r.File.Ignore[i]
		value := fmt.Sprintf("%s in %s: %s", e.Rule, e.Path, e.Reason)
		if !e.Until.IsZero() {
			value += ", until " + e.Until.Format(time.DateOnly)
		}
		all = append(all, settingJSON{"ignore", value, fmt.Sprintf("%s:%d", r.File.Path, e.Line)})
	}
	return all
}
