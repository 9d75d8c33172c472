package fuzz

import (
	"sync"
	"time"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/config"
	"github.com/harden-input/harden/rule"
)

// withoutFile is what holds where there is no configuration file.
var withoutFile = sync.OnceValue(func() *config.Resolved {
	r, err := config.Settings{Chain: "auto"}.Resolve()
	if err != nil {
		panic(err)
	}
	return r
})

// Config holds that a configuration file is refused or can be used, and that one
// that was found never allows more than there would be without it.
func Config(data []byte) int {
	file, err := config.Parse("x.yaml", "", data)
	if err != nil {
		return ordinary
	}
	settings := config.Settings{Chain: "auto", File: file}
	if _, err := settings.Resolve(); err != nil {
		broken("what parses cannot be used: %v", err)
	}
	file.Ignores(rule.Error, time.Time{}).Apply(inspect.NewReport())
	file.Found = true
	r, err := settings.Resolve()
	if err != nil {
		return interesting
	}
	base := withoutFile()
	switch {
	case len(file.Exclude()) > 0:
		broken("a file that was found excludes %v", file.Exclude())
	case len(file.Ignore) > 0:
		broken("a file that was found ignores %v", file.Ignore)
	case r.Config.FailOn > base.Config.FailOn:
		broken("a file that was found fails on %v, not %v", r.Config.FailOn, base.Config.FailOn)
	}
	for _, f := range inspect.LimitTable() {
		if was, is := *f.Field(&base.Config.Limits), *f.Field(&r.Config.Limits); was != 0 && (is == 0 || is > was) {
			broken("a file that was found sets %s to %d, above %d", f.Key, is, was)
		}
	}
	for _, of := range inspect.Rules() {
		if r.Severity(&of) < base.Severity(&of) {
			broken("a file that was found calls %s a %v", of.ID, r.Severity(&of))
		}
	}
	return interesting
}
