package inspect

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChainLooks(t *testing.T) {
	const (
		magic = "\x1f\x8b\x08"
		array = "\x92\x01\x02"
	)
	for _, c := range []struct {
		name, chain, window string
		named, want         bool
	}{
		{"gzip", "auto", magic, false, true},
		{"json", "auto", `{"a":1}`, false, true},
		{"a number that nobody named", "auto", "123", false, false},
		{"a number that somebody named", "auto", "123", true, true},
		{"msgpack that nobody named", "auto", array, false, false},
		{"msgpack that somebody named", "auto", array, true, true},
		{"text", "auto", "hello, world", true, false},
		{"nothing", "auto", "", true, false},
		{"outermost layer", "gzip+json", magic, false, true},
		{"inner layer alone", "gzip+json", `{"a":1}`, true, false},
		{"inner layer of one that may be missing", "gzip?+json", `{"a":1}`, false, true},
		{"layers that may be missing", "gzip?+gzip?+msgpack", array, false, true},
		{"neither", "gzip?+json", array, true, false},
		{"msgpack that the chain names", "msgpack", array, false, true},
		{"a number that the chain names", "json", "123", false, true},
		{"text longer than detection looks at", "json", `"` + strings.Repeat("a", 2*detectWindow), false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			chain, err := ParseChain(c.chain)
			require.NoError(t, err)
			require.Equal(t, c.want, chain.Looks([]byte(c.window), true, c.named))
		})
	}
}
