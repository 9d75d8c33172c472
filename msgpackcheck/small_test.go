package msgpackcheck

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What small lets pass must be clean for Measure.
func TestSmallIsNeverKinder(t *testing.T) {
	passed := 0
	for _, doc := range randomDocuments(2000) {
		for n := range len(doc.data) + 1 {
			for _, lim := range []Limits{{}, smallLimits, {MaxDecodedSize: 100}, {MaxValues: 4}, {MaxStrLength: 5}, {MaxMapLength: 1}, {MaxArrayLength: 2}} {
				if _, _, ok := small(doc.data[:n], &lim); ok {
					_, err := Measure(doc.data[:n], lim)
					require.NoError(t, err)
					passed++
				}
			}
		}
	}
	require.Greater(t, passed, 100)
}

func TestSmallPassesWhatItIsFor(t *testing.T) {
	for _, src := range []string{"\x90", "\x80", "\x93\x01\xa1a\xc0", "\x82\xa1a\x01\xa1b\xcd\x12\x34", "\xdc\x00\x01\xcb\x00\x00\x00\x00\x00\x00\x00\x00"} {
		lim := DefaultLimits()
		_, _, ok := small([]byte(src), &lim)
		require.True(t, ok, "%x", src)
	}
}
