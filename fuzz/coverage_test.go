package fuzz

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/harden-input/harden/fuzz/mutate"
	"github.com/harden-input/harden/internal/forge"
)

// executions asks for the two tests that make fuzz-coverage compares.
var executions = flag.Int("executions", 0, "inputs of each format that TestCoverageOfBytes and TestCoverageOfStructure make")

// TestCoverageOfBytes tries the properties of gzip and msgpack on seeds with
// random changes, as a fuzzer makes them that knows nothing of the formats.
func TestCoverageOfBytes(t *testing.T) {
	covered(t, bytes.Clone, bytes.Clone)
}

// TestCoverageOfStructure makes the same changes to the same seeds, and tries
// the properties on what package mutate makes of them.
func TestCoverageOfStructure(t *testing.T) {
	covered(t,
		func(data []byte) []byte { return mutate.Gzip(data).Payload },
		func(data []byte) []byte { return mutate.Msgpack(data).Payload })
}

func covered(t *testing.T, asGzip, asMsgpack func([]byte) []byte) {
	if *executions == 0 {
		t.Skip("make fuzz-coverage runs it")
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range *executions {
		data := changed(r, fewGzip(t))
		oneOf(gzipProperties(), data, asGzip(data))
		data = changed(r, fewMsgpack())
		oneOf(msgpackProperties(), data, asMsgpack(data))
	}
}

// changed returns one of the seeds with a few changes of the kinds that every
// fuzzer makes.
func changed(r *rand.Rand, seeds [][]byte) []byte {
	data := bytes.Clone(seeds[r.IntN(len(seeds))])
	for range 1 + r.IntN(4) {
		at := r.IntN(len(data) + 1)
		some := make([]byte, 1+r.IntN(8))
		for i := range some {
			some[i] = byte(r.Uint32())
		}
		switch {
		case r.IntN(4) == 0 || at == len(data):
			data = slices.Insert(data, at, some...)
		case r.IntN(4) == 0:
			data = slices.Delete(data, at, min(at+len(some), len(data)))
		case r.IntN(4) == 0: // a piece of a seed
			other := seeds[r.IntN(len(seeds))]
			from := r.IntN(len(other))
			data = slices.Insert(data, at, other[from:from+r.IntN(len(other)-from)]...)
		case r.IntN(2) == 0:
			data[at] ^= 1 << r.IntN(8)
		default:
			data[at] = some[0]
		}
	}
	return data
}

// fewGzip are a member of each type of block.
func fewGzip(t *testing.T) (all [][]byte) {
	for _, body := range []forge.Body{forge.Text("hello, hello, hello"), forge.StoredBlocks([]byte("hello")), forge.Zeros(3000)} {
		var b bytes.Buffer
		if _, err := (forge.Gzip{Body: body}).WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		all = append(all, b.Bytes())
	}
	return all
}

// fewMsgpack are a map, an array in an array, and a str.
func fewMsgpack() [][]byte {
	return [][]byte{[]byte("\x82\xa1a\x01\xa1b\xc4\x02xy"), []byte("\x93\x01\x92\xc0\xcd\x01\x00\xc3"), []byte("\xa5hello")}
}
