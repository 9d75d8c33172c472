package msgpackcheck

import (
	"math"

	"github.com/harden-input/harden/rule"
)

// Limits are the costs that a payload may have, and the checks to run on it.
// The zero value has no limits and no checks. A payload that is exactly at a
// limit passes.
type Limits struct {
	// MaxDepth bounds how deep arrays and maps nest, nesting through map keys
	// included. A lone scalar has depth 0, an empty array depth 1.
	MaxDepth uint64
	// MaxValues bounds the values of a payload: every scalar, array, map, map
	// key and map value is one. Values count as soon as a header promises them.
	MaxValues uint64
	// MaxDecodedSize bounds the estimated bytes of the decoded Go values; see
	// [Measurement.DecodedSize].
	MaxDecodedSize uint64
	// MaxArrayLength bounds the elements of one array.
	MaxArrayLength uint64
	// MaxMapLength bounds the pairs of one map.
	MaxMapLength uint64
	// MaxStrLength, MaxBinLength and MaxExtLength bound the bytes of one str,
	// bin and ext, without its header.
	MaxStrLength, MaxBinLength, MaxExtLength uint64
	// MaxTrackedKeys bounds how many keys, of all open maps together, the
	// check for duplicate keys remembers. Further keys are not compared, which
	// is a violation of msgpack/duplicate-unchecked.
	MaxTrackedKeys uint64

	// Checks are the optional checks to run.
	Checks Checks
}

// Checks is a set of optional checks: looks for what is legal and suspicious.
type Checks uint8

// The checks. Each raises the rule of the same name.
const (
	// UTF8 raises msgpack/utf8.
	UTF8 Checks = 1 << iota
	// DuplicateKeys raises msgpack/duplicate-key and msgpack/duplicate-unchecked.
	DuplicateKeys
	// Canonical raises msgpack/non-canonical.
	Canonical
	// KeyType raises msgpack/key-type.
	KeyType
	// ExtType raises msgpack/ext-type.
	ExtType

	// AllChecks are all of them.
	AllChecks = UTF8 | DuplicateKeys | Canonical | KeyType | ExtType
)

// DefaultLimits returns the limits of the default profile, without checks.
func DefaultLimits() Limits {
	return Limits{
		MaxDepth:       128,
		MaxValues:      10_000_000,
		MaxDecodedSize: 512 << 20,
		MaxArrayLength: 10_000_000,
		MaxMapLength:   262_144,
		MaxStrLength:   64 << 20,
		MaxBinLength:   64 << 20,
		MaxExtLength:   64 << 20,
		MaxTrackedKeys: 262_144,
	}
}

// LimitTable describes every limit of Limits, in the order of its fields.
func LimitTable() []rule.LimitField[Limits] {
	return []rule.LimitField[Limits]{
		{Key: "msgpack.max-depth", Unit: "levels", Doc: "arrays and maps open at once, nesting through map keys included",
			Field: func(l *Limits) *uint64 { return &l.MaxDepth }},
		{Key: "msgpack.max-values", Unit: "values", Doc: "values in a payload, each key and value of a map counted",
			Field: func(l *Limits) *uint64 { return &l.MaxValues }},
		{Key: "msgpack.max-decoded-size", Unit: rule.UnitBytes, Doc: "estimated memory of the decoded Go values",
			Field: func(l *Limits) *uint64 { return &l.MaxDecodedSize }},
		{Key: "msgpack.max-array-length", Unit: "elements", Doc: "elements of one array",
			Field: func(l *Limits) *uint64 { return &l.MaxArrayLength }},
		{Key: "msgpack.max-map-length", Unit: "pairs", Doc: "pairs of one map",
			Field: func(l *Limits) *uint64 { return &l.MaxMapLength }},
		{Key: "msgpack.max-str-length", Unit: rule.UnitBytes, Doc: "length of one str",
			Field: func(l *Limits) *uint64 { return &l.MaxStrLength }},
		{Key: "msgpack.max-bin-length", Unit: rule.UnitBytes, Doc: "length of one bin",
			Field: func(l *Limits) *uint64 { return &l.MaxBinLength }},
		{Key: "msgpack.max-ext-length", Unit: rule.UnitBytes, Doc: "length of the data of one ext",
			Field: func(l *Limits) *uint64 { return &l.MaxExtLength }},
		{Key: "msgpack.max-tracked-keys", Unit: "keys", Doc: "keys of open maps that the check for duplicates remembers",
			Field: func(l *Limits) *uint64 { return &l.MaxTrackedKeys }},
	}
}

// effective returns l with every absent limit replaced by one that nothing
// exceeds, so that comparing is all there is to checking one.
func (l Limits) effective() Limits {
	for _, field := range [...]*uint64{
		&l.MaxDepth, &l.MaxValues, &l.MaxDecodedSize, &l.MaxArrayLength,
		&l.MaxMapLength, &l.MaxStrLength, &l.MaxBinLength, &l.MaxExtLength,
	} {
		if *field == 0 {
			*field = math.MaxUint64
		}
	}
	return l
}
