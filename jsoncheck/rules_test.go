package jsoncheck

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/rule"
)

func TestRulesAreWellFormed(t *testing.T) {
	keys := map[string]bool{}
	for _, f := range LimitTable() {
		keys[f.Key] = true
	}
	seen := map[string]bool{}
	for _, r := range Rules {
		name, found := strings.CutPrefix(r.ID, "json/")
		require.True(t, found, r.ID)
		require.False(t, seen[r.ID], r.ID)
		seen[r.ID] = true
		for _, text := range []string{r.Title, r.Why, r.Fix} {
			require.NotEmpty(t, text, r.ID)
		}
		require.False(t, strings.HasSuffix(r.Title, "."), r.ID)
		require.NotEmpty(t, r.CWE, r.ID)
		require.Equal(t, r.Kind == rule.Limit, r.LimitKey != "", r.ID)
		if r.Stops {
			require.Equal(t, rule.Error, r.Default, r.ID)
		}
		switch {
		case name == "duplicate-unchecked":
			require.Equal(t, "json.max-tracked-keys", r.LimitKey)
		case r.LimitKey != "":
			require.Equal(t, "json.max-"+name, r.LimitKey)
			require.True(t, keys[r.LimitKey], r.ID)
		}
	}
	require.Len(t, seen, 18)
}
