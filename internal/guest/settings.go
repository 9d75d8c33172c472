// Package guest is the side of a sandbox that is inside: it reads settings as
// JSON, judges one payload and writes the report as JSON. The reactor module
// exports it, and the CLI's module has a command for it.
package guest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/spell"
	"github.com/harden-input/harden/rule"
)

// ABI is the version of the interface between a host and the modules.
const ABI = 1

// maxSettings bounds settings, in bytes.
const maxSettings = 64 << 10

// Settings say how a payload is judged, in the words of .harden.yaml and of the
// flags of harden inspect. What is left out has the profile's value.
type Settings struct {
	Profile  string                   `json:"profile,omitempty"`
	Limits   map[string]Amount        `json:"limits,omitempty"`
	Severity map[string]rule.Severity `json:"severity,omitempty"`
	FailOn   *rule.Severity           `json:"fail-on,omitempty"`
	As       string                   `json:"as,omitempty"`
	Records  string                   `json:"records,omitempty"`
	Shallow  bool                     `json:"shallow,omitempty"`
	// OnUnknown is "skip" or "undecided", for a payload in no known format.
	OnUnknown string `json:"on-unknown,omitempty"`

	// What follows is for hosts that speak for an inspect.Config.

	// Defaults are Config.Defaults where they are not the profile's.
	Defaults map[string]rule.Severity `json:"default-severity,omitempty"`
	// OnPurpose is Config.OnPurpose where that is not the keys of Limits.
	OnPurpose *[]string `json:"on-purpose,omitempty"`
	// Walked is Input.Walked.
	Walked bool `json:"walked,omitempty"`
	// Whole gives a stream of records one verdict, as Inspector.Inspect does.
	Whole bool `json:"whole,omitempty"`
}

// An Amount is a limit as flags have it: digits, "64MiB", "30s" or "none". JSON
// may write digits as a number.
type Amount string

// UnmarshalJSON reads a string or a number.
func (a *Amount) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, (*string)(a))
	}
	var n json.Number
	if err := json.Unmarshal(text, &n); err != nil || n == "" {
		return errors.New(`write a limit as a number, or as a string such as "64MiB", "30s" or "none"`)
	}
	*a = Amount(n)
	return nil
}

// SettingsOf returns settings that come to cfg. They say where its limits are
// not those of the default profile, which a guest reads faster than all of them.
func SettingsOf(cfg *inspect.Config) *Settings {
	s := &Settings{
		Limits: map[string]Amount{}, Severity: cfg.Severities, Defaults: cfg.Defaults,
		As: cfg.Chain.String(), Records: string(cfg.Records), Shallow: cfg.Shallow,
	}
	lim, usual := cfg.Limits, inspect.DefaultLimits()
	for _, f := range inspect.LimitTable() {
		if n := *f.Field(&lim); n != *f.Field(&usual) {
			s.Limits[f.Key] = Amount(spell.FormatLimit(f.Unit, n))
		}
	}
	onPurpose := append([]string{}, cfg.OnPurpose...)
	s.OnPurpose = &onPurpose
	if cfg.FailOn != rule.Off {
		s.FailOn = &cfg.FailOn
	}
	return s
}

// ParseSettings reads settings. A key that does not exist is an error, and so
// is one that is there twice.
func ParseSettings(text []byte) (*Settings, error) {
	if len(text) > maxSettings {
		return nil, fmt.Errorf("settings: %d bytes, allowed are %d", len(text), maxSettings)
	}
	s := &Settings{}
	fields := map[string]any{
		"profile": &s.Profile, "limits": &s.Limits, "severity": &s.Severity, "fail-on": &s.FailOn,
		"as": &s.As, "records": &s.Records, "shallow": &s.Shallow, "on-unknown": &s.OnUnknown,
		"default-severity": &s.Defaults, "on-purpose": &s.OnPurpose, "walked": &s.Walked, "whole": &s.Whole,
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil, errors.New(`settings: expected a JSON object, such as {"profile":"gateway"}`)
	}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("settings: %w", err)
		}
		key := token.(string) // the decoder accepts no other name
		to, ok := fields[key]
		if !ok {
			return nil, fmt.Errorf("settings: unknown key, or one that is there twice: %q%s", key, spell.Suggestion(key, slices.Sorted(maps.Keys(fields))))
		}
		delete(fields, key)
		if err := d.Decode(to); err != nil {
			return nil, fmt.Errorf("settings: %s: %w", key, err)
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("settings: something follows the JSON object")
	}
	return s, nil
}

// Config returns what s comes to.
func (s *Settings) Config() (inspect.Config, error) {
	profile := inspect.Profiles()[0]
	if s.Profile != "" {
		var ok bool
		if profile, ok = inspect.ProfileNamed(s.Profile); !ok {
			return inspect.Config{}, unknownProfile(s.Profile)
		}
	}
	cfg := inspect.Config{Limits: profile.Limits, Severities: maps.Clone(profile.Severities), Defaults: profile.Defaults, Shallow: s.Shallow}
	for _, key := range slices.Sorted(maps.Keys(s.Limits)) {
		if err := spell.SetLimit(&cfg.Limits, key, string(s.Limits[key])); err != nil {
			return cfg, err
		}
		cfg.OnPurpose = append(cfg.OnPurpose, key)
	}
	if s.OnPurpose != nil {
		cfg.OnPurpose = *s.OnPurpose
	}
	if s.Severity != nil && cfg.Severities == nil {
		cfg.Severities = map[string]rule.Severity{}
	}
	if s.Defaults != nil {
		cfg.Defaults = s.Defaults
	}
	// Whether the rules exist, and may have these severities, inspect.New says.
	maps.Copy(cfg.Severities, s.Severity)
	var err error
	if s.As != "" {
		if cfg.Chain, err = inspect.ParseChain(s.As); err != nil {
			return cfg, err
		}
	}
	if s.Records != "" {
		if cfg.Records, err = inspect.ParseRecords(s.Records); err != nil {
			return cfg, err
		}
	}
	if s.FailOn != nil {
		if cfg.FailOn = *s.FailOn; cfg.FailOn == rule.Off {
			return cfg, errors.New("fail-on: use note, warning or error")
		}
	}
	return cfg, nil
}

func unknownProfile(name string) error {
	var names []string
	for _, p := range inspect.Profiles() {
		names = append(names, p.Name)
	}
	return fmt.Errorf("unknown profile %q%s", name, spell.Suggestion(name, names))
}

// unknown reads on-unknown.
func (s *Settings) unknown() (inspect.Unknown, error) {
	if s.OnUnknown == "" {
		return inspect.UnknownByName, nil
	}
	return inspect.ParseUnknown(s.OnUnknown)
}
