package config

import (
	"fmt"
	"strings"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/rule"
)

// Settings are what a user wrote, in the order of precedence: flags over the
// profile.
type Settings struct {
	Profile    string
	Limits     []string // KEY=VALUE
	Severities []string // RULE=LEVEL
	FailOn     string
	Chain      string
	Records    string // "" for none
}

// Apply builds the configuration that s describes.
func (s Settings) Apply() (inspect.Config, error) {
	profile, ok := inspect.ProfileNamed(s.Profile)
	if !ok {
		var names []string
		for _, p := range inspect.Profiles() {
			names = append(names, p.Name)
		}
		return inspect.Config{}, fmt.Errorf("unknown profile %q%s (profiles: %s)", s.Profile,
			suggestion(s.Profile, names), strings.Join(names, ", "))
	}
	cfg := inspect.Config{Limits: profile.Limits, Severities: map[string]rule.Severity{}, Defaults: profile.Defaults}
	for id, level := range profile.Severities {
		cfg.Severities[id] = level
	}
	for _, l := range s.Limits {
		key, value, ok := strings.Cut(l, "=")
		if !ok {
			return cfg, fmt.Errorf("limit %q: write KEY=VALUE, as in gzip.max-members=16", l)
		}
		if err := SetLimit(&cfg.Limits, key, value); err != nil {
			return cfg, err
		}
		cfg.OnPurpose = append(cfg.OnPurpose, key)
	}
	for _, l := range s.Severities {
		id, level, ok := strings.Cut(l, "=")
		if !ok {
			return cfg, fmt.Errorf("severity %q: write RULE=LEVEL, as in gzip/multi-member=error", l)
		}
		if err := setSeverity(&cfg, id, level); err != nil {
			return cfg, err
		}
	}
	var err error
	if cfg.FailOn, err = parseFailOn(s.FailOn); err != nil {
		return cfg, err
	}
	if s.Records != "" {
		if cfg.Records, err = inspect.ParseRecords(s.Records); err != nil {
			return cfg, err
		}
	}
	cfg.Chain, err = inspect.ParseChain(s.Chain)
	return cfg, err
}

func setSeverity(cfg *inspect.Config, id, level string) error {
	var ids []string
	for _, r := range inspect.Rules() {
		ids = append(ids, r.ID)
		if r.ID == id {
			s, err := rule.ParseSeverity(level)
			if err != nil {
				return fmt.Errorf("severity of %s: %w", id, err)
			}
			cfg.Severities[id] = s
			return nil
		}
	}
	return fmt.Errorf("unknown rule %q%s", id, suggestion(id, ids))
}

func parseFailOn(level string) (rule.Severity, error) {
	s, err := rule.ParseSeverity(level)
	if err != nil || s == rule.Off {
		return s, fmt.Errorf("fail-on %q: use note, warning or error", level)
	}
	return s, nil
}
