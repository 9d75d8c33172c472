// Package anycost estimates the live heap bytes of a payload that Go decoded
// into any: trees of map[string]any, []any, string and boxed numbers, as
// encoding/json makes them on 64-bit machines.
//
// A checker adds up what it sees: for every element of an array a [Slot], for
// every value the constant of its kind, for strings and names their decoded
// bytes, and for maps a [Map] and a [MapStep] for every entry (or [MapSize] where the number
// of entries is known beforehand). nil and booleans cost nothing of their own:
//
//	[{"a":1},"b"]   Slice + Slot + Map + MapStep(1) + len("a") + Number + Slot + String + len("b")
//
// The estimate is for finished trees. Compared with the heap after a garbage
// collection it is never below half and never above twice (tests keep it so).
package anycost

import "math/bits"

// What values take, in bytes.
const (
	// Slot is an element of []any: the interface itself.
	Slot = 16
	// Number is a float64, int64 or uint64 boxed into an interface.
	Number = 8
	// String is the boxed header of a string; its bytes come on top. Names
	// of map entries have their header in the map: count their bytes only.
	String = 16
	// Slice is the boxed header of a slice; its slots or bytes come on top.
	Slice = 24
	// Map is a map without entries.
	Map = 48
)

const (
	// slot is an entry of a map: name and value of 16 bytes each, a control
	// byte, and what the allocator's size classes add.
	slot = 36
	// group is how many entries a map holds before it gets a table.
	group = 8
	// table is a map's first table and its directory.
	table = 40
)

// MapSize returns the bytes of a map of n entries, without the bytes of their
// names and values: a step function, since maps grow by doubling.
func MapSize(n uint64) uint64 {
	switch {
	case n == 0:
		return Map
	case n <= group:
		return Map + group*slot
	}
	return Map + table + capacity(n)*slot
}

// MapStep returns how much a map grows when its n-th entry is added, n from 1
// on: MapSize(n) - MapSize(n-1). It is zero for most n.
func MapStep(n uint64) uint64 {
	switch {
	case n == 1:
		return group * slot
	case n == group+1:
		return table + capacity(n)*slot - group*slot
	case n < group+1 || (n-1)%7 != 0:
		return 0
	}
	return (capacity(n) - capacity(n-1)) * slot
}

// capacity is how many slots a map with tables has for n entries: the power of
// two that they fill to at most 7/8.
func capacity(n uint64) uint64 {
	slots := n + (n+6)/7
	return 1 << bits.Len64(slots-1)
}
