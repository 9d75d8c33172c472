package rule

// LimitField describes one limit of a Limits struct L. Flags, configuration
// keys, the limits command and documentation are made from tables of these.
type LimitField[L any] struct {
	// Key is the name in flags and configuration: "gzip.max-members".
	Key string
	// Unit is what the limit counts: UnitBytes, or a noun in the plural.
	Unit string
	// Doc says in one sentence what is limited.
	Doc string
	// Field returns the address of the limit in l. The value zero means no limit.
	Field func(l *L) *uint64
}

// UnitBytes is the Unit of limits and amounts that count bytes.
const UnitBytes = "bytes"

// Exceeds reports whether n is above limit, where a limit of zero is none:
// n equal to the limit passes.
func Exceeds(n, limit uint64) bool { return limit != 0 && n > limit }
