package deflate

import (
	"math/rand/v2"
	"testing"
)

// FuzzMeterAgainstInflate compares a pass with the decoders of the standard
// library and of klauspost, and with itself over other pieces and budgets.
func FuzzMeterAgainstInflate(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.bytes(f), uint64(1))
	}
	f.Fuzz(func(t *testing.T, stream []byte, seed uint64) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		got := requireChunking(t, stream, Unlimited, rnd)
		requireInflates(t, stream, got)
		requireBudgets(t, stream, rnd)
	})
}
