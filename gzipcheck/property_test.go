package gzipcheck

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
)

// A payload that is cut is never whole, but where a member ends or in the
// zeros behind the last one.
func TestPrefixesAreNotWhole(t *testing.T) {
	for _, c := range payloadCases() {
		src := write(t, c.payload)
		if m, _ := Measure(src, Limits{}); !m.Complete || len(src) > 4096 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			for n := range src {
				m, err := Measure(src[:n], Limits{})
				if !m.Complete {
					require.Error(t, err)
					require.Equal(t, uint64(n), m.Compressed, "it ends where the input does")
					continue
				}
				// What is whole must be what other decoders make of it.
				_, err = NewDecoder(Limits{}).Decode(nil, src[:n])
				boundary := n+10 <= len(src) && src[n] == magic1 || src[n] == 0
				require.True(t, boundary, "whole at %d of %d bytes (%v)", n, len(src), err)
			}
		})
	}
}

// Lowering a limit never lets pass what was refused.
func TestLimitsAreMonotone(t *testing.T) {
	flood := forge.Sequence{emptyDynamicBlocks(20), oneLiteralBlocks(20), forge.Gzip{Name: "name", Body: forge.Zeros(5000)}}
	payloads := [][]byte{write(t, flood)}
	for _, c := range payloadCases() {
		payloads = append(payloads, write(t, c.payload))
	}
	for _, f := range LimitTable() {
		for _, src := range payloads {
			refusedBelow := false
			for _, limit := range []uint64{0, 1 << 40, 1 << 20, 70_000, 6000, 5000, 1000, 300, 264, 100, 20, 5, 4, 3, 2, 1} {
				var lim Limits
				*f.Field(&lim) = limit
				m, _ := Measure(src, lim)
				require.False(t, refusedBelow && m.Complete, "%s=%d lets pass what a higher limit refused", f.Key, limit)
				refusedBelow = !m.Complete
			}
		}
	}
}
