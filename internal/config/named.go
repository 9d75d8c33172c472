package config

import (
	"fmt"
	"strings"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/catalog"
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
	return rule.Rule{}, fmt.Errorf("unknown rule %q%s", id, suggestion(id, ids))
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
		suggestion(name, names), strings.Join(names, ", "))
}

// limitNamed returns the limit with this key, or an error that suggests the
// closest.
func limitNamed(key string) (rule.LimitField[inspect.Limits], error) {
	var keys []string
	for _, f := range inspect.LimitTable() {
		if f.Key == key {
			return f, nil
		}
		keys = append(keys, f.Key)
	}
	return rule.LimitField[inspect.Limits]{}, fmt.Errorf("unknown limit %q%s", key, suggestion(key, keys))
}
