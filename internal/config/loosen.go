package config

import (
	"fmt"
	"strings"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/spell"
	"github.com/harden-input/harden/rule"
)

// A LooseningError refuses a file that was found and that allows more than
// would be allowed without it: whoever wrote the tree that is judged could
// otherwise open the gate that judges it.
type LooseningError struct {
	File *File
	Key  string // the first key that loosens
	line int
	what string
	more int // other things that are loosened
}

func (e *LooseningError) Error() string {
	more := ""
	if e.more > 0 {
		more = fmt.Sprintf(" (and %d more)", e.more)
	}
	return fmt.Sprintf("%s:%d: %s%s: a configuration file that nobody named may only tighten; accept it with --trust-config or --config %s, leave it out with --no-config",
		e.File.Path, e.line, e.what, more, e.File.Path)
}

// A loosening is one thing that a file allows.
type loosening struct {
	at   setting
	what string
}

// compare fills in what the file loosens against base, which is without it.
func (r *Resolved) compare(base *Resolved) error {
	all := r.looserLimits(base)
	all = append(all, r.looserSeverities(base)...)
	if was, is := base.Config.FailOn, r.Config.FailOn; is > was {
		all = append(all, loosening{r.File.failOn, fmt.Sprintf("fail-on: from %s to %s", was, is)})
	}
	for _, s := range r.File.exclude {
		all = append(all, loosening{s, "exclude: " + s.value})
	}
	for i := range r.File.Ignore {
		e := &r.File.Ignore[i]
		all = append(all, loosening{setting{key: "ignore", line: e.Line}, fmt.Sprintf("ignore: %s in %s", e.Rule, e.Path)})
	}
	for _, l := range all {
		r.Loosened = append(r.Loosened, l.what)
	}
	if len(all) == 0 || !r.File.Found {
		return nil
	}
	return &LooseningError{File: r.File, Key: all[0].at.key, line: all[0].at.line, what: all[0].what, more: len(all) - 1}
}

func (r *Resolved) looserLimits(base *Resolved) []loosening {
	var all []loosening
	for _, l := range r.LooserLimits(base) {
		all = append(all, loosening{r.File.cause(r.File.limits, l.Key), "limits." + l.String()})
	}
	return all
}

// A LooserLimit is a limit that allows more than another.
type LooserLimit struct {
	Key, From, To string // the limits as SetLimit reads them
}

// String reads like "gzip.max-members: from 16 to none".
func (l LooserLimit) String() string { return fmt.Sprintf("%s: from %s to %s", l.Key, l.From, l.To) }

// LooserLimits returns the limits of r that allow more than those of base.
func (r *Resolved) LooserLimits(base *Resolved) []LooserLimit {
	var all []LooserLimit
	for _, f := range inspect.LimitTable() {
		was, is := *f.Field(&base.Config.Limits), *f.Field(&r.Config.Limits)
		if rule.Exceeds(is, was) || is == 0 && was != 0 || is != was && r.stopsChecking(f.Key, is, was) {
			all = append(all, LooserLimit{f.Key, spell.FormatLimit(f.Unit, was), spell.FormatLimit(f.Unit, is)})
		}
	}
	return all
}

// stopsChecking reports whether a lower limit on tracked keys lets pass what
// rejected before: a check for duplicate keys that gives up earlier is looser
// where giving up does not reject and duplicates do.
func (r *Resolved) stopsChecking(key string, is, was uint64) bool {
	format, ok := strings.CutSuffix(key, ".max-tracked-keys")
	if !ok || was != 0 && is > was {
		return false
	}
	rejects := func(name string) bool {
		found, err := Rule(format + "/" + name)
		return err == nil && r.Severity(&found) >= r.Config.FailOn
	}
	return rejects("duplicate-key") && !rejects("duplicate-unchecked")
}

func (r *Resolved) looserSeverities(base *Resolved) []loosening {
	var all []loosening
	for _, of := range inspect.Rules() {
		if was, is := base.Severity(&of), r.Severity(&of); is < was {
			all = append(all, loosening{r.File.cause(r.File.severities, of.ID),
				fmt.Sprintf("severity.%s: from %s to %s", of.ID, was, is)})
		}
	}
	return all
}

// cause is the setting of the file that decides key: its own, or the profile.
func (f *File) cause(settings []setting, key string) setting {
	for _, s := range settings {
		if s.key == key {
			return s
		}
	}
	return f.profile
}
