package kubewarden

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/rule"
)

func validateSettings(t *testing.T, settings string) SettingsResponse {
	var out bytes.Buffer
	require.NoError(t, ValidateSettings(strings.NewReader(settings), &out))
	var response SettingsResponse
	require.NoError(t, json.Unmarshal(out.Bytes(), &response))
	return response
}

func TestValidSettings(t *testing.T) {
	for _, c := range []struct{ name, settings string }{
		{"none", `{}`},
		{"null", `null`},
		{"profile", `{"profile":"gateway"}`},
		{"fail-on", `{"fail-on":"note"}`},
		{"chain", `{"chain":"gzip?+msgpack"}`},
		{"auto", `{"chain":"auto"}`},
		{"require-format", `{"require-format":true}`},
		{"a limit as a number", `{"limits":{"gzip.max-members":16}}`},
		{"a limit as a size", `{"limits":{"gzip.max-decompressed-size":"1MiB"}}`},
		{"a limit below its format", `{"limits":{"gzip":{"max-members":16,"max-work":"1000"}}}`},
		{"a limit as the profile has it", `{"limits":{"json.max-depth":500}}`},
		{"a limit that the profile does not have", `{"profile":"unlimited","limits":{"json.max-depth":50000}}`},
		{"none where the profile has none", `{"limits":{"gzip.max-ratio":"none"}}`},
		{"more time", `{"limits":{"input.max-time":"8s"}}`},
		{"fields", `{"fields":["/object/data/*","/a~1b/0",""]}`},
		{"32 fields", `{"fields":[` + strings.TrimSuffix(strings.Repeat(`"/a",`, 32), ",") + `]}`},
		{"16 steps", `{"fields":["` + strings.Repeat("/a", 16) + `"]}`},
		{"space around", " \n{ \"chain\" : \"gzip\" , \"fields\" : [ \"/a\" , \"/b\" ] }\n"},
		{"an escaped name", `{"\u0063hain":"gzip"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, SettingsResponse{Valid: true}, validateSettings(t, c.settings))
		})
	}
}

func TestInvalidSettingsSayWhatToWrite(t *testing.T) {
	for _, c := range []struct{ name, settings, message string }{
		{"empty", ``, `settings: input/empty`},
		{"not JSON", `{`, `json/truncated`},
		{"two values", `{} {}`, `json/trailing-data`},
		{"a list", `[]`, `not an object: write {"fields": ["/payload"]}`},
		{"a key twice", `{"chain":"gzip","chain":"json"}`, `json/duplicate-key`},
		{"too deep", strings.Repeat(`{"limits":`, 9) + `1` + strings.Repeat(`}`, 9), `json/depth`},
		{"too long", `{"chain":"` + strings.Repeat("a", maxSettings) + `"}`, `longer than the 65536 bytes`},
		{"unknown", `{"chian":"gzip"}`, `unknown setting "chian": did you mean chain? (settings: profile, fail-on, limits, chain, fields, require-format)`},
		{"unknown by case", `{"Chain":"gzip"}`, `did you mean chain?`},
		{"nothing like it", `{"xyzzy":1}`, `unknown setting "xyzzy" (settings: `},
		{"unknown profile", `{"profile":"gatway"}`, `unknown profile "gatway": did you mean gateway?`},
		{"empty profile", `{"profile":""}`, `profile is empty: leave it out`},
		{"profile of another type", `{"profile":null}`, `profile: write a string`},
		{"unknown fail-on", `{"fail-on":"fatal"}`, `fail-on`},
		{"fail-on off", `{"fail-on":"off"}`, `use note, warning or error`},
		{"unknown format", `{"chain":"zip"}`, `unknown format "zip": use gzip, json, msgpack`},
		{"chain that makes no sense", `{"chain":"json+gzip"}`, `nothing can be inside json`},
		{"empty chain", `{"chain":""}`, `chain is empty`},
		{"require-format of another type", `{"require-format":"yes"}`, `require-format: write true or false`},
		{"limits of another type", `{"limits":["gzip.max-members"]}`, `limits: write an object`},
		{"unknown limit", `{"limits":{"gzip.max-member":1}}`, `unknown limit "gzip.max-member": did you mean gzip.max-members?`},
		{"unknown limit below its format", `{"limits":{"gzip":{"max-size":1}}}`, `unknown limit "gzip.max-size"`},
		{"limit of another type", `{"limits":{"gzip.max-members":true}}`, `gzip.max-members: write a number`},
		{"limit of zero", `{"limits":{"gzip.max-members":0}}`, `write none for no limit`},
		{"limit that is no count", `{"limits":{"gzip.max-members":1.5}}`, `is not a number of members`},
		{"limit that is negative", `{"limits":{"gzip.max-members":-1}}`, `is not a number of members`},
		{"limit set twice", `{"limits":{"gzip.max-members":1,"gzip":{"max-members":2}}}`, `gzip.max-members is set twice`},
		{"limit that loosens", `{"limits":{"json.max-depth":501}}`, `limits: json.max-depth: from 500 to 501: settings may only tighten the profile`},
		{"no limit where the profile has one", `{"limits":{"json.max-depth":"none"}}`, `from 500 to none`},
		{"no time limit", `{"limits":{"input.max-time":"none"}}`, `input.max-time is needed`},
		{"fields of another type", `{"fields":"/payload"}`, `fields: write a list of JSON Pointers`},
		{"no fields", `{"fields":[]}`, `fields is empty: name what to inspect`},
		{"field of another type", `{"fields":["/a",1]}`, `fields[1]: write a JSON Pointer`},
		{"33 fields", `{"fields":[` + strings.TrimSuffix(strings.Repeat(`"/a",`, 33), ",") + `]}`, `more than 32 pointers`},
		{"field without a slash", `{"fields":["payload"]}`, `pointer "payload": begin it with /`},
		{"field with a bad escape", `{"fields":["/a~2"]}`, `write ~0 for ~ and ~1 for /`},
		{"field with an escape cut off", `{"fields":["/a~"]}`, `write ~0 for ~`},
		{"17 steps", `{"fields":["` + strings.Repeat("/a", 17) + `"]}`, `more than 16 steps`},
		{"long field", `{"fields":["/` + strings.Repeat("a", maxPointer) + `"]}`, `longer than 1024 bytes`},
	} {
		t.Run(c.name, func(t *testing.T) {
			response := validateSettings(t, c.settings)
			require.False(t, response.Valid)
			require.Contains(t, response.Message, c.message)
			require.Less(t, len(response.Message), 2*maxMessage)
		})
	}
}

func TestSettingsMessagesAreSafeToPrint(t *testing.T) {
	for _, settings := range []string{
		`{"\u001b[2J\u202e":1}`, `{"profile":"\u001b[2J\u202e"}`, `{"chain":"\u001b[2J\u202e"}`, `{"fail-on":"\u001b[2J\u202e"}`,
		`{"fields":["\u001b[2J\u202e"]}`, `{"limits":{"\u001b[2J\u202e":1}}`, `{"limits":{"\u001b[2J\u202e":null}}`,
		`{"limits":{"json.max-depth":"\u001b[2J\u202e"}}`, `{"` + strings.Repeat(`\u001b`, 10000) + `":1}`,
	} {
		message := validateSettings(t, settings).Message
		require.NotEmpty(t, message)
		require.Equal(t, strings.ReplaceAll(message, `\`, `\\`), rule.Excerpt(message, len(message)))
		require.Less(t, len(message), 4*maxMessage)
	}
}

func TestTimeOfAPolicy(t *testing.T) {
	for _, c := range []struct {
		name, settings string
		want           time.Duration
	}{
		{"by default less than the server gives", `{}`, maxTime},
		{"profile with more", `{"profile":"bulk"}`, maxTime},
		{"profile without a limit", `{"profile":"unlimited"}`, maxTime},
		{"less on purpose", `{"limits":{"input.max-time":"50ms"}}`, 50 * time.Millisecond},
		{"more on purpose", `{"limits":{"input":{"max-time":"5s"}}}`, 5 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := parseSettings([]byte(c.settings))
			require.NoError(t, err)
			require.Equal(t, c.want, p.time)
		})
	}
}
