package forge

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPayloads(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    io.WriterTo
		want string
	}{
		{"bytes", Bytes("abc"), "abc"},
		{"fill", Fill{'x', 5}, "xxxxx"},
		{"fill of nothing", Fill{'x', 0}, ""},
		{"sequence", Sequence{Bytes("a"), Sequence{Bytes("b"), Bytes("c")}}, "abc"},
		{"repeat", Repeat{Bytes("ab"), 3}, "ababab"},
		{"repeat nothing", Repeat{Bytes(""), 3}, ""},
		{"head", Head{Repeat{Bytes("ab"), 3}, 3}, "aba"},
		{"head longer than all", Head{Bytes("ab"), 3}, "ab"},
		{"without end", WithoutEnd{Sequence{Bytes("ab"), Bytes("c"), Bytes("d")}, 3}, "a"},
		{"without more than all", WithoutEnd{Bytes("ab"), 3}, ""},
		{"func", Func(func(w io.Writer) error { _, err := w.Write([]byte("abc")); return err }), "abc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, string(bytesOf(t, tt.p)))
		})
	}
}

func TestLargePayloadsAreWhole(t *testing.T) {
	const n = 10*chunk + 7
	require.Len(t, bytesOf(t, Fill{0, n}), n)
	require.Equal(t, bytes.Repeat([]byte("abc"), n), bytesOf(t, Repeat{Bytes("abc"), n}))
	require.Len(t, bytesOf(t, WithoutEnd{Fill{0, n}, 100}), n-100)
}

type fullWriter struct{ room int }

var errFull = errors.New("no space left")

func (f *fullWriter) Write(p []byte) (int, error) {
	if len(p) > f.room {
		return f.room, errFull
	}
	f.room -= len(p)
	return len(p), nil
}

func TestWriteErrorsEndThePayload(t *testing.T) {
	for name, p := range map[string]io.WriterTo{
		"fill":        Fill{0, 1 << 50},
		"repeat":      Repeat{Bytes("abc"), 1 << 50},
		"sequence":    Sequence{Fill{0, 1 << 20}, Fill{0, 1 << 50}},
		"head":        Head{Fill{0, 1 << 50}, 1 << 40},
		"without end": WithoutEnd{Fill{0, 1 << 50}, 10},
		"bomb":        Bomb(1<<60, 0),
		"literals":    Gzip{Body: Literals(Fill{0, 1 << 50})},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := p.WriteTo(&fullWriter{2 << 20})
			require.ErrorIs(t, err, errFull)
		})
	}
}

func TestCombine(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 5000)
	for i := range text {
		text[i] = byte(rng.Uint32())
	}
	for range 100 {
		at, times := rng.IntN(len(text)), rng.IntN(20)
		a, b := text[:at], text[at:]
		require.Equal(t, crc32.ChecksumIEEE(text), combine(crc32.ChecksumIEEE(a), crc32.ChecksumIEEE(b), uint64(len(b))))
		require.Equal(t, crc32.ChecksumIEEE(bytes.Repeat(b, times)), repeated(crc32.ChecksumIEEE(b), uint64(len(b)), uint64(times)))
	}
}

// The sum of 1 TiB of zeros is that of 64 MiB of them, doubled 14 times.
func TestCRCOfATebibyte(t *testing.T) {
	sum, n := crc32.ChecksumIEEE(make([]byte, 64<<20)), uint64(64<<20)
	for n < 1<<40 {
		sum, n = combine(sum, sum, n), 2*n
	}
	d := NewDeflate(io.Discard)
	Zeros(1 << 40)(d)
	require.NoError(t, d.Flush())
	require.Equal(t, uint64(1<<40), d.Length())
	require.Equal(t, sum, d.CRC())
	require.Less(t, d.Written(), int64(1<<40/1032+100))
}

func TestRuns(t *testing.T) {
	content := Sequence{Fill{0, 1}, Fill{1, 2}, Fill{2, 3}, Fill{3, 259}, Fill{4, 1000}, Bytes("end")}
	require.Equal(t, bytesOf(t, content), gunzip(t, bytesOf(t, Gzip{Body: Runs(content)})))
}

// Two layers shrink a gigabyte to about a thousand bytes.
func TestRunsAroundABomb(t *testing.T) {
	outer := bytesOf(t, Gzip{Body: Runs(Bomb(1<<30, 1<<30))})
	require.Less(t, len(outer), 2000)
	inner := gunzip(t, outer)
	require.Equal(t, sha256.Sum256(bytesOf(t, Bomb(1<<30, 1<<30))), sha256.Sum256(inner))
}
