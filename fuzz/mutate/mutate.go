// Package mutate makes payloads that are well-formed, or wrong in one place
// alone, out of any bytes. Random bytes rarely come past the first check of a
// decoder: a gzip member with one bit changed has a wrong CRC-32, a msgpack
// value with one byte more is cut off or followed by something. What lies
// behind those checks is reached by payloads that keep them:
//
//	m := mutate.Gzip(data)
//	check(m.Payload) // CRC-32, ISIZE and FHCRC are true
//
// The bytes are both seed and tape. What can be read of them in the format is
// the seed; the bytes behind it decide, one after the other, what is changed of
// it, and where they end a hash of all of them goes on. The same bytes always
// make the same payload, and a fuzzer that changes one of them changes one part
// of the seed or one decision: that is what a custom mutator would do, for
// fuzzers that take none.
package mutate

import (
	"hash/fnv"
	"math/rand/v2"
)

// A Mutant is a payload that was made of bytes.
type Mutant struct {
	Payload []byte
	// Whole says that nothing was broken on purpose: the payload is one that
	// its format allows.
	Whole bool
}

// A tape makes decisions.
type tape struct {
	bytes []byte
	rest  *rand.Rand // decides when the bytes are used up
}

// newTape returns the tape that starts at the byte from of data.
func newTape(data []byte, from int) *tape {
	h := fnv.New64a()
	h.Write(data)
	return &tape{bytes: data[min(from, len(data)):], rest: rand.New(rand.NewPCG(h.Sum64(), 0))}
}

// below decides on a number from 0 to n-1; n is from 1 to 65536.
func (t *tape) below(n int) int {
	if n <= 1 {
		return 0
	}
	v := t.byte()
	if n > 256 {
		v = v<<8 | t.byte()
	}
	return v % n
}

func (t *tape) byte() int {
	if len(t.bytes) == 0 {
		return int(t.rest.Uint32() & 0xff)
	}
	b := t.bytes[0]
	t.bytes = t.bytes[1:]
	return int(b)
}

// up decides on a number from 0 to n-1 of which small ones are likelier.
func (t *tape) up(n int) int {
	bits := 0
	for 1<<bits < n {
		bits++
	}
	return min(t.below(1<<t.below(bits+1)), n-1)
}

// one decides whether something that happens once in n times happens.
func (t *tape) one(n int) bool { return t.below(n) == 0 }
