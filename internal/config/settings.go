package config

import (
	"fmt"
	"strings"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/spell"
	"github.com/harden-input/harden/rule"
)

// Settings are what a user wrote: flags, which win over the file, which wins
// over the profile.
type Settings struct {
	Profile    string   // "": the file's, or default
	Limits     []string // KEY=VALUE
	Severities []string // RULE=LEVEL
	FailOn     string   // "": the file's, or error
	Chain      string
	Records    string // "" for none
	File       *File  // nil: none
}

// Resolved is what settings come to.
type Resolved struct {
	Config  inspect.Config
	Profile string
	File    *File // nil: none
	// Loosened says what the file allows that would not be without it.
	Loosened []string

	// from says where profile and fail-on, each limit and each severity come
	// from, where that is not the profile.
	from map[string]string
}

// Resolve settles what holds. A file that was found and that loosens anything
// is a *LooseningError.
func (s Settings) Resolve() (*Resolved, error) {
	r, err := s.resolve()
	if err != nil || s.File == nil {
		return r, err
	}
	without := s
	without.File = nil
	base, err := without.resolve()
	if err != nil {
		return nil, err
	}
	if err := r.compare(base); err != nil {
		return nil, err
	}
	return r, nil
}

func (s Settings) resolve() (*Resolved, error) {
	r := &Resolved{File: s.File, from: map[string]string{}}
	file := s.File
	if file == nil {
		file = &File{}
	}
	r.Profile = r.choose("profile", s.Profile, file.profile, "default")
	profile, err := Profile(r.Profile)
	if err != nil {
		return nil, err
	}
	r.Config = inspect.Config{Limits: profile.Limits, Severities: map[string]rule.Severity{}, Defaults: profile.Defaults}
	for id, level := range profile.Severities {
		r.Config.Severities[id] = level
	}
	for _, l := range file.limits {
		if err := r.limit(l.key, l.value, file.line(l)); err != nil {
			return nil, file.at(lineError(l.line, err))
		}
	}
	for _, l := range s.Limits {
		key, value, ok := strings.Cut(l, "=")
		if !ok {
			return nil, fmt.Errorf("limit %q: write KEY=VALUE, as in gzip.max-members=16", l)
		}
		if err := r.limit(key, value, "--limit"); err != nil {
			return nil, err
		}
	}
	for _, l := range file.severities {
		if err := r.severity(l.key, l.value, file.line(l)); err != nil {
			return nil, file.at(lineError(l.line, err))
		}
	}
	for _, l := range s.Severities {
		id, level, ok := strings.Cut(l, "=")
		if !ok {
			return nil, fmt.Errorf("severity %q: write RULE=LEVEL, as in gzip/multi-member=error", l)
		}
		if err := r.severity(id, level, "--severity"); err != nil {
			return nil, err
		}
	}
	if r.Config.FailOn, err = parseFailOn(r.choose("fail-on", s.FailOn, file.failOn, rule.Error.String())); err != nil {
		return nil, err
	}
	if s.Records != "" {
		if r.Config.Records, err = inspect.ParseRecords(s.Records); err != nil {
			return nil, err
		}
	}
	r.Config.Chain, err = inspect.ParseChain(s.Chain)
	return r, err
}

// choose picks a single value by precedence, and notes where it comes from.
func (r *Resolved) choose(key, flag string, file setting, otherwise string) string {
	switch {
	case flag != "":
		r.from[key] = "--" + key
		return flag
	case file.key != "":
		r.from[key] = r.File.line(file)
		return file.value
	}
	r.from[key] = "built in"
	return otherwise
}

func (r *Resolved) limit(key, value, from string) error {
	r.from[key] = from
	r.Config.OnPurpose = append(r.Config.OnPurpose, key)
	return spell.SetLimit(&r.Config.Limits, key, value)
}

func (r *Resolved) severity(id, level, from string) error {
	s, err := parseSeverity(id, level)
	r.from[id] = from
	r.Config.Severities[id] = s
	return err
}

// From says where the value of a key ("profile", "fail-on", a limit, a rule's
// ID) comes from.
func (r *Resolved) From(key string) string {
	if from, ok := r.from[key]; ok {
		return from
	}
	return "profile " + r.Profile
}

// Severity returns what violations of a rule weigh.
func (r *Resolved) Severity(of *rule.Rule) rule.Severity {
	p := inspect.Profile{Severities: r.Config.Severities, Defaults: r.Config.Defaults}
	return p.Severity(of)
}

// line is where in the file s stands.
func (f *File) line(s setting) string { return fmt.Sprintf("%s:%d", f.Path, s.line) }

func parseSeverity(id, level string) (rule.Severity, error) {
	if _, err := Rule(id); err != nil {
		return rule.Off, err
	}
	s, err := rule.ParseSeverity(level)
	if err != nil {
		return s, fmt.Errorf("severity of %s: %w", id, err)
	}
	// Whether a rule may have a severity does not depend on the rest.
	_, err = inspect.New(inspect.Config{Severities: map[string]rule.Severity{id: s}})
	return s, err
}

func parseFailOn(level string) (rule.Severity, error) {
	s, err := rule.ParseSeverity(level)
	if err != nil || s == rule.Off {
		return s, fmt.Errorf("fail-on %q: use note, warning or error", level)
	}
	return s, nil
}
