package forge

import (
	"bytes"
	"compress/flate"
	"hash/crc32"
	"io"
	"testing"

	kflate "github.com/klauspost/compress/flate"
	"github.com/stretchr/testify/require"
)

// inflate returns what the standard library and klauspost's decoder both make
// of a raw stream.
func inflate(t *testing.T, stream []byte) []byte {
	t.Helper()
	std, err := io.ReadAll(flate.NewReader(bytes.NewReader(stream)))
	require.NoError(t, err, "compress/flate on %x", stream[:min(len(stream), 64)])
	other, err := io.ReadAll(kflate.NewReader(bytes.NewReader(stream)))
	require.NoError(t, err, "klauspost")
	require.True(t, bytes.Equal(std, other), "the two decoders differ")
	return std
}

// run returns the stream that body writes.
func run(t *testing.T, body Body) (stream []byte, d *Deflate) {
	t.Helper()
	var out bytes.Buffer
	d = NewDeflate(&out)
	body(d)
	require.NoError(t, d.Flush())
	require.Equal(t, int64(out.Len()), d.Written())
	return out.Bytes(), d
}

func TestDeflate(t *testing.T) {
	letters := CodesFor([]uint{'a', 'b', 257, 285}, []uint{0, 1})
	for _, tt := range []struct {
		name string
		body Body
		want string
	}{
		{"stored", func(d *Deflate) { d.Stored(Final, []byte("abc")) }, "abc"},
		{"stored in two blocks", func(d *Deflate) { d.Stored(Final, bytes.Repeat([]byte("x"), 65536)) }, string(bytes.Repeat([]byte("x"), 65536))},
		{"fixed", Text("abc\x00\xff"), "abc\x00\xff"},
		{"fixed with match", func(d *Deflate) {
			d.Fixed(Final)
			d.WriteString("ab")
			d.Match(5, 2)
			d.EndBlock()
		}, "abababa"},
		{"dynamic", func(d *Deflate) {
			d.Dynamic(Final, letters)
			d.WriteString("ab")
			d.Match(3, 2)
			d.Match(3, 1)
			d.EndBlock()
		}, "ababaaaa"},
		{"dynamic with end of block alone", func(d *Deflate) {
			d.Dynamic(Final, CodesFor(nil, nil))
			d.EndBlock()
		}, ""},
		{"dynamic with literals alone", func(d *Deflate) {
			d.Dynamic(Final, CodesFor([]uint{'a'}, nil))
			d.WriteString("aaa")
			d.EndBlock()
		}, "aaa"},
		{"sync flush between blocks", func(d *Deflate) {
			d.Fixed(More)
			d.WriteString("a")
			d.EndBlock()
			d.SyncFlush()
			d.Fixed(Final)
			d.Match(3, 1)
			d.EndBlock()
		}, "aaaa"},
		{"codes of 1 to 15 bits", func(d *Deflate) {
			codes := CodesFor(nil, nil)
			for i := range 15 {
				codes.LitLen['a'+i] = uint8(i + 1)
			}
			codes.LitLen[EndOfBlock] = 15
			d.Dynamic(Final, codes)
			d.WriteString("abcdefghijklmno")
			d.EndBlock()
		}, "abcdefghijklmno"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stream, d := run(t, tt.body)
			require.Equal(t, tt.want, string(inflate(t, stream)))
			require.Equal(t, uint64(len(tt.want)), d.Length())
			require.Equal(t, crc32.ChecksumIEEE([]byte(tt.want)), d.CRC())
		})
	}
}

func TestMatchOfEveryLength(t *testing.T) {
	for length := 3; length <= 258; length++ {
		stream, d := run(t, func(d *Deflate) {
			d.Fixed(Final)
			d.WriteString("xy")
			d.Match(length, 2)
			d.EndBlock()
		})
		require.Equal(t, 2+length, len(inflate(t, stream)), "length %d", length)
		require.Equal(t, uint64(2+length), d.Length())
	}
}

func TestMatchOfEveryDistance(t *testing.T) {
	var history [32768]byte
	for i := range history {
		history[i] = byte(i * i >> 7)
	}
	var distances []int
	for n := 1; n <= 32768; n *= 2 {
		distances = append(distances, n, max(1, n-1), min(n+1, 32768), n+n/2)
	}
	for _, distance := range distances {
		distance = min(distance, 32768)
		stream, d := run(t, func(d *Deflate) {
			d.Stored(More, history[:])
			d.Fixed(Final)
			d.Match(3, distance)
			d.EndBlock()
		})
		got := inflate(t, stream)
		require.Equal(t, crc32.ChecksumIEEE(got), d.CRC(), "distance %d", distance)
		at := len(history) - distance
		require.Equal(t, got[at], got[len(history)], "distance %d", distance)
	}
}

func TestRepeatedMatchesEqualSingleOnes(t *testing.T) {
	for _, tt := range []struct {
		name             string
		length, distance int
		times            uint64
	}{
		{"few", 3, 1, 7},
		{"2 bits more than a period", 258, 1, 33},
		{"with extra bits", 200, 700, 1000},
		{"far and long", 258, 32768, 2000},
		{"odd distance", 100, 777, 5000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			history := make([]byte, 32768)
			for i := range history {
				history[i] = byte(i * i >> 5)
			}
			body := func(matches func(d *Deflate)) Body {
				return func(d *Deflate) {
					d.Stored(More, history)
					d.Fixed(Final)
					d.WriteString("odd")
					matches(d)
					d.WriteString("end")
					d.EndBlock()
				}
			}
			many, d := run(t, body(func(d *Deflate) { d.Matches(tt.length, tt.distance, tt.times) }))
			single, _ := run(t, body(func(d *Deflate) {
				for range tt.times {
					d.Match(tt.length, tt.distance)
				}
			}))
			require.True(t, bytes.Equal(single, many))
			got := inflate(t, many)
			require.Equal(t, uint64(len(got)), d.Length())
			require.Equal(t, crc32.ChecksumIEEE(got), d.CRC())
		})
	}
}

func TestRun(t *testing.T) {
	for _, n := range []uint64{0, 1, 2, 3, 5, 260, 261, 262, 263, 1 << 20} {
		stream, d := run(t, func(d *Deflate) {
			d.Fixed(Final)
			d.Run([]byte("abc"), n)
			d.EndBlock()
		})
		want := bytes.Repeat([]byte("abc"), int(n/3+1))[:n]
		require.True(t, bytes.Equal(want, inflate(t, stream)), "%d bytes", n)
		require.Equal(t, crc32.ChecksumIEEE(want), d.CRC())
	}
}

func TestImpossibleCallsAreErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		body Body
		want string
	}{
		{"no block", func(d *Deflate) { d.WriteString("a") }, "forge: the block has no code for literal/length symbol 97"},
		{"no such code", func(d *Deflate) {
			d.Dynamic(Final, CodesFor([]uint{'b'}, nil))
			d.WriteString("a")
		}, "forge: the block has no code for literal/length symbol 97"},
		{"no distances", func(d *Deflate) {
			d.Dynamic(Final, CodesFor([]uint{'a', 257}, nil))
			d.Match(3, 1)
		}, "forge: the block has no code for distance symbol 0"},
		{"match too long", func(d *Deflate) {
			d.Fixed(Final)
			d.Match(259, 1)
		}, "forge: no match has length 259 and distance 1"},
		{"code of 16 bits", func(d *Deflate) {
			d.Use(Codes{LitLen: []uint8{16}})
			d.Write([]byte{0})
		}, "forge: the block has no code for literal/length symbol 0"},
		{"unknown code length symbol", func(d *Deflate) {
			h := Header{Symbols: []LengthToken{{Symbol: 19}}}
			h.Recode()
			d.DynamicAs(Final, h)
		}, "forge: the header has no code for code length symbol 19"},
		{"run of nothing", func(d *Deflate) {
			d.Fixed(Final)
			d.Run(nil, 5)
		}, "forge: a run cannot repeat 0 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := NewDeflate(io.Discard)
			tt.body(d)
			require.EqualError(t, d.Flush(), tt.want)
		})
	}
}

// The fixed codes are kept from one fixed block to the next, not across others.
func TestFixedAfterDynamic(t *testing.T) {
	stream, _ := run(t, func(d *Deflate) {
		for _, final := range []bool{More, More, Final} {
			d.Fixed(More)
			d.WriteString("f")
			d.EndBlock()
			d.Dynamic(final, CodesFor([]uint{'d'}, nil))
			d.WriteString("d")
			d.EndBlock()
		}
	})
	require.Equal(t, "fdfdfd", string(inflate(t, stream)))
}
