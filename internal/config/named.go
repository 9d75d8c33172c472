// Package config turns what people write in flags and files into settings, with
// errors that say what to write instead.
package config

import (
	"fmt"
	"strings"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/catalog"
	"github.com/harden-input/harden/internal/spell"
	"github.com/harden-input/harden/rule"
)

// Rule returns the rule with this ID, or an error that suggests the closest.
func Rule(id string) (rule.Rule, error) {
	var ids []string
	for _, r := range catalog.Rules() {
		if r.ID == id {
			return r, nil
		}
		ids = append(ids, r.ID)
	}
	return rule.Rule{}, fmt.Errorf("unknown rule %q%s", id, spell.Suggestion(id, ids))
}

// Profile returns the profile with this name, or an error that suggests the
// closest and lists all.
func Profile(name string) (inspect.Profile, error) {
	if p, ok := inspect.ProfileNamed(name); ok {
		return p, nil
	}
	var names []string
	for _, p := range inspect.Profiles() {
		names = append(names, p.Name)
	}
	return inspect.Profile{}, fmt.Errorf("unknown profile %q%s (profiles: %s)", name,
		spell.Suggestion(name, names), strings.Join(names, ", "))
}
