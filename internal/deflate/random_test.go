package deflate

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
)

// randomLengths returns the lengths of a complete code for the symbols given,
// as skewed as skew says: 1 splits the codes evenly, more makes some short and
// many long.
func randomLengths(rnd *rand.Rand, symbols []uint, skew int) []uint8 {
	if len(symbols) == 0 {
		return nil
	}
	lengths := []uint8{0}
	if len(symbols) == 1 {
		lengths[0] = 1
	}
	for len(lengths) < len(symbols) {
		k := 0
		for range skew {
			k = max(k, rnd.IntN(len(lengths)))
		}
		if lengths[k] == maxCodeLength {
			k = slices.Index(lengths, slices.Min(lengths))
		}
		lengths[k]++
		lengths = append(lengths, lengths[k])
	}
	bySymbol := make([]uint8, slices.Max(symbols)+1)
	for i, k := range rnd.Perm(len(symbols)) {
		bySymbol[symbols[k]] = lengths[i]
	}
	return bySymbol
}

// randomSymbols returns up to n of the symbols below limit.
func randomSymbols(rnd *rand.Rand, n, limit int) []uint {
	var symbols []uint
	for _, s := range rnd.Perm(limit)[:n] {
		symbols = append(symbols, uint(s))
	}
	return symbols
}

// randomBlocks writes blocks of random codes and random tokens: all that the
// codes can express, the longest codes as often as the shortest.
func randomBlocks(d *forge.Deflate, rnd *rand.Rand) {
	blocks := 1 + rnd.IntN(4)
	for block := range blocks {
		lits := randomSymbols(rnd, 1+rnd.IntN(1<<rnd.IntN(9)), 256)
		var lens []uint
		for s := range rnd.IntN(30) {
			lens = append(lens, uint(257+s))
		}
		dists := randomSymbols(rnd, 1+rnd.IntN(30), maxDistances)
		codes := forge.Codes{
			LitLen:   randomLengths(rnd, slices.Concat(lits, lens, []uint{endOfBlock}), 1+rnd.IntN(3)),
			Distance: randomLengths(rnd, dists, 1+rnd.IntN(3)),
		}
		d.Dynamic(block == blocks-1, codes)
		if block == 0 {
			for range rnd.IntN(2) * 33_000 {
				d.Symbol(lits[rnd.IntN(len(lits))])
			}
		}
		matches := rnd.IntN(100)
		for range rnd.IntN(60_000) {
			if len(lens) == 0 || rnd.IntN(100) >= matches {
				d.Symbol(lits[min(rnd.IntN(len(lits)), rnd.IntN(len(lits)))])
				continue
			}
			symbol := lens[rnd.IntN(len(lens))]
			d.Symbol(symbol)
			if e := literalEntries[symbol]; e&special != 0 {
				d.Bits(rnd.Uint64()&(1<<(e>>extraShift)-1), uint(e>>extraShift))
			}
			symbol = dists[rnd.IntN(len(dists))]
			d.DistanceSymbol(symbol)
			extra := uint(distanceEntries[symbol] >> distanceExtra & 15)
			d.Bits(rnd.Uint64()&(1<<extra-1), extra)
		}
		d.EndBlock()
	}
}

func TestRandomBlocks(t *testing.T) {
	done := 0
	for seed := range uint64(100) {
		rnd := rand.New(rand.NewPCG(seed, 9))
		stream := forged(t, func(d *forge.Deflate) { randomBlocks(d, rnd) })
		got := requireChunking(t, stream, Unlimited, rnd)
		requireInflates(t, stream, got)
		if got.status == Done {
			done++
			requireBudgets(t, stream, rnd)
		}
		damaged := bytes.Clone(stream)
		damaged[rnd.IntN(len(damaged))] ^= 1 << rnd.IntN(8)
		requireInflates(t, damaged, requireChunking(t, damaged, Unlimited, rnd))
	}
	require.Greater(t, done, 30, "streams without a distance too far")
}

func TestMetersShareNothing(t *testing.T) {
	stream := forged(t, func(d *forge.Deflate) {
		rnd := rand.New(rand.NewPCG(1, 1))
		d.Fixed(forge.Final)
		for range 200_000 {
			d.Symbol(rnd.UintN(256))
		}
		d.EndBlock()
	})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			var m Meter
			for range 5 {
				m.Reset()
				if _, s := m.Run(stream, true, Unlimited); s != Done || m.Out != 200_000 {
					t.Errorf("%v after %d bytes", s, m.Out)
				}
			}
		})
	}
	all.Wait()
}

// A bomb under a budget must stop at the very token, in the middle of steps
// that hold many of them.
func TestOverOutputInBomb(t *testing.T) {
	stream := forged(t, func(d *forge.Deflate) {
		d.Dynamic(forge.Final, forge.CodesFor([]uint{285, 0}, []uint{0}))
		d.Symbol(0)
		d.Matches(258, 1, 100_000)
		d.EndBlock()
	})
	var m Meter
	for _, limit := range []uint64{100_000, 258*50_000 - 1, 258 * 50_000, 258*50_000 + 1, 258*100_000 - 1} {
		m.Reset()
		_, s := m.Run(stream, true, Budget{Output: limit, Work: math.MaxInt64, WorkMax: math.MaxInt64})
		require.Equal(t, OverOutput, s)
		matches := (limit - 1) / 258 // whole ones below or at the limit
		require.Equal(t, 1+258*(matches+1), m.Out)
	}
}
