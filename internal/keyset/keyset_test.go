package keyset

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAddSeesTheSameKeyInTheSameContainer(t *testing.T) {
	var s Set
	s.Reset(0)
	a, b := maphash.String(s.Seed(), "a"), maphash.String(s.Seed(), "b")

	_, r := s.Add(a, 1, 10)
	require.Equal(t, New, r)
	_, r = s.Add(b, 1, 20)
	require.Equal(t, New, r)
	at, r := s.Add(a, 1, 30)
	require.Equal(t, Seen, r)
	require.Equal(t, int64(10), at)
}

func TestNestedContainersCoexist(t *testing.T) {
	var s Set
	s.Reset(0)
	a := maphash.String(s.Seed(), "a")

	_, r := s.Add(a, 1, 0)
	require.Equal(t, New, r)
	_, r = s.Add(a, 2, 1)
	require.Equal(t, New, r, "the same key one level down is another key")
	s.Close(2)
	_, r = s.Add(a, 2, 2)
	require.Equal(t, New, r, "the next container at that depth starts empty")
	s.Close(2)
	_, r = s.Add(a, 1, 3)
	require.Equal(t, Seen, r, "the outer container still holds its keys")
}

func TestFullBeyondTheBound(t *testing.T) {
	var s Set
	s.Reset(2)
	_, r := s.Add(1, 1, 0)
	require.Equal(t, New, r)
	_, r = s.Add(2, 2, 0)
	require.Equal(t, New, r)
	_, r = s.Add(3, 2, 0)
	require.Equal(t, Full, r)
	_, r = s.Add(2, 2, 0)
	require.Equal(t, Seen, r, "what is tracked is still recognised")
	s.Close(2)
	_, r = s.Add(3, 1, 0)
	require.Equal(t, New, r, "closing a container gives its room back")
}

func TestResetForgets(t *testing.T) {
	var s Set
	for range 3 {
		s.Reset(0)
		_, r := s.Add(7, 0, 0)
		require.Equal(t, New, r)
	}
}

// A model of maps by depth must agree with the set over random openings,
// keys and closings, across every growth of the table.
func TestAgreesWithMaps(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var s Set
	s.Reset(0)
	model := []map[uint64]int64{{}}
	for i := range int64(200_000) {
		switch depth := len(model) - 1; {
		case rnd.IntN(50) == 0 && depth < 40:
			model = append(model, map[uint64]int64{})
		case rnd.IntN(60) == 0 && depth > 0:
			model = model[:depth]
			s.Close(uint32(depth))
		default:
			hash := maphash.Comparable(s.Seed(), rnd.Uint64N(5000))
			want, seen := model[depth][hash]
			at, r := s.Add(hash, uint32(depth), i)
			if seen {
				require.Equal(t, Seen, r)
				require.Equal(t, want, at)
			} else {
				require.Equal(t, New, r)
				model[depth][hash] = i
			}
		}
	}
	s.Reset(0)
	require.Zero(t, s.Len())
	for _, slot := range s.table {
		require.Zero(t, slot, "a forgotten key left its slot taken")
	}
}

func TestSmallDocumentsDoNotPayForALargeOne(t *testing.T) {
	var s Set
	s.Reset(0)
	for i := range uint64(keepKeys / 2) {
		s.Add(maphash.Comparable(s.Seed(), i), 0, 0)
	}
	allocs := testing.AllocsPerRun(100, func() {
		s.Reset(0)
		for i := range uint64(4) {
			s.Add(maphash.Comparable(s.Seed(), i), 0, 0)
		}
	})
	require.Zero(t, allocs)
}

func BenchmarkAdd(b *testing.B) {
	for _, n := range []uint64{4, 1000, 200_000} {
		b.Run(fmt.Sprintf("keys=%d", n), func(b *testing.B) {
			var s Set
			s.Reset(0)
			b.ReportAllocs()
			for b.Loop() {
				for i := range n {
					s.Add(i*0x9e3779b97f4a7c15, 1, 0)
				}
				s.Close(1)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/key")
		})
	}
}
