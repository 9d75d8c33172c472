package gzipcheck

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"
	"testing/iotest"

	kgzip "github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
)

// fuzzLimits keep what one input of the fuzzer can cost small.
var fuzzLimits = Limits{MaxDecompressedSize: 64 << 10, MaxHeaderSize: 64 << 10}

func addSeeds(f *testing.F) {
	for _, c := range payloadCases() {
		f.Add(write(f, c.payload))
	}
	f.Add(write(f, forge.Gzip{Body: func(d *forge.Deflate) {
		d.Dynamic(false, forge.CodesFor([]uint{'a', 'b', 257, 264, forge.EndOfBlock}, []uint{0, 1, 4}))
		d.Write([]byte("abab"))
		d.Match(3, 2)
		d.Match(10, 1)
		d.EndBlock()
		d.SyncFlush()
		d.Fixed(true)
		d.Write([]byte("end"))
		d.EndBlock()
	}}))
}

// FuzzGzipMeasure holds that what Measure accepts is what other decoders make
// of it: the same length, and nothing that they refuse.
func FuzzGzipMeasure(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		m, err := Measure(src, fuzzLimits)
		out, decodeErr := NewDecoder(fuzzLimits).Decode(nil, src)
		if err != nil {
			require.Error(t, decodeErr)
		}
		if err == nil && decodeErr != nil {
			require.ErrorContains(t, decodeErr, "gzip/crc-mismatch")
		}
		if decodeErr == nil {
			require.Equal(t, m.Decompressed, uint64(len(out)))
			if m.TrailingZeros == 0 {
				require.Equal(t, out, inflateWith(t, kgzip.NewReader, src), "klauspost")
			}
			return
		}
		if m.Violations.Count("gzip/decompressed-size")+m.Violations.Count("gzip/header-size") > 0 {
			return
		}
		if z, err := kgzip.NewReader(bytes.NewReader(src)); err == nil {
			_, err = io.Copy(io.Discard, z)
			require.Error(t, err, "klauspost accepts what we refuse: %v", decodeErr)
		}
	})
}

// inflateWith decodes src with another library, whose limit on the length of
// names is its own.
func inflateWith[R io.Reader](t *testing.T, open func(io.Reader) (R, error), src []byte) []byte {
	z, err := open(bytes.NewReader(src))
	if err != nil {
		require.ErrorIs(t, err, gzip.ErrHeader)
		t.Skip("a name of more than 511 bytes")
	}
	out, err := io.ReadAll(z)
	if err != nil {
		require.ErrorIs(t, err, gzip.ErrHeader)
		t.Skip("a name of more than 511 bytes")
	}
	return append([]byte(nil), out...)
}

// FuzzGzipChunks holds that verdict, rules, offsets and counts do not depend
// on how the bytes arrive, and that Reader sees what Measure sees.
func FuzzGzipChunks(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		want, wantErr := Measure(src, fuzzLimits)
		for _, r := range []io.Reader{bytes.NewReader(src), iotest.OneByteReader(bytes.NewReader(src)), iotest.HalfReader(bytes.NewReader(src))} {
			m, err := MeasureReader(r, int64(len(src)), fuzzLimits)
			require.Equal(t, want, m)
			require.Equal(t, wantErr, err)
		}
		_, whole, _ := readAll(bytes.NewReader(src), fuzzLimits, true)
		_, bytewise, _ := readAll(iotest.OneByteReader(bytes.NewReader(src)), fuzzLimits, true)
		require.Equal(t, whole, bytewise)
		if whole.Violations.Count("gzip/crc-mismatch") == 0 {
			require.Equal(t, want.Complete, whole.Complete)
			require.Equal(t, ids(&want.Violations), ids(&whole.Violations))
		}
	})
}
