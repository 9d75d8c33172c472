package kubewarden

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/forge/msgpack"
)

// A field is refused where an inspector refuses what is in it, and accepted
// where it does not. What is base64 itself can be read in two ways, and is left
// out here.
func FuzzValidateNeverAcceptsARefusedField(f *testing.F) {
	chains := []string{"auto", "gzip", "json", "msgpack", "gzip+json", "gzip?+msgpack"}
	for i := range chains {
		for _, payload := range []string{`{"a":1}`, `[1,`, "\xdd\xff\xff\xff\xff", "\x1f\x8b\x08", "", "hello, world"} {
			f.Add([]byte(payload), uint8(i), i%2 == 0)
		}
		for _, payload := range []string{
			encoded(f, gzipOf(`{"a":[]}`)), encoded(f, forgedISIZE()), encoded(f, forge.Bomb(1<<20, 5)),
			encoded(f, msgpack.Map32.Of(math.MaxUint32)), encoded(f, forge.Gzip{Body: forge.StoredBlocks([]byte(`"a`))}),
		} {
			decoded, err := base64.StdEncoding.DecodeString(payload)
			require.NoError(f, err)
			f.Add(decoded, uint8(i), i%2 == 1)
		}
	}
	f.Fuzz(func(t *testing.T, payload []byte, n uint8, twice bool) {
		if _, err := takeBase64Off(payload); err == nil {
			t.Skip()
		}
		name := chains[int(n)%len(chains)]
		chain, err := inspect.ParseChain(name)
		require.NoError(t, err)
		ins, err := inspect.New(inspect.Config{Limits: inspect.DefaultLimits(), Chain: chain})
		require.NoError(t, err)
		want := ins.Inspect(context.Background(), inspect.Bytes("payload", payload))

		field := base64.StdEncoding.EncodeToString(payload)
		if twice {
			// The bytes under the first base64 are text, and so in none of the
			// formats but for what could be a JSON number.
			if inner := []byte(field); chain.Looks(inner, true, true) || !chain.Looks(payload, true, true) {
				t.Skip()
			}
			field = base64.URLEncoding.EncodeToString([]byte(field))
		}
		response := validated(t, fmt.Sprintf(`{"request":{"payload":%q},"settings":{"chain":%q,"limits":{"input.max-time":"1m"}}}`, field, name))
		require.Equal(t, want.Verdict == inspect.Clean, response.Accepted, response.Message)
	})
}

// Whatever is on stdin, there is one answer, and what is accepted is a request
// that encoding/json reads too.
func FuzzValidateAnswersEverything(f *testing.F) {
	for _, seed := range []string{
		`{"request":{"payload":"e30="},"settings":{"chain":"json","fields":["/payload","/*/0"]}}`,
		`{"settings":{"limits":{"json":{"max-depth":5}}},"request":null}`,
		`{"settings":{"fields":["/object/data/*"]},"request":{"object":{"data":{"a":"H4sIAAAA"}}}}`,
		`{"request":["a",{"b":"\u0063"}],"settings":{"fields":["/0","/1/b"],"require-format":true}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if response := validated(t, string(input)); response.Accepted {
			var read struct{ Request any }
			require.NoError(t, json.Unmarshal(input, &read))
		}
		validateSettings(t, string(input))
	})
}
