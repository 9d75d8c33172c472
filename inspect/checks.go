package inspect

import (
	"github.com/harden-input/harden/jsoncheck"
	"github.com/harden-input/harden/msgpackcheck"
)

// optionalChecks maps the rules that an optional check finds to what turns the
// check on. A check runs where its rule is not off.
func optionalChecks() map[string]func(*Limits) {
	json := func(c jsoncheck.Checks) func(*Limits) {
		return func(l *Limits) { l.JSON.Checks |= c }
	}
	msgpack := func(c msgpackcheck.Checks) func(*Limits) {
		return func(l *Limits) { l.Msgpack.Checks |= c }
	}
	return map[string]func(*Limits){
		"json/duplicate-key":      json(jsoncheck.DuplicateKeys),
		"json/duplicate-key-fold": json(jsoncheck.FoldedKeys),
		"json/lone-surrogate":     json(jsoncheck.LoneSurrogates),
		"msgpack/utf8":            msgpack(msgpackcheck.UTF8),
		"msgpack/duplicate-key":   msgpack(msgpackcheck.DuplicateKeys),
		"msgpack/key-type":        msgpack(msgpackcheck.KeyType),
		"msgpack/ext-type":        msgpack(msgpackcheck.ExtType),
		"msgpack/non-canonical":   msgpack(msgpackcheck.Canonical),
	}
}

// appendCheck names an optional check that ran, and whether in full.
func appendCheck(checked []string, ran bool, name string, full bool) []string {
	switch {
	case !ran:
		return checked
	case !full:
		name += " (in part)"
	}
	return append(checked, name)
}
