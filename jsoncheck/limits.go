package jsoncheck

import (
	"math"

	"github.com/harden-input/harden/rule"
)

// Limits are the costs that a JSON text may have. Each limit is inclusive: N
// passes, N+1 fails. A limit of zero is none, so that the zero Limits limit
// nothing and check nothing beyond RFC 8259.
//
// Lengths of strings, names and numbers count bytes on the wire: quotes are
// left out, an escape such as \u0061 counts 6.
type Limits struct {
	// MaxDepth is how many arrays and objects may be open at once: a scalar is
	// 0 deep, [] is 1 deep.
	MaxDepth uint64
	// MaxStringLength is the length in bytes of a string that is a value.
	MaxStringLength uint64
	// MaxNameLength is the length in bytes of a member's name.
	MaxNameLength uint64
	// MaxNumberLength is the length in bytes of a number, sign included.
	MaxNumberLength uint64
	// MaxExponent is the magnitude of a number's decimal exponent once it is
	// written with one digit before the point: 400 for 1e400, for 10e399 and
	// for a one with 400 zeros, but also for 1e-400. Zero is exempt.
	MaxExponent uint64
	// MaxObjectEntries is the number of members of one object.
	MaxObjectEntries uint64
	// MaxArrayElements is the number of elements of one array.
	MaxArrayElements uint64
	// MaxValues is the number of values in the whole text: scalars, arrays and
	// objects. Names are not values.
	MaxValues uint64
	// MaxDecodedSize is the estimated number of live heap bytes of the text
	// decoded into Go's any.
	MaxDecodedSize uint64
	// MaxTrackedKeys is how many names of open objects the checks for
	// duplicates remember at once.
	MaxTrackedKeys uint64

	// Checks are the optional checks to make.
	Checks Checks
}

// Checks are bits that ask for optional checks: what they find is legal JSON
// that some consumers read differently from others.
type Checks uint8

// The optional checks.
const (
	// DuplicateKeys looks for names that an object holds more than once
	// (json/duplicate-key).
	DuplicateKeys Checks = 1 << iota
	// FoldedKeys looks for names of an object that differ only in case, under
	// Unicode simple folding as encoding/json matches them
	// (json/duplicate-key-fold).
	FoldedKeys
	// LoneSurrogates looks for \u escapes of half a surrogate pair
	// (json/lone-surrogate).
	LoneSurrogates
)

// DefaultLimits returns the limits of the default profile, and no checks.
func DefaultLimits() Limits {
	return Limits{
		MaxDepth:         500,
		MaxStringLength:  64 << 20,
		MaxNameLength:    50_000,
		MaxNumberLength:  1000,
		MaxExponent:      400,
		MaxObjectEntries: 262_144,
		MaxArrayElements: 10_000_000,
		MaxValues:        10_000_000,
		MaxDecodedSize:   512 << 20,
		MaxTrackedKeys:   262_144,
	}
}

// LimitTable describes every limit: its key in flags and configuration, its
// unit, its field.
func LimitTable() []rule.LimitField[Limits] {
	return []rule.LimitField[Limits]{
		{Key: keyDepth, Unit: unitLevels,
			Doc:   "arrays and objects open at once",
			Field: func(l *Limits) *uint64 { return &l.MaxDepth }},
		{Key: keyStringLength, Unit: rule.UnitBytes,
			Doc:   "length of a string value as written, quotes left out",
			Field: func(l *Limits) *uint64 { return &l.MaxStringLength }},
		{Key: keyNameLength, Unit: rule.UnitBytes,
			Doc:   "length of a member's name as written, quotes left out",
			Field: func(l *Limits) *uint64 { return &l.MaxNameLength }},
		{Key: keyNumberLength, Unit: rule.UnitBytes,
			Doc:   "length of a number as written",
			Field: func(l *Limits) *uint64 { return &l.MaxNumberLength }},
		{Key: keyExponent, Unit: unitExponent,
			Doc:   "magnitude of a number's decimal exponent, digits counted",
			Field: func(l *Limits) *uint64 { return &l.MaxExponent }},
		{Key: keyObjectEntries, Unit: unitEntries,
			Doc:   "members of one object",
			Field: func(l *Limits) *uint64 { return &l.MaxObjectEntries }},
		{Key: keyArrayElements, Unit: unitElements,
			Doc:   "elements of one array",
			Field: func(l *Limits) *uint64 { return &l.MaxArrayElements }},
		{Key: keyValues, Unit: unitValues,
			Doc:   "values in the whole text, arrays and objects included",
			Field: func(l *Limits) *uint64 { return &l.MaxValues }},
		{Key: keyDecodedSize, Unit: rule.UnitBytes,
			Doc:   "estimated live memory of the text decoded into Go's any",
			Field: func(l *Limits) *uint64 { return &l.MaxDecodedSize }},
		{Key: keyTrackedKeys, Unit: unitNames,
			Doc:   "names of open objects that the duplicate checks remember at once",
			Field: func(l *Limits) *uint64 { return &l.MaxTrackedKeys }},
	}
}

// The keys of the limits.
const (
	keyDepth         = "json.max-depth"
	keyStringLength  = "json.max-string-length"
	keyNameLength    = "json.max-name-length"
	keyNumberLength  = "json.max-number-length"
	keyExponent      = "json.max-exponent"
	keyObjectEntries = "json.max-object-entries"
	keyArrayElements = "json.max-array-elements"
	keyValues        = "json.max-values"
	keyDecodedSize   = "json.max-decoded-size"
	keyTrackedKeys   = "json.max-tracked-keys"
)

// What limits and amounts count, besides bytes.
const (
	unitLevels   = "levels"
	unitExponent = "decimal exponent"
	unitEntries  = "entries"
	unitElements = "elements"
	unitValues   = "values"
	unitNames    = "names"
)

// unlimited stands for a limit of none inside the engine, where a comparison
// has to be enough. Half of the largest int64, so that sums do not wrap.
const unlimited = math.MaxInt64 / 2

// ceiling returns limit as the engine compares with it.
func ceiling(limit uint64) int64 {
	if limit == 0 || limit > unlimited {
		return unlimited
	}
	return int64(limit)
}
