// Package catalog lists every rule of every command in one place, for those
// that explain rules or list them.
package catalog

import (
	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/transcode"
	"github.com/harden-input/harden/rule"
)

// Rules returns the rules that an inspection raises, then those that harden
// decode adds.
func Rules() []rule.Rule { return append(inspect.Rules(), transcode.Rules...) }

// Rule returns the rule with this ID, and whether there is one.
func Rule(id string) (r rule.Rule, ok bool) {
	for _, r := range Rules() {
		if r.ID == id {
			return r, true
		}
	}
	return rule.Rule{}, false
}
