package hosttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCommands: what the module does is what the native program does.
func TestCommands(t *testing.T) {
	for _, tt := range []struct {
		name  string
		args  string
		stdin string
	}{
		{"filter hands on what is clean", "filter --as json", `{"a":1}`},
		{"filter holds back what is not", "filter --as json", `{"a":1`},
		{"filter judges records", "filter --records ndjson", "{}\n{\n{}\n"},
		{"decode writes JSON", "decode --as msgpack", "\x81\xa1a\x01"},
		{"explain", "explain gzip/isize-forged", ""},
		{"rules", "rules --output json", ""},
		{"limits", "limits", ""},
		{"config", "config show --no-config", ""},
		{"forge gzip", "forge gzip --size 1MiB --isize 4GiB", ""},
		{"forge msgpack", "forge msgpack --array 4294967295", ""},
		{"forge json", "forge json --depth 1000", ""},
		{"report as text", "inspect - --verbose", "\xdd\xff\xff\xff\xff"},
		{"report as JSON", "inspect - --output json", "\xdd\xff\xff\xff\xff"},
		{"report as NDJSON", "inspect - --output ndjson", "\xdd\xff\xff\xff\xff"},
		{"report as SARIF", "inspect - --output sarif", "\xdd\xff\xff\xff\xff"},
		{"report as JUnit", "inspect - --output junit", "\xdd\xff\xff\xff\xff"},
		{"report as annotations", "inspect - --output github", "\xdd\xff\xff\xff\xff"},
		{"exit code of one's own", "inspect - --exit-code 10", "[1,]"},
		{"empty stdin is undecided", "inspect -", ""},
		{"no command", "", ""},
		{"unknown flag", "inspect --nope -", ""},
		{"help", "inspect --help", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			call := func() Call { return Call{Args: strings.Fields(tt.args), Stdin: strings.NewReader(tt.stdin)} }
			native := RunNative(t.Context(), t, t.TempDir(), call())
			require.Empty(t, native.Trap)
			Each(t, func(t *testing.T, h Host) {
				r, err := h.Run(t.Context(), call())
				require.NoError(t, err)
				require.Equal(t, native, r)
			})
		})
	}
}

// TestNotUnderWASI: what needs processes or threads says so.
func TestNotUnderWASI(t *testing.T) {
	for _, tt := range []struct{ name, args, says string }{
		{"a consumer", "filter --as json -- cat", "WASI has none"},
		{"several jobs", "inspect --jobs 2 -", "WASI has no threads"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			Each(t, func(t *testing.T, h Host) {
				r, err := h.Run(t.Context(), Call{Args: strings.Fields(tt.args), Stdin: strings.NewReader(`{"a":1}`)})
				require.NoError(t, err)
				require.Equal(t, 2, r.Exit, r)
				require.Empty(t, r.Stdout)
				require.Contains(t, r.Stderr, tt.says)
			})
		})
	}
}
