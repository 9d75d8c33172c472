package anycost

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMapStepsAddUpToMapSize(t *testing.T) {
	size := uint64(Map)
	for n := uint64(1); n < 100_000; n++ {
		size += MapStep(n)
		if size != MapSize(n) {
			require.Equal(t, MapSize(n), size, "%d entries", n)
		}
	}
}

func TestMapSizeOfDeclaredCountsDoesNotWrap(t *testing.T) {
	require.Greater(t, MapSize(1<<32-1), uint64(1<<32*slot))
}

// live returns the heap bytes that the values built keep alive, each. There
// must be enough copies that what the runtime allocates meanwhile does not count.
func live(copies int, build func() any) uint64 {
	var before, after runtime.MemStats
	kept := make([]any, copies)
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range kept {
		kept[i] = build()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	return (after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)) / uint64(copies)
}

func TestMapSizeAgainstHeap(t *testing.T) {
	if bits := 32 << (^uint(0) >> 63); bits != 64 {
		t.Skip("the estimate is of 64-bit machines")
	}
	names := make([]string, 5000)
	for i := range names {
		names[i] = fmt.Sprintf("name%d", i)
	}
	for _, n := range []int{0, 1, 2, 7, 8, 9, 14, 15, 28, 29, 100, 112, 113, 500, 896, 897, 1500, 1792, 1793, 5000} {
		t.Run(fmt.Sprintf("%d entries", n), func(t *testing.T) {
			heap := live(max(64, 1<<16/(n+1)), func() any {
				m := make(map[string]any)
				for _, name := range names[:n] {
					m[name] = true
				}
				return m
			})
			estimate := MapSize(uint64(n))
			require.GreaterOrEqual(t, estimate*2, heap)
			require.LessOrEqual(t, estimate, heap*2)
			t.Logf("estimate %d, heap %d", estimate, heap)
		})
	}
}
