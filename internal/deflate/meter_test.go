package deflate

import (
	"bytes"
	stdflate "compress/flate"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/flate"
	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
)

// A result is everything a pass says about a stream.
type result struct {
	status   Status
	consumed int
	out      uint64
	blocks   BlockCounts
	offset   uint64
	err      Error
}

// measure runs m over stream in pieces: next says how long the next one is.
// Every piece starts with what the one before left over.
func measure(t testing.TB, m *Meter, stream []byte, b Budget, next func() int) result {
	m.Reset()
	return resume(t, m, stream, 0, b, next)
}

// resume goes on where the pass over stream stopped.
func resume(t testing.TB, m *Meter, stream []byte, from int, b Budget, next func() int) result {
	end := from
	for {
		end = min(end+next(), len(stream))
		n, s := m.Run(stream[from:end], end == len(stream), b)
		from += n
		if s == NeedInput {
			if end-from > 6 || end == len(stream) {
				t.Fatalf("needs input with %d bytes left over at %d of %d", end-from, end, len(stream))
			}
			continue
		}
		r := result{status: s, consumed: from, out: m.Out, blocks: m.Blocks, offset: m.BitOffset()}
		if e := m.Err(); e != nil {
			r.err = *e
		}
		return r
	}
}

func whole() int    { return 1 << 30 }
func bytewise() int { return 1 }

// random returns lengths of pieces, short and long ones.
func random(rnd *rand.Rand) func() int {
	return func() int { return rnd.IntN(1 << rnd.IntN(16)) }
}

// requireChunking requires that the pieces a stream comes in make no
// difference, and returns what it measures.
func requireChunking(t testing.TB, stream []byte, b Budget, rnd *rand.Rand) result {
	var m, other Meter
	want := measure(t, &m, stream, b, bytewise)
	require.Equal(t, want, measure(t, &m, stream, b, whole), "all at once")
	measure(t, &m, stream, Unlimited, whole) // builds all tables that the stream can earn
	require.Equal(t, want, measure(t, &m, stream, b, whole), "all at once, with tables kept")
	require.Equal(t, want, measure(t, &other, stream, b, whole), "all at once, with a new Meter")
	require.Equal(t, want, measure(t, &m, stream, b, random(rnd)), "in random pieces")
	return want
}

// requireBudgets requires that a pass stops where its budgets say, exactly,
// and that resuming gives the same as not stopping.
func requireBudgets(t testing.TB, stream []byte, rnd *rand.Rand) {
	var m Meter
	want := measure(t, &m, stream, Unlimited, whole)
	limits := []uint64{0, want.out - min(want.out, 1), want.out, rnd.Uint64N(want.out + 1), rnd.Uint64N(min(want.out, 70_000) + 1)}
	for _, limit := range limits {
		if limit > want.out {
			continue
		}
		b := Unlimited
		b.Output = limit
		got := requireChunking(t, stream, b, rnd)
		if limit == want.out {
			require.Equal(t, want, got, "a budget of exactly the output")
			continue
		}
		require.Equal(t, OverOutput, got.status, "output budget %d", limit)
		require.Greater(t, got.out, limit)
		require.LessOrEqual(t, got.out, limit+258)

		got = measure(t, &m, stream, b, random(rnd))
		again := resume(t, &m, stream, got.consumed, b, whole)
		require.Equal(t, got, again, "resumed with the same budget")
		require.Equal(t, want, resume(t, &m, stream, got.consumed, Unlimited, random(rnd)), "resumed")
	}

	overhead := want.blocks.Dynamic*DynamicOverhead + (want.blocks.Fixed+want.blocks.Stored)*BlockOverhead
	for range 2 {
		b := Unlimited
		b.WorkMax = int64(rnd.Uint64N(overhead + 1))
		got := requireChunking(t, stream, b, rnd)
		if got.status != OverWork {
			require.Equal(t, want, got)
			require.LessOrEqual(t, overhead, uint64(b.WorkMax))
			continue
		}
		got = measure(t, &m, stream, b, random(rnd))
		require.Greater(t, m.Overhead(), uint64(b.WorkMax))
		require.Equal(t, got, resume(t, &m, stream, got.consumed, b, whole), "resumed with the same budget")
		require.Equal(t, want, resume(t, &m, stream, got.consumed, Unlimited, random(rnd)), "resumed")
	}
}

// stricter are the reasons for which zlib, and so this package, refuses a
// stream at once that compress/flate and klauspost's decoder may well read
// on: a code without end of block, which they miss at the end of the input
// only, and the code sets that they know as degenerate.
var stricter = map[Reason]bool{
	NoEndOfBlock: true,
	LiteralSet:   true,
	DistanceSet:  true,
	TooManyCodes: true,
}

// requireInflates requires that the Go decoders see a stream the same way.
func requireInflates(t testing.TB, stream []byte, got result) {
	for name, open := range map[string]func(io.Reader) io.ReadCloser{
		"compress/flate": stdflate.NewReader,
		"klauspost":      flate.NewReader,
	} {
		src := bytes.NewReader(stream)
		n, err := io.Copy(io.Discard, open(src))
		switch got.status {
		case Done:
			require.NoError(t, err, name)
			require.Equal(t, got.out, uint64(n), name)
			require.Equal(t, got.consumed, len(stream)-src.Len(), name)
		case Malformed:
			if !stricter[got.err.Reason] {
				require.Error(t, err, "%s accepts: %v", name, &got.err)
			}
		case Truncated:
			require.Error(t, err, name)
		}
	}
}

// sample returns some data of every kind that compressors meet.
func sample(t testing.TB) map[string][]byte {
	data := map[string][]byte{
		"nothing": nil,
		"letter":  []byte("a"),
		"zeros":   make([]byte, 600_000),
	}
	noise := make([]byte, 20_000)
	random := rand.NewChaCha8([32]byte{1})
	random.Read(noise)
	data["noise"] = noise
	few := make([]byte, 80_000)
	random.Read(few)
	for i, c := range few {
		few[i] = "ACGT"[c%4]
	}
	data["four letters"] = few
	var object bytes.Buffer
	for i := range 300 {
		fmt.Fprintf(&object, `"k%07d":"%s",`, i, bytes.Repeat([]byte{'a' + byte(i%26)}, 1000))
	}
	data["object"] = object.Bytes()
	for _, name := range []string{"src/net/http/server.go", "src/unicode/tables.go", "bin/gofmt"} {
		file, err := os.ReadFile(filepath.Join(goroot(t), name))
		if err != nil {
			continue
		}
		data[name] = file[:min(len(file), 200_000)]
	}
	return data
}

func TestStreamsOfCompressors(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for name, data := range sample(t) {
		check := func(t *testing.T, stream []byte) {
			got := requireChunking(t, stream, Unlimited, rnd)
			require.Equal(t, Done, got.status)
			require.Equal(t, uint64(len(data)), got.out)
			require.Equal(t, len(stream), got.consumed)
			requireBudgets(t, stream, rnd)
		}
		t.Run(name, func(t *testing.T) {
			for _, level := range []int{stdflate.HuffmanOnly, 0, 1, 3, 6, 9} {
				t.Run(fmt.Sprintf("compress_flate %d", level), func(t *testing.T) {
					check(t, deflated(t, level, func(w io.Writer) error { _, err := w.Write(data); return err }))
				})
				t.Run(fmt.Sprintf("klauspost %d", level), func(t *testing.T) {
					var out bytes.Buffer
					w, err := flate.NewWriter(&out, level)
					require.NoError(t, err)
					_, err = w.Write(data)
					require.NoError(t, err)
					require.NoError(t, w.Close())
					check(t, out.Bytes())
				})
			}
			for _, program := range [][]string{
				{"gzip", "-n", "-1"}, {"gzip", "-n", "-6"}, {"gzip", "-n", "-9"},
				{"pigz", "-n", "-6"}, {"igzip", "-n", "-0"}, {"igzip", "-n", "-1"}, {"igzip", "-n", "-3"},
			} {
				t.Run(fmt.Sprint(program), func(t *testing.T) {
					path, err := exec.LookPath(program[0])
					if err != nil {
						t.Skip(program[0], " is not installed")
					}
					cmd := exec.Command(path, append(program[1:], "-c")...)
					cmd.Stdin = bytes.NewReader(data)
					packed, err := cmd.Output()
					require.NoError(t, err)
					// Without a name the header takes 10 bytes, the trailer 8.
					check(t, packed[10:len(packed)-8])
				})
			}
		})
	}
}

func TestVectorsAreTheSameInAnyPieces(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, v := range vectors(t) {
		t.Run(v.Source+"/"+v.Name, func(t *testing.T) {
			stream := v.bytes(t)
			got := requireChunking(t, stream, Unlimited, rnd)
			requireInflates(t, stream, got)
			requireBudgets(t, stream, rnd)
			for cut := range stream {
				requireChunking(t, stream[:cut], Unlimited, rnd)
			}
		})
	}
}

func TestFloodsAreMeasured(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, f := range floods {
		t.Run(f.name, func(t *testing.T) {
			stream := forged(t, func(d *forge.Deflate) { f.write(d, 1000) })
			got := requireChunking(t, stream, Unlimited, rnd)
			require.Equal(t, Done, got.status)
			requireInflates(t, stream, got)
		})
	}
}

func TestDamagedStreams(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for name, data := range sample(t) {
		t.Run(name, func(t *testing.T) {
			stream := deflated(t, 6, func(w io.Writer) error { _, err := w.Write(data); return err })
			for range 6 {
				damaged := bytes.Clone(stream)
				damaged[rnd.IntN(len(damaged))] ^= 1 << rnd.IntN(8)
				got := requireChunking(t, damaged, Unlimited, rnd)
				requireInflates(t, damaged, got)
			}
		})
	}
}

func TestBitOffset(t *testing.T) {
	for _, tt := range []struct {
		name   string
		write  func(*forge.Deflate)
		status Status
		want   uint64
	}{
		{"end of the final block", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.WriteString("ab")
			d.EndBlock()
		}, Done, 3 + 8 + 8 + 7},
		{"match too far", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.WriteString("ab")
			d.Symbol(257)
			d.DistanceSymbol(2)
		}, Malformed, 3 + 8 + 8},
		{"header of the second block", func(d *forge.Deflate) {
			d.Fixed(forge.More)
			d.EndBlock()
			d.BlockHeader(forge.Final, forge.BlockReserved)
		}, Malformed, 3 + 7},
		{"unfinished match", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.WriteString("abcd")
			d.Symbol(257)
			d.DistanceSymbol(29) // and no extra bits
		}, Truncated, 3 + 4*8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var m Meter
			_, s := m.Run(forged(t, tt.write), true, Unlimited)
			require.Equal(t, tt.status, s)
			require.Equal(t, tt.want, m.BitOffset())
		})
	}
}

func TestBytesAfterTheStreamAreLeft(t *testing.T) {
	stream := forged(t, func(d *forge.Deflate) {
		d.Fixed(forge.Final)
		d.EndBlock()
	})
	var m Meter
	n, s := m.Run(append(bytes.Clone(stream), 1, 2, 3), false, Unlimited)
	require.Equal(t, Done, s)
	require.Equal(t, len(stream), n)
	n, s = m.Run([]byte{1, 2, 3}, true, Unlimited)
	require.Equal(t, Done, s, "after Done")
	require.Zero(t, n)
}

// Tables that were packed for an earlier stream let a pass overshoot its
// budget by several matches: rounds of the fast loops followed each other
// without a look at the limit.
func TestBudgetIsExactInBombs(t *testing.T) {
	var b bytes.Buffer
	d := forge.NewDeflate(&b)
	forge.Zeros(4 << 20)(d)
	d.Align()
	require.NoError(t, d.Flush())
	rnd := rand.New(rand.NewPCG(1, 2))
	for limit := uint64(1); limit < 4<<20; limit = limit*5/4 + 1 {
		budget := Unlimited
		budget.Output = limit
		got := requireChunking(t, b.Bytes(), budget, rnd)
		require.Equal(t, OverOutput, got.status)
		require.Greater(t, got.out, limit)
		require.LessOrEqual(t, got.out, limit+258)
	}
}

func TestOverOutputInStoredBlock(t *testing.T) {
	stream := forged(t, func(d *forge.Deflate) { d.Stored(forge.Final, make([]byte, 1000)) })
	var m Meter
	b := Unlimited
	b.Output = 100
	n, s := m.Run(stream, true, b)
	require.Equal(t, OverOutput, s)
	require.Equal(t, uint64(101), m.Out)
	require.Equal(t, 5+101, n)
	require.Equal(t, uint64(8*(5+100)), m.BitOffset())
}

func TestWorkBudget(t *testing.T) {
	stream := forged(t, func(d *forge.Deflate) {
		d.Stored(forge.More, make([]byte, 100))
		d.Fixed(forge.More)
		d.EndBlock()
		d.Dynamic(forge.Final, forge.CodesFor(nil, nil))
		d.EndBlock()
	})
	for _, tt := range []struct {
		name          string
		work, workMax int64
		status        Status
		overhead      uint64
	}{
		{"never", math.MaxInt64, math.MaxInt64, Done, 1040},
		{"nothing is allowed", 0, 0, OverWork, 8},
		{"the output pays", 8, math.MaxInt64, Done, 1040},
		{"one unit less than the first block", 7, math.MaxInt64, OverWork, 8},
		{"absolute", math.MaxInt64, 1039, OverWork, 1040},
		{"exactly enough", math.MaxInt64, 1040, Done, 1040},
		{"negative", -1, -1, OverWork, 8},
		{"sum beyond 64 bits", math.MaxInt64 - 1, math.MaxInt64, Done, 1040},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var m Meter
			_, s := m.Run(stream, true, Budget{Output: math.MaxUint64, Work: tt.work, WorkMax: tt.workMax})
			require.Equal(t, tt.status, s)
			require.Equal(t, tt.overhead, m.Overhead())
		})
	}
}

func TestNoAllocations(t *testing.T) {
	data := sample(t)["object"]
	stream := deflated(t, 6, func(w io.Writer) error { _, err := w.Write(data); return err })
	bad := forged(t, func(d *forge.Deflate) { d.BlockHeader(forge.Final, forge.BlockReserved) })
	var m Meter
	fixedCodes()
	require.Zero(t, testing.AllocsPerRun(10, func() {
		m.Reset()
		m.Run(stream, true, Unlimited)
		m.Reset()
		m.Run(bad, true, Unlimited)
		if m.Err() == nil {
			t.Error("malformed, and no error")
		}
	}))
}

// Regression: the table for the code for code lengths was taken to be there
// already if that code was empty, and each length took no bit instead of one.
func TestEmptyCodeForCodeLengths(t *testing.T) {
	// 3 bits of header, 14 of counts, 4 times 3 of lengths and 258 of code
	// lengths make 287, all but the block type 0.
	stream := make([]byte, 36)
	stream[0] = forge.BlockDynamic << 1
	var m Meter
	_, s := m.Run(stream[:35], true, Unlimited)
	require.Equal(t, Truncated, s)
	m.Reset()
	_, s = m.Run(stream, true, Unlimited)
	require.Equal(t, Malformed, s)
	require.Equal(t, NoEndOfBlock, m.Err().Reason)
}

func TestError(t *testing.T) {
	stream := forged(t, func(d *forge.Deflate) {
		d.Fixed(forge.Final)
		d.WriteString("abc")
		d.Symbol(257)
		d.DistanceSymbol(4)
		d.Bits(0, 1)
	})
	var m Meter
	_, s := m.Run(stream, true, Unlimited)
	require.Equal(t, Malformed, s)
	require.EqualError(t, m.Err(), "distance 5 beyond the 3 bytes produced")
	m.Reset()
	require.Nil(t, m.Err())
	_, s = m.Run([]byte{forge.BlockReserved << 1}, true, Unlimited)
	require.Equal(t, Malformed, s)
	require.EqualError(t, m.Err(), "reserved block type 3")
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for r := BlockType; r <= DistanceTooFar; r++ {
		require.NotContains(t, r.String(), "reason")
		require.False(t, seen[r.String()])
		seen[r.String()] = true
	}
	require.Equal(t, "reason 99", Reason(99).String())
	for s := NeedInput; s <= Truncated; s++ {
		require.False(t, seen[s.String()])
		seen[s.String()] = true
	}
}
