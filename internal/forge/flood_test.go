package forge

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEmptyBlocks(t *testing.T) {
	for _, tt := range []struct {
		name      string
		btype     uint
		blockBits int64
	}{
		{"stored", BlockStored, 40},
		{"fixed", BlockFixed, 10},
		{"dynamic", BlockDynamic, 92},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, n := range []uint64{0, 1, 7, 8, 9, 17, 50_001} {
				stream, d := run(t, func(d *Deflate) {
					d.Fixed(More)
					d.WriteString("a") // leaves the stream off a byte boundary
					d.EndBlock()
					d.EmptyBlocks(tt.btype, n)
					d.Fixed(Final)
					d.WriteString("b")
					d.EndBlock()
				})
				require.Equal(t, "ab", string(inflate(t, stream)))
				require.Equal(t, uint64(2), d.Length())
				require.InDelta(t, int64(n)*tt.blockBits/8, len(stream), 8, "%d blocks", n)
			}
		})
	}
}

func TestEmptyBlocksOfNoType(t *testing.T) {
	d := NewDeflate(io.Discard)
	d.EmptyBlocks(BlockReserved, 1)
	require.EqualError(t, d.Flush(), "forge: no block of type 3 is empty")
}

func TestEmptyBlocksEndWithTheWriter(t *testing.T) {
	d := NewDeflate(&fullWriter{1 << 20})
	d.EmptyBlocks(BlockDynamic, 1<<60)
	require.ErrorIs(t, d.Flush(), errFull)
}

func TestTimes(t *testing.T) {
	small := Bytes("ab")
	large := Sequence{Fill{'a', maxHeld}, Bytes("b")}
	require.Equal(t, "ababab", string(bytesOf(t, Times{small, 3})))
	require.Empty(t, bytesOf(t, Times{small, 0}))
	require.Equal(t, bytesOf(t, Sequence{large, large}), bytesOf(t, Times{large, 2}))
}

func TestTimesHandsOnErrors(t *testing.T) {
	for name, p := range map[string]io.WriterTo{
		"of a small payload": Bytes("abc"),
		"of a large payload": Fill{0, 1 << 50},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Times{p, 1 << 50}.WriteTo(&fullWriter{2 << 20})
			require.ErrorIs(t, err, errFull)
		})
	}
	broken := Gzip{Body: func(d *Deflate) { d.Match(1, 1) }}
	_, err := Times{broken, 2}.WriteTo(io.Discard)
	require.ErrorContains(t, err, "no match has length 1")
}

// Four million fixed blocks, each after a block of other codes, made four
// million code sets.
func BenchmarkFixedBlocks(b *testing.B) {
	d := NewDeflate(io.Discard)
	b.ReportAllocs()
	for b.Loop() {
		d.Fixed(More)
		d.EndBlock()
		d.fixed = false
	}
}

// The fixed codes are shared by all streams: codes set later must not end up in
// them.
func TestFixedCodesStayAfterOtherCodes(t *testing.T) {
	_, _ = run(t, func(d *Deflate) {
		d.Fixed(More)
		d.EndBlock()
		d.Dynamic(Final, CodesFor([]uint{'a'}, []uint{0}))
		d.EndBlock()
	})
	stream, _ := run(t, Text("plain text"))
	require.Equal(t, "plain text", string(inflate(t, stream)))
}

func TestFixedCodesAreTheCallersOwn(t *testing.T) {
	codes := FixedCodes()
	clear(codes.LitLen)
	stream, _ := run(t, Text("plain text"))
	require.Equal(t, "plain text", string(inflate(t, stream)))
}
