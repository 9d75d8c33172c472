package gzipcheck

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/rule"
)

func TestMeasure(t *testing.T) {
	for _, c := range payloadCases() {
		t.Run(c.name, func(t *testing.T) {
			m, err := Measure(write(t, c.payload), DefaultLimits())
			require.Equal(t, c.rules, ids(&m.Violations))
			if len(c.rules) > 0 {
				first := m.Violations.Kept()[0]
				require.Equal(t, c.offset, first.Offset)
				require.Contains(t, first.Error(), c.text)
			}
			if m.Complete {
				require.Equal(t, c.length, m.Decompressed)
			}
			require.Equal(t, m.Violations.Err(), err)
			stops := false
			for _, v := range m.Violations.Kept() {
				stops = stops || v.Rule.Stops
			}
			require.Equal(t, !stops, m.Complete, "a measurement is complete unless a rule stopped it")
		})
	}
}

// chunkings are ways for the same bytes to arrive.
var chunkings = map[string]func(io.Reader) io.Reader{
	"whole":            func(r io.Reader) io.Reader { return r },
	"one byte a read":  iotest.OneByteReader,
	"half reads":       iotest.HalfReader,
	"error with bytes": iotest.DataErrReader,
}

func TestMeasureReaderAgreesWithMeasure(t *testing.T) {
	for _, c := range payloadCases() {
		src := write(t, c.payload)
		want, wantErr := Measure(src, DefaultLimits())
		for name, chunked := range chunkings {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				m, err := MeasureReader(chunked(bytes.NewReader(src)), int64(len(src)), DefaultLimits())
				require.Equal(t, want, m)
				require.Equal(t, wantErr, err)
			})
		}
	}
}

func TestMeasureReaderErrors(t *testing.T) {
	src := write(t, member("hello"))
	cut := errors.New("connection reset")
	for _, tt := range []struct {
		name string
		r    io.Reader
		size int64
		want error
	}{
		{"the reader's own error", io.MultiReader(bytes.NewReader(src[:12]), iotest.ErrReader(cut)), -1, cut},
		{"unexpected EOF of the reader", io.MultiReader(bytes.NewReader(src[:12]), iotest.ErrReader(io.ErrUnexpectedEOF)), -1, io.ErrUnexpectedEOF},
		{"no progress", io.MultiReader(bytes.NewReader(src[:12]), stuck{}), -1, io.ErrNoProgress},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := MeasureReader(tt.r, tt.size, DefaultLimits())
			require.ErrorIs(t, err, tt.want)
			require.False(t, m.Complete)
			var v *rule.Violation
			require.False(t, errors.As(err, &v), "the payload is not at fault")
		})
	}
	t.Run("the input is not as long as it was said to be", func(t *testing.T) {
		for _, size := range []int64{0, int64(len(src)) - 1, int64(len(src)) + 1} {
			_, err := MeasureReader(bytes.NewReader(src), size, DefaultLimits())
			require.Equal(t, &SizeError{Said: size, Read: int64(len(src))}, err)
		}
	})
}

// stuck is a reader that never returns anything.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestISIZEWraps(t *testing.T) {
	const fourGiB = 1 << 32
	src := write(t, forge.Gzip{Body: forge.Zeros(fourGiB + 26)})
	m, err := Measure(src, Limits{})
	require.NoError(t, err)
	require.True(t, m.Complete)
	require.Equal(t, uint64(fourGiB+26), m.Decompressed)
	require.Equal(t, []string{"gzip/isize-wrapped"}, ids(&m.Violations))
	require.Contains(t, m.Violations.Kept()[0].Error(), "trailer can only say 26 bytes of a member that holds 4294967322")
}

func TestMeasurementCounts(t *testing.T) {
	src := write(t, forge.Sequence{
		forge.Gzip{Name: "abc", Body: func(d *forge.Deflate) {
			d.Stored(false, []byte("stored"))
			d.Dynamic(false, forge.CodesFor([]uint{'x', forge.EndOfBlock}, nil))
			d.Write([]byte("x"))
			d.EndBlock()
			d.Fixed(true)
			d.EndBlock()
		}},
		member("hello"),
	})
	m, err := Measure(src, DefaultLimits())
	require.NoError(t, err)
	m.Violations = rule.List{}
	require.Equal(t, Measurement{
		Complete: true, Compressed: uint64(len(src)), Decompressed: 12, Members: 2, LargestMember: 7, LargestHeader: 3,
		StoredBlocks: 1, FixedBlocks: 2, DynamicBlocks: 1, Work: 2*256 + 1024 + 3*8,
	}, m)
}

func TestMeasureAllocatesNothingForCleanPayloads(t *testing.T) {
	src := write(t, forge.Sequence{forge.Gzip{Name: "report.txt", HeaderCRC: true, Body: forge.Zeros(1 << 20)}})
	lim := DefaultLimits()
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if m, err := Measure(src, lim); err != nil || !m.Complete {
			t.Fatal(err)
		}
	}))
}

func TestRefusalAllocatesLittle(t *testing.T) {
	for _, c := range payloadCases() {
		t.Run(c.name, func(t *testing.T) {
			src := write(t, c.payload)
			d := NewDecoder(DefaultLimits())
			require.Less(t, allocatedBytes(func() { _, _ = Measure(src, DefaultLimits()) }), uint64(4<<10))
			if m, err := Measure(src, DefaultLimits()); err != nil {
				require.Less(t, allocatedBytes(func() { _, _ = d.Decode(nil, src) }), uint64(4<<10), "%v", m)
			}
		})
	}
}

// allocatedBytes is what one call of f allocates, once pools are warm.
func allocatedBytes(f func()) uint64 {
	const runs = 50
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // pools stay warm
	f()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		f()
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / runs
}
