package mutate

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/gzipcheck"
	"github.com/harden-input/harden/msgpackcheck"
)

// What is read of an honest seed and written again is the same to a decoder, so
// that mutants are mutants of the seed.
func TestReadingKeepsTheSeed(t *testing.T) {
	seen := map[string]int{}
	for _, c := range corpus.All() {
		if c.Large || c.Verdict != corpus.Clean {
			continue
		}
		var b bytes.Buffer
		_, err := c.WriteTo(&b)
		require.NoError(t, err)
		switch c.Format() {
		case "gzip":
			want, err := gzipcheck.NewDecoder(gzipcheck.Limits{}).Decode(nil, b.Bytes())
			require.NoError(t, err, c.ID)
			members, _ := readGzip(b.Bytes())
			if len(want) > maxContent || len(members) == maxMembers || tokens(members) >= maxTokens {
				continue
			}
			var content []byte
			for i := range members {
				content = append(content, members[i].write(new(bytes.Buffer), newTape(nil, 0), none)...)
			}
			require.True(t, bytes.Equal(want, content), c.ID)
		case "msgpack":
			want, err := msgpackcheck.Measure(b.Bytes(), msgpackcheck.Limits{})
			require.NoError(t, err, c.ID)
			in := valueReader{src: b.Bytes()}
			root := in.value(0)
			if n, depth, _ := root.size(); n >= maxValues || depth >= maxNesting {
				continue
			}
			var again bytes.Buffer
			w := valueWriter{b: &again, liar: -1}
			w.write(&root)
			require.Equal(t, want.Consumed, uint64(again.Len()), c.ID)
			require.Equal(t, b.Bytes(), again.Bytes(), c.ID)
		default:
			continue
		}
		seen[c.Format()]++
	}
	require.Greater(t, seen["gzip"], 15)
	require.Greater(t, seen["msgpack"], 10)
}

func tokens(members []member) (n int) {
	for _, m := range members {
		for _, b := range m.blocks {
			n += len(b.tokens)
		}
	}
	return n
}
