// Package keyset remembers the keys of all open containers of a document, so
// that a checker can tell when a map or object holds a key twice.
//
// It keeps 64-bit hashes under a random seed, never keys, in memory bounded by
// the number of keys it may track. The caller hashes a key with [Set.Seed]
// (hash/maphash), and adds it under the depth of its container:
//
//	var s keyset.Set
//	s.Reset(lim.MaxTrackedKeys)
//	h := maphash.Bytes(s.Seed(), key)
//	if at, r := s.Add(h, depth, offset); r == keyset.Seen {
//		// the key at offset at of the container at depth has the same hash
//	}
//	s.Close(depth) // the container ended: its keys are forgotten
//
// Because the seed is random, nobody can choose keys that collide. With the
// keys at hand the caller confirms Seen by comparing them; without, n tracked
// keys give a false Seen with odds of n²/2⁶⁵.
package keyset

import "hash/maphash"

// A Set holds the keys of the open containers. The zero Set tracks nothing
// until Reset is called. A Set is not safe for concurrent use.
type Set struct {
	seed   maphash.Seed
	seeded bool
	max    uint64

	// Containers close in the reverse order they opened in, so keys leave in
	// the reverse order they came in. Emptying the slots of the newest keys
	// therefore gives back the very table there was before them: no
	// tombstones, and nothing else to clear between containers or documents.
	keys  []tracked
	table []uint32 // 1 + index into keys; 0 is empty; linear probing
	shift uint     // 64 - log2(len(table))
}

type tracked struct {
	hash  uint64
	at    int64
	depth uint32
	slot  uint32
}

// Result is what Add found.
type Result uint8

const (
	// New is a key that its container did not hold yet.
	New Result = iota
	// Seen is a key whose hash its container holds already.
	Seen
	// Full is a key that may be new or not: there is no room to track it, and
	// it was not added.
	Full
)

const (
	minTable = 64
	// maxKeys keeps indexes within 32 bits.
	maxKeys = 1 << 30
	// keepKeys is how much room survives a Reset.
	keepKeys = 1 << 16
)

// Reset forgets all keys and sets how many the open containers may hold
// together; zero is no limit. It costs no more than the keys it forgets.
func (s *Set) Reset(max uint64) {
	if !s.seeded {
		s.seed, s.seeded = maphash.MakeSeed(), true
	}
	if cap(s.keys) > keepKeys {
		s.keys, s.table = nil, nil
	}
	s.truncate(0)
	s.max = maxKeys
	if max != 0 {
		s.max = min(max, maxKeys)
	}
}

// Seed is what keys are to be hashed under. It is random, chosen by the first
// Reset and the same until the Set is gone.
func (s *Set) Seed() maphash.Seed { return s.seed }

// Len returns how many keys are tracked.
func (s *Set) Len() int { return len(s.keys) }

// Add tracks a key, by the hash of its bytes, of the open container at depth.
// at is whatever the caller wants back when the same hash is seen again, such
// as the key's offset. All containers deeper than depth must have been closed.
func (s *Set) Add(hash uint64, depth uint32, at int64) (first int64, r Result) {
	// The same key at another depth is another key, and has its own place.
	hash += uint64(depth) * 0x9e3779b97f4a7c15
	if len(s.keys)*2 >= len(s.table) {
		s.grow()
	}
	mask := uint32(len(s.table) - 1)
	slot := uint32(hash * 0x9e3779b97f4a7c15 >> s.shift)
	for {
		i := s.table[slot&mask]
		if i == 0 {
			break
		}
		if k := &s.keys[i-1]; k.hash == hash && k.depth == depth {
			return k.at, Seen
		}
		slot++
	}
	if uint64(len(s.keys)) >= s.max {
		return 0, Full
	}
	slot &= mask
	s.keys = append(s.keys, tracked{hash, at, depth, slot})
	s.table[slot] = uint32(len(s.keys))
	return 0, New
}

// Close forgets the keys of the containers at depth and deeper.
func (s *Set) Close(depth uint32) {
	n := len(s.keys)
	for n > 0 && s.keys[n-1].depth >= depth {
		n--
	}
	s.truncate(n)
}

// truncate forgets all but the n oldest keys.
func (s *Set) truncate(n int) {
	for _, k := range s.keys[n:] {
		s.table[k.slot] = 0
	}
	s.keys = s.keys[:n]
}

// grow doubles the table and places all keys anew, oldest first, so that they
// can leave newest first.
func (s *Set) grow() {
	size := max(minTable, 2*len(s.table))
	s.table = make([]uint32, size)
	s.shift = 64
	for n := size; n > 1; n >>= 1 {
		s.shift--
	}
	mask := uint32(size - 1)
	for i := range s.keys {
		k := &s.keys[i]
		slot := uint32(k.hash * 0x9e3779b97f4a7c15 >> s.shift)
		for s.table[slot&mask] != 0 {
			slot++
		}
		k.slot = slot & mask
		s.table[k.slot] = uint32(i + 1)
	}
}
