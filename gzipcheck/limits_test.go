package gzipcheck

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
)

// Every limit is crossed by one unit and met exactly.
func TestLimits(t *testing.T) {
	three := forge.Sequence{member("a"), member("b"), member("c")}
	for _, tt := range []struct {
		name    string
		payload io.WriterTo
		key     string
		limit   uint64 // that the payload meets exactly
		offset  int64
	}{
		{"literals", member("hello"), "gzip.max-decompressed-size", 5, 14},
		{"stored bytes", forge.Gzip{Body: forge.StoredBlocks([]byte("hello"))}, "gzip.max-decompressed-size", 5, 19},
		{"a match", forge.Gzip{Body: forge.Zeros(1 + 258)}, "gzip.max-decompressed-size", 259, 28},
		{"output of several members", three, "gzip.max-decompressed-size", 3, 53},
		{"members", three, "gzip.max-members", 3, 42},
		{"FNAME", forge.Gzip{Name: "12345"}, "gzip.max-header-size", 5, 14},
		{"FEXTRA", forge.Gzip{RawExtra: []byte("12345")}, "gzip.max-header-size", 5, 10},
		{"FEXTRA, FNAME and FCOMMENT", forge.Gzip{RawExtra: []byte("12"), Name: "34", Comment: "5"}, "gzip.max-header-size", 5, 17},
		{"work of members without output", forge.Sequence{forge.Gzip{}, forge.Gzip{}}, "gzip.max-work", 2 * (256 + 8), 30},
		{"work of blocks with output", forge.Gzip{Body: func(d *forge.Deflate) {
			d.Dynamic(false, forge.CodesFor([]uint{'x', forge.EndOfBlock}, nil))
			d.Write([]byte("x"))
			d.EndBlock()
			d.Fixed(true)
			d.EndBlock()
		}}, "gzip.max-work", 256 + 1024, 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := write(t, tt.payload)
			var lim Limits
			field := fieldOf(t, tt.key)
			*field(&lim) = tt.limit
			m, err := Measure(src, lim)
			require.NoError(t, err, "N passes")
			require.True(t, m.Complete)

			*field(&lim) = tt.limit - 1
			m, err = Measure(src, lim)
			require.Error(t, err, "N+1 fails")
			v := m.Violations.Kept()[len(m.Violations.Kept())-1]
			require.Equal(t, tt.key, v.Rule.LimitKey)
			require.Equal(t, strings.Replace(v.Rule.ID, "/", ".max-", 1), v.Rule.LimitKey, "the rule is named for its key")
			limit, _ := v.LimitValue.Get()
			require.Equal(t, tt.limit-1, limit)
			require.False(t, m.Complete)

			for name, chunked := range chunkings {
				again, err := MeasureReader(chunked(bytes.NewReader(src)), -1, lim)
				require.Error(t, err, name)
				require.Equal(t, m, again, name)
			}
		})
	}
}

// How much of a name was counted once depended on how much of it arrived with
// the byte that is too much.
func TestNameFarOverTheLimit(t *testing.T) {
	src := write(t, forge.Gzip{Name: strings.Repeat("n", 100)})
	lim := Limits{MaxHeaderSize: 5}
	m, err := Measure(src, lim)
	require.Error(t, err)
	require.EqualValues(t, 6, m.LargestHeader)
	for name, chunked := range chunkings {
		again, err := MeasureReader(chunked(bytes.NewReader(src)), -1, lim)
		require.Error(t, err, name)
		require.Equal(t, m, again, name)
	}
}

func fieldOf(t *testing.T, key string) func(*Limits) *uint64 {
	t.Helper()
	for _, f := range LimitTable() {
		if f.Key == key {
			return f.Field
		}
	}
	require.Fail(t, "no such limit", key)
	return nil
}

func TestRatio(t *testing.T) {
	bomb := write(t, forge.Gzip{Body: forge.Zeros(64 << 20)})
	m, err := Measure(bomb, Limits{MaxRatio: 1032})
	require.NoError(t, err, "deflate cannot exceed 1032")
	require.True(t, m.Complete)

	m, err = Measure(bomb, Limits{MaxRatio: 100})
	require.ErrorContains(t, err, "gzip/ratio")
	require.Less(t, m.Decompressed, uint64(2<<20), "refused as soon as the output is past 1 MiB")
	again, err := MeasureReader(chunkings["one byte a read"](bytes.NewReader(bomb)), -1, Limits{MaxRatio: 100})
	require.Error(t, err)
	require.Equal(t, m, again)

	small := write(t, forge.Gzip{Body: forge.Zeros(1 << 20)})
	_, err = Measure(small, Limits{MaxRatio: 2})
	require.NoError(t, err, "output of 1 MiB is not judged by its ratio")

	// The ratio is that of the input so far: what comes later cannot excuse it.
	_, err = Measure(write(t, forge.Sequence{forge.Gzip{Body: forge.Zeros(2 << 20)}, forge.Gzip{Body: forge.StoredBlocks(make([]byte, 1<<16-1))}}), Limits{MaxRatio: 100})
	require.ErrorContains(t, err, "gzip/ratio")
}

func TestLimitTableCoversEveryField(t *testing.T) {
	lim := Limits{}
	for i, f := range LimitTable() {
		*f.Field(&lim) = uint64(i + 1)
	}
	require.Equal(t, Limits{MaxDecompressedSize: 1, MaxRatio: 2, MaxMembers: 3, MaxHeaderSize: 4, MaxWork: 5}, lim)
}
