package gzipcheck

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/rule"
)

// readAll reads src to the end or the first error.
func readAll(r io.Reader, lim Limits, collect bool) ([]byte, Measurement, error) {
	z := NewReader(r, lim)
	defer z.Close()
	z.CollectAll(collect)
	out, err := io.ReadAll(z)
	return out, z.Measurement(), err
}

func TestReaderAgreesWithMeasure(t *testing.T) {
	for _, c := range payloadCases() {
		src := write(t, c.payload)
		want, wantErr := Measure(src, DefaultLimits())
		for name, chunked := range chunkings {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				out, m, err := readAll(chunked(bytes.NewReader(src)), DefaultLimits(), false)
				require.Equal(t, wantErr, err)
				if err == nil {
					require.Equal(t, want, m)
					require.Len(t, out, int(want.Decompressed))
				}
				out, m, err = readAll(chunked(bytes.NewReader(src)), DefaultLimits(), true)
				require.Equal(t, ids(&want.Violations), ids(&m.Violations))
				require.Equal(t, want.Complete, err == nil)
				if want.Complete {
					require.Equal(t, want, m)
					require.Len(t, out, int(want.Decompressed))
				}
			})
		}
	}
}

func TestReaderDeliversWhatComesBeforeTheViolation(t *testing.T) {
	for _, tt := range []struct {
		name    string
		payload io.WriterTo
		lim     Limits
		want    string
		rule    string
	}{
		{"forged trailer", forge.Gzip{Body: forge.Text("hello"), Trailer: isize(9)}, Limits{}, "hello", "gzip/isize-forged"},
		{"garbage behind", forge.Sequence{member("hello"), forge.Bytes("x")}, Limits{}, "hello", "gzip/trailing-garbage"},
		{"second member over the limit", forge.Sequence{member("hello"), member("world")}, Limits{MaxMembers: 1}, "hello", "gzip/members"},
		{"output limit", member("hello, world"), Limits{MaxDecompressedSize: 5}, "hello", "gzip/decompressed-size"},
		{"malformed block", forge.Gzip{Body: func(d *forge.Deflate) {
			d.Stored(false, []byte("hello"))
			d.BlockHeader(true, 3)
		}}, Limits{}, "hello", "gzip/deflate-malformed"},
	} {
		for name, chunked := range chunkings {
			t.Run(tt.name+"/"+name, func(t *testing.T) {
				out, m, err := readAll(chunked(bytes.NewReader(write(t, tt.payload))), tt.lim, false)
				var v *rule.Violation
				require.ErrorAs(t, err, &v)
				require.Equal(t, tt.rule, v.Rule.ID)
				require.Equal(t, tt.want, string(out))
				require.Equal(t, uint64(len(tt.want)), m.Decompressed)
			})
		}
	}
}

// A consumer that stops early must not be told of a violation that the
// measuring pass, a window ahead, has seen: it would depend on the window.
func TestReaderTellsOnlyWhatWasRead(t *testing.T) {
	src := write(t, forge.Gzip{Body: forge.Zeros(1 << 20)})
	z := NewReader(bytes.NewReader(src), Limits{MaxDecompressedSize: 1 << 19})
	defer z.Close()
	_, err := io.ReadFull(z, make([]byte, 100))
	require.NoError(t, err)
	m := z.Measurement()
	require.True(t, m.Violations.Empty())
	require.False(t, m.Complete)

	_, err = io.Copy(io.Discard, z)
	require.ErrorContains(t, err, "gzip/decompressed-size")
	m = z.Measurement()
	require.Equal(t, []string{"gzip/decompressed-size"}, ids(&m.Violations))
}

func TestReaderErrorsOfTheUnderlyingReader(t *testing.T) {
	src := write(t, member("hello"))
	cut := errors.New("connection reset")
	for n := range len(src) {
		_, m, err := readAll(io.MultiReader(bytes.NewReader(src[:n]), iotest.ErrReader(cut)), DefaultLimits(), false)
		require.ErrorIs(t, err, cut, "after %d bytes", n)
		var v *rule.Violation
		require.False(t, errors.As(err, &v))
		require.False(t, m.Complete)
	}
}

// Readers elsewhere have panicked when they were closed after a failed start.
func TestReaderIsSafeAfterErrors(t *testing.T) {
	for _, src := range [][]byte{nil, {0x1f}, {0x1f, 0x8b}, []byte("not gzip"), write(t, member("x"))[:19]} {
		z := NewReader(bytes.NewReader(src), DefaultLimits())
		_, first := io.ReadAll(z)
		require.Error(t, first)
		_, again := z.Read(make([]byte, 1))
		require.Equal(t, first, again, "an error stays")
		require.NoError(t, z.Close())
		require.NoError(t, z.Close())
		_, err := z.Read(make([]byte, 1))
		require.Error(t, err)
		require.Equal(t, Measurement{}, z.Measurement())
	}
	z := NewReader(bytes.NewReader(nil), DefaultLimits())
	require.NoError(t, z.Close(), "closed without a read")
}

// The inflater sees that a code cannot be in fewer bits than the measuring
// pass, which waits for a whole symbol: a cut there was reported as an error of
// ours.
func TestReaderCutWhereInflatersAlreadySeeABadSymbol(t *testing.T) {
	src := []byte("\x1f\x8b\b\x00000000$\x00\x00 ")
	_, want := Measure(src, DefaultLimits())
	_, _, err := readAll(bytes.NewReader(src), DefaultLimits(), false)
	require.Equal(t, want, err)
}
