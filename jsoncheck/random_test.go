package jsoncheck

import "math/rand/v2"

// newRandom returns the same numbers in every run.
func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
