package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLooserLimits(t *testing.T) {
	for _, c := range []struct {
		name, profile, limit string
		want                 []LooserLimit
	}{
		{"lower", "default", "json.max-depth=499", nil},
		{"equal", "default", "json.max-depth=500", nil},
		{"higher", "default", "json.max-depth=501", []LooserLimit{{"json.max-depth", "500", "501"}}},
		{"none for one", "default", "json.max-depth=none", []LooserLimit{{"json.max-depth", "500", "none"}}},
		{"one for none", "unlimited", "json.max-depth=501", nil},
		{"a check that gives up earlier", "strict", "json.max-tracked-keys=1", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			base, err := Settings{Profile: c.profile, Chain: "auto"}.Resolve()
			require.NoError(t, err)
			r, err := Settings{Profile: c.profile, Chain: "auto", Limits: []string{c.limit}}.Resolve()
			require.NoError(t, err)
			require.Equal(t, c.want, r.LooserLimits(base))
		})
	}
}
