package msgpackcheck

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// suiteCase is one encoding of msgpack-test-suite and the value it encodes.
type suiteCase struct {
	group   string
	value   map[string]json.RawMessage
	encoded []byte
}

func suite(t testing.TB) (cases []suiteCase) {
	t.Helper()
	const file = "../../shared/testdata/msgpack-test-suite/msgpack-test-suite.json"
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		t.Skipf("conformance data is missing: %s", file)
	}
	require.NoError(t, err)
	var groups map[string][]map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(text, &groups))
	for group, values := range groups {
		for _, value := range values {
			var encodings []string
			require.NoError(t, json.Unmarshal(value["msgpack"], &encodings))
			delete(value, "msgpack")
			for _, e := range encodings {
				b, err := hex.DecodeString(strings.ReplaceAll(e, "-", ""))
				require.NoError(t, err)
				cases = append(cases, suiteCase{group, value, b})
			}
		}
	}
	return cases
}

func TestSuiteIsAcceptedAndDecoded(t *testing.T) {
	cases := suite(t)
	require.Len(t, cases, 233)
	for _, c := range cases {
		t.Run(c.group+"/"+hex.EncodeToString(c.encoded), func(t *testing.T) {
			m, err := Measure(c.encoded, DefaultLimits().with(UTF8|DuplicateKeys|KeyType))
			require.NoError(t, err)
			require.True(t, m.Complete)
			var d Decoder
			v, err := d.Decode(c.encoded)
			require.NoError(t, err)
			requireSuiteValue(t, c.value, v)
			v, err = d.DecodeReader(strings.NewReader(string(c.encoded)))
			require.NoError(t, err)
			requireSuiteValue(t, c.value, v)
		})
	}
}

// requireSuiteValue asserts that got is the value that the suite describes.
func requireSuiteValue(t *testing.T, want map[string]json.RawMessage, got any) {
	t.Helper()
	for typ, raw := range want {
		switch typ {
		case "binary":
			var text string
			require.NoError(t, json.Unmarshal(raw, &text))
			require.Equal(t, unhex(t, text), got)
			return
		case "ext":
			var e []any
			require.NoError(t, json.Unmarshal(raw, &e))
			require.Equal(t, Ext{Type: int8(e[0].(float64)), Data: unhex(t, e[1].(string))}, got)
			return
		case "timestamp":
			var e [2]int64
			require.NoError(t, json.Unmarshal(raw, &e))
			require.Equal(t, time.Unix(e[0], e[1]).UTC(), got)
			return
		case "bignum":
			var text string
			require.NoError(t, json.Unmarshal(raw, &text))
			require.Equal(t, text, exact(t, got).RatString())
			return
		case "number":
			if _, both := want["bignum"]; both {
				continue
			}
			n, ok := new(big.Rat).SetString(string(raw))
			require.True(t, ok)
			if f, isFloat := got.(float64); isFloat && f != math.Trunc(f) {
				w, _ := n.Float64()
				require.Equal(t, w, f)
				return
			}
			require.Equal(t, n.RatString(), exact(t, got).RatString())
			return
		default: // nil, bool, string, array, map
			text, err := json.Marshal(got)
			require.NoError(t, err)
			require.JSONEq(t, string(raw), string(text))
			return
		}
	}
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	require.NoError(t, err)
	return b
}

// exact returns a decoded number.
func exact(t *testing.T, v any) *big.Rat {
	t.Helper()
	switch v := v.(type) {
	case int64:
		return new(big.Rat).SetInt64(v)
	case uint64:
		return new(big.Rat).SetUint64(v)
	case float64:
		return new(big.Rat).SetFloat64(v)
	}
	require.Failf(t, "not a number", "%T", v)
	return nil
}

func TestEveryPrefixOfTheSuiteIsRefused(t *testing.T) {
	for _, c := range suite(t) {
		for n := range c.encoded {
			m, err := Measure(c.encoded[:n], DefaultLimits())
			require.Error(t, err)
			require.False(t, m.Complete)
			id := m.Violations.Kept()[0].Rule.ID
			require.Contains(t, []string{"msgpack/truncated", "msgpack/header-oversized"}, id)
		}
	}
}
