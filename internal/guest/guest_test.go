package guest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/guest"
	"github.com/harden-input/harden/rule"
)

func TestSettingsThatAreRefused(t *testing.T) {
	for _, tt := range []struct{ name, settings, want string }{
		{"nothing", "", "expected a JSON object"},
		{"a list", "[]", "expected a JSON object"},
		{"cut off", `{"as":"json"`, "settings: "},
		{"two objects", "{}{}", "something follows the JSON object"},
		{"unknown key", `{"limit":{}}`, `\"limit\": did you mean limits?`},
		{"key in capitals", `{"As":"json"}`, `unknown key`},
		{"key twice", `{"as":"json","as":"msgpack"}`, "there twice"},
		{"unknown profile", `{"profile":"gatway"}`, `unknown profile \"gatway\": did you mean gateway?`},
		{"unknown limit", `{"limits":{"gzip.max-member":1}}`, "did you mean gzip.max-members?"},
		{"limit of zero", `{"limits":{"gzip.max-members":0}}`, "write none for no limit"},
		{"limit that is no number", `{"limits":{"gzip.max-members":true}}`, "limits: write a limit as a number"},
		{"limit in time without a unit", `{"limits":{"input.max-time":30}}`, "is not a duration"},
		{"unknown rule", `{"severity":{"gzip/x":"note"}}`, `unknown rule \"gzip/x\"`},
		{"unknown severity", `{"severity":{"gzip/multi-member":"fatal"}}`, "use off, note, warning or error"},
		{"severity of a rule that stops", `{"severity":{"gzip/truncated":"off"}}`, "cannot be below error"},
		{"fail on off", `{"fail-on":"off"}`, "fail-on: use note, warning or error"},
		{"chain", `{"as":"zip"}`, "zip"},
		{"records", `{"records":"csv"}`, "use ndjson or msgpack"},
		{"on-unknown", `{"on-unknown":"pass"}`, "use skip or undecided"},
		{"too long", `{"as":"` + strings.Repeat("a", 64<<10) + `"}`, "allowed are 65536"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var j guest.Judge
			answer := string(j.Bytes([]byte(tt.settings), "x", []byte("{}")))
			require.True(t, strings.HasPrefix(answer, `{"error":"`), answer)
			require.Contains(t, answer, tt.want)
		})
	}
}

func TestSettingsAreThoseOfFlags(t *testing.T) {
	s, err := guest.ParseSettings([]byte(`{"profile":"gateway","limits":{"input.max-size":"2MiB","gzip.max-members":4,"json.max-depth":"none"},
		"severity":{"gzip/multi-member":"warning"},"fail-on":"warning","as":"gzip+json","records":"ndjson","shallow":true}`))
	require.NoError(t, err)
	cfg, err := s.Config()
	require.NoError(t, err)
	gateway, _ := inspect.ProfileNamed("gateway")
	want := gateway.Limits
	want.Input.MaxSize, want.Gzip.MaxMembers, want.JSON.MaxDepth = 2<<20, 4, 0
	require.Equal(t, want, cfg.Limits)
	require.Equal(t, rule.Warning, cfg.Severities["gzip/multi-member"])
	require.Equal(t, rule.Warning, cfg.FailOn)
	require.Equal(t, "gzip+json", cfg.Chain.String())
	require.Equal(t, inspect.NDJSON, cfg.Records)
	require.True(t, cfg.Shallow)
	require.Equal(t, []string{"gzip.max-members", "input.max-size", "json.max-depth"}, cfg.OnPurpose)
}

// TestSettingsOf holds that settings made of a configuration come to it again.
func TestSettingsOf(t *testing.T) {
	for _, p := range inspect.Profiles() {
		t.Run(p.Name, func(t *testing.T) {
			cfg := inspect.Config{Limits: p.Limits, Severities: p.Severities, Defaults: p.Defaults, FailOn: rule.Note, OnPurpose: []string{"input.max-size"}}
			text, err := json.Marshal(guest.SettingsOf(&cfg))
			require.NoError(t, err)
			s, err := guest.ParseSettings(text)
			require.NoError(t, err)
			got, err := s.Config()
			require.NoError(t, err)
			require.Equal(t, cfg.Limits, got.Limits)
			require.Equal(t, cfg.OnPurpose, got.OnPurpose)
			require.Equal(t, cfg.FailOn, got.FailOn)
			require.Equal(t, len(cfg.Severities), len(got.Severities))
			require.Equal(t, len(cfg.Defaults), len(got.Defaults))
			for id := range cfg.Severities {
				require.Equal(t, cfg.Severities[id], got.Severities[id], id)
			}
			for id := range cfg.Defaults {
				require.Equal(t, cfg.Defaults[id], got.Defaults[id], id)
			}
		})
	}
}

func TestJudgeFollowsItsSettings(t *testing.T) {
	var j guest.Judge
	verdict := func(settings string) inspect.Verdict {
		var r inspect.Report
		require.NoError(t, json.Unmarshal(j.Bytes([]byte(settings), "x", []byte(`{"a":1}`)), &r))
		return r.Payloads[0].Verdict
	}
	require.Equal(t, inspect.Clean, verdict(`{}`))
	require.Equal(t, inspect.Rejected, verdict(`{"as":"msgpack"}`))
	require.Equal(t, inspect.Clean, verdict(`{}`))
	// Settings that were refused change nothing.
	require.Contains(t, string(j.Bytes([]byte(`{`), "x", nil)), "error")
	require.Equal(t, inspect.Clean, verdict(`{}`))
}

func TestFilesThatCannotBeReadAreUndecided(t *testing.T) {
	var j guest.Judge
	var r inspect.Report
	require.NoError(t, json.Unmarshal(j.File([]byte(`{}`), "x", filepath.Join(t.TempDir(), "gone")), &r))
	require.Equal(t, "input/unreadable", r.Payloads[0].Violations[0].Rule)
	require.NoError(t, json.Unmarshal(j.File([]byte(`{}`), "x", os.DevNull), &r))
	require.Equal(t, inspect.Undecided, r.Payloads[0].Verdict)
}

func FuzzParseSettings(f *testing.F) {
	f.Add([]byte(`{"profile":"gateway","limits":{"gzip.max-members":1}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := guest.ParseSettings(text)
		if err != nil {
			return
		}
		_, _ = s.Config()
	})
}
