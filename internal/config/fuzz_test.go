package config

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/rule"
)

// FuzzParse holds that a file is refused or settles, and that one that was
// found never allows more than there would be without it.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"profile: gateway\nfail-on: note",
		"limits:\n  gzip:\n    max-members: 16\n  json.max-depth: none",
		"severity: {gzip/multi-member: error, json/duplicate-key: off}",
		"exclude: ['**/x', a]\nignore:\n  - {rule: gzip/members, path: a, reason: b, until: 2027-01-01}",
		"limits.json.max-tracked-keys: 1",
		"a: &a [*a]",
	} {
		f.Add([]byte(seed))
	}
	base, err := Settings{Chain: "auto"}.Resolve()
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse("x.yaml", "", data)
		if err != nil {
			return
		}
		_, err = Settings{Chain: "auto", File: file}.Resolve()
		require.NoError(t, err, "what parses can be used")
		file.Ignores(rule.Error, time.Time{}).Apply(inspect.NewReport())
		file.Found = true
		r, err := Settings{Chain: "auto", File: file}.Resolve()
		if err != nil {
			return
		}
		require.Empty(t, file.Exclude())
		require.Empty(t, file.Ignore)
		require.LessOrEqual(t, r.Config.FailOn, base.Config.FailOn)
		for _, field := range inspect.LimitTable() {
			was, is := *field.Field(&base.Config.Limits), *field.Field(&r.Config.Limits)
			require.True(t, was == 0 || is != 0 && is <= was, "%s: %d, was %d", field.Key, is, was)
		}
		for _, of := range inspect.Rules() {
			require.GreaterOrEqual(t, r.Severity(&of), base.Severity(&of), of.ID)
		}
	})
}
