package mutate_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/fuzz/mutate"
	"github.com/harden-input/harden/gzipcheck"
	"github.com/harden-input/harden/internal/forge"
)

// tapes are inputs of a fuzzer that started from seed: none, some and many bytes
// behind it, and bytes of it changed.
func tapes(seed []byte, n int) (all [][]byte) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		data := bytes.Clone(seed)
		for range i % 40 {
			data = append(data, byte(r.Uint32()))
		}
		for range i % 3 {
			data[r.IntN(len(data))] = byte(r.Uint32())
		}
		all = append(all, data)
	}
	return all
}

func gzipSeed(t *testing.T) []byte {
	var b bytes.Buffer
	_, err := forge.Sequence{
		forge.Gzip{Name: "a", HeaderCRC: true, Body: forge.Text("hello, hello")},
		forge.Gzip{Body: forge.Zeros(5000)},
		forge.Gzip{Body: forge.StoredBlocks([]byte("stored"))},
	}.WriteTo(&b)
	require.NoError(t, err)
	return b.Bytes()
}

func TestWholeGzipDecodesToItsContent(t *testing.T) {
	whole, kinds := 0, gzipcheck.Measurement{}
	for _, data := range tapes(gzipSeed(t), 3000) {
		m := mutate.Gzip(data)
		if !m.Whole {
			continue
		}
		whole++
		out, err := gzipcheck.NewDecoder(gzipcheck.Limits{}).Decode(nil, m.Payload)
		require.NoError(t, err, "%x", data)
		require.True(t, bytes.Equal(m.Content, out), "%x", data)
		found, _ := gzipcheck.Measure(m.Payload, gzipcheck.Limits{})
		require.EqualValues(t, m.Members, found.Members)
		kinds.StoredBlocks += found.StoredBlocks
		kinds.FixedBlocks += found.FixedBlocks
		kinds.DynamicBlocks += found.DynamicBlocks
	}
	require.Greater(t, whole, 2000)
	require.Greater(t, min(kinds.StoredBlocks, kinds.FixedBlocks, kinds.DynamicBlocks), uint64(1000))
}

// A fuzzer that keeps the CRC-32 true finds rules that stand behind it.
func TestBrokenGzipBreaksEveryRuleOfTheFormat(t *testing.T) {
	broken := map[string]bool{}
	for _, data := range tapes(gzipSeed(t), 6000) {
		if m := mutate.Gzip(data); !m.Whole {
			found, err := gzipcheck.Measure(m.Payload, gzipcheck.Limits{})
			for v := range found.Violations.Firsts() {
				broken[v.Rule.ID] = true
			}
			if err == nil {
				if _, err := gzipcheck.NewDecoder(gzipcheck.Limits{}).Decode(nil, m.Payload); err != nil {
					broken["gzip/crc-mismatch"] = true
				}
			}
		}
	}
	for _, id := range []string{
		"gzip/isize-forged", "gzip/crc-mismatch", "gzip/truncated", "gzip/header-malformed",
		"gzip/deflate-malformed", "gzip/trailing-zeros", "gzip/trailing-garbage",
	} {
		require.True(t, broken[id], id)
	}
}

func TestTheSameBytesMakeTheSamePayload(t *testing.T) {
	for _, data := range tapes(gzipSeed(t), 100) {
		require.Equal(t, mutate.Gzip(data), mutate.Gzip(bytes.Clone(data)))
	}
}

// Fuzzers start with nothing, and hand over what is no payload at all.
func TestAnyBytesMakeAPayload(t *testing.T) {
	for _, data := range [][]byte{nil, {0}, []byte("\x1f\x8b"), bytes.Repeat([]byte("\x1f\x8b\x08\xff"), 100), make([]byte, 70_000)} {
		require.NotEmpty(t, mutate.Gzip(data).Payload)
	}
}
