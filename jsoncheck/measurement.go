package jsoncheck

import "github.com/harden-input/harden/rule"

// A Measurement is what a pass found out about a JSON text. It is filled as
// far as the pass got.
type Measurement struct {
	// Complete says that the pass reached the end of a whole text.
	Complete bool
	// Violations are the rules that the text breaks, and where.
	Violations rule.List

	// Length is the bytes of the text, or of what lies before the violation that
	// stopped the pass.
	Length uint64

	// Nulls, Booleans, Numbers, Strings, Arrays and Objects count values by
	// kind. Names counts the names of all members.
	Nulls, Booleans, Numbers, Strings, Arrays, Objects, Names uint64

	// Depth is the largest number of arrays and objects open at once.
	Depth uint64
	// LongestString, LongestName and LongestNumber are in bytes as written,
	// quotes left out.
	LongestString, LongestName, LongestNumber uint64
	// MostElements and MostEntries are those of the largest array and object.
	MostElements, MostEntries uint64

	// TextBytes is the sum of the lengths of all strings and names, unescaped.
	TextBytes uint64
	// DecodedSize is the estimated number of live heap bytes of the text
	// decoded into Go's any: between half and twice of what 64-bit Go takes.
	DecodedSize uint64

	// DuplicateNames counts the names that their object held already. It is
	// zero where the check was not asked for.
	DuplicateNames uint64
}

// Values returns the number of values of all kinds.
func (m *Measurement) Values() uint64 {
	return m.Nulls + m.Booleans + m.Numbers + m.Strings + m.Arrays + m.Objects
}
