package msgpackcheck

import (
	"bytes"
	"errors"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"
)

func seed(f *testing.F) {
	for _, doc := range append(randomDocuments(100), hostile()...) {
		f.Add(doc.data[:min(len(doc.data), 4096)])
	}
	for c := range 256 {
		f.Add([]byte{byte(c), 0, 0, 0, 1, 0xc0, 0xc0})
	}
}

// FuzzSkip compares Measure with tinylib/msgp's Skip of a slice, which is right
// about structure. They differ by design where Skip leaves trailing data alone
// and looks into no timestamp.
func FuzzSkip(f *testing.F) {
	if strconv.IntSize < 64 {
		f.Skip("Skip counts in machine words, Measure in 64 bits")
	}
	seed(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		m, err := Measure(src, Limits{})
		rest, skipErr := msgp.Skip(src)
		switch {
		case errors.Is(skipErr, msgp.ErrRecursion):
			t.Skip("Skip gives up at a depth that Measure has no limit for")
		case skipErr != nil:
			require.Error(t, err)
			require.False(t, m.Complete)
		case len(rest) > 0:
			require.Error(t, err)
			require.Equal(t, uint64(1), m.Violations.Count("msgpack/trailing-data"))
			require.Equal(t, uint64(len(src)-len(rest)), m.Consumed)
		default:
			require.True(t, m.Complete)
			require.Equal(t, m.Violations.Total(), m.Violations.Count("msgpack/timestamp"))
		}
	})
}

// FuzzChunks compares the verdict of a slice with that of pieces.
func FuzzChunks(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		lim := smallLimits.with(AllChecks)
		requireSameInPieces(t, src, lim, 1, 7)
	})
}

// FuzzDecode holds the decoders to what Measure says.
func FuzzDecode(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		lim := DefaultLimits().with(DuplicateKeys | KeyType)
		m, err := Measure(src, lim)
		if _, _, ok := small(src, &lim); ok {
			require.NoError(t, err)
		}
		d := Decoder{Limits: lim}
		v, decodeErr := d.Decode(src)
		streamed, readerErr := d.DecodeReader(cutting{bytes.NewReader(src), 5})
		if err != nil {
			require.Equal(t, err, decodeErr)
			require.Error(t, readerErr)
			return
		}
		if decodeErr != nil {
			require.NotZero(t, m.Violations.Count("msgpack/duplicate-key")+m.Violations.Count("msgpack/key-type"))
			require.Equal(t, decodeErr, readerErr)
			return
		}
		require.NoError(t, readerErr)
		requireSameTree(t, v, streamed)
	})
}
