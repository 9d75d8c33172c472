package msgpack_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/forge/msgpack"
)

func ExampleFormat_Of() {
	fmt.Printf("% x\n", msgpack.Array32.Of(0xffffffff))
	fmt.Printf("% x\n", msgpack.FixMap.Of(3))
	fmt.Printf("% x\n", msgpack.Uint16.Of(5))
	// Output:
	// dd ff ff ff ff
	// 83
	// cd 00 05
}

func hexOf(t *testing.T, p io.WriterTo) string {
	t.Helper()
	var out bytes.Buffer
	_, err := p.WriteTo(&out)
	require.NoError(t, err)
	return hex.EncodeToString(out.Bytes())
}

func TestEncodings(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    io.WriterTo
		want string
	}{
		{"nil", msgpack.Nil, "c0"},
		{"int 127", msgpack.Int(127), "7f"},
		{"int 128", msgpack.Int(128), "cc80"},
		{"int 65536", msgpack.Int(65536), "ce00010000"},
		{"int 2^32", msgpack.Int(1 << 32), "cf0000000100000000"},
		{"int −1", msgpack.Int(-1), "ff"},
		{"int −33", msgpack.Int(-33), "d0df"},
		{"int −129", msgpack.Int(-129), "d1ff7f"},
		{"int −32769", msgpack.Int(-32769), "d2ffff7fff"},
		{"int least", msgpack.Int(math.MinInt64), "d38000000000000000"},
		{"float", msgpack.Float(1), "cb3ff0000000000000"},
		{"str", msgpack.Str("a"), "a161"},
		{"str wider than needed", msgpack.Str32.With("a"), "db0000000161"},
		{"bin", msgpack.Bin("a"), "c40161"},
		{"ext 1", msgpack.Ext(5, "a"), "d40561"},
		{"ext 3", msgpack.Ext(-2, "abc"), "c703fe616263"},
		{"ext of nothing", msgpack.Ext(5, ""), "c70005"},
		{"array", msgpack.Array(msgpack.Nil, msgpack.True), "92c0c3"},
		{"map", msgpack.Map(msgpack.Str("a"), msgpack.False), "81a161c2"},
		{"array of 16", msgpack.ArrayOf(16), "dc0010"},
		{"array of 65536", msgpack.ArrayOf(65536), "dd00010000"},
		{"map of 16", msgpack.MapOf(16), "de0010"},
		{"map of 65536", msgpack.MapOf(65536), "df00010000"},
		{"timestamp 32", msgpack.Timestamp32(1), "d6ff00000001"},
		{"timestamp 64", msgpack.Timestamp64(1, 1<<30-1), "d7fffffffffc00000001"},
		{"timestamp 96", msgpack.Timestamp96(-1, 2), "c70cff00000002ffffffffffffffff"},
		{"nested promises", forge.Repeat{Payload: msgpack.Array16.Of(4096), N: 3}, "dc1000dc1000dc1000"},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, hexOf(t, tt.p)) })
	}
}

func TestShortestFormsAreReadByMsgp(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 4, 8, 16, 31, 32, 255, 256, 65535, 65536} {
		text := strings.Repeat("x", n)
		for _, p := range []forge.Bytes{msgpack.Str(text), msgpack.Bin(text), msgpack.Ext(7, text)} {
			rest, err := msgp.Skip(p)
			require.NoError(t, err, "%d bytes: % x", n, p[:min(len(p), 8)])
			require.Empty(t, rest)
		}
	}
}
