package gzipcheck

import "github.com/harden-input/harden/rule"

// Limits bounds what a payload may cost. The zero value has no limits; a field
// that is zero does not limit. A payload that reaches a limit passes, one that
// is one unit above it does not.
type Limits struct {
	// MaxDecompressedSize is the output of all members together, in bytes.
	MaxDecompressedSize uint64
	// MaxRatio is output bytes for each input byte, looked at once the output
	// is past 1 MiB. DEFLATE cannot exceed 1032.
	MaxRatio uint64
	// MaxMembers is how many members the payload may have.
	MaxMembers uint64
	// MaxHeaderSize is the content of FEXTRA, FNAME and FCOMMENT of one member
	// together, in bytes, length fields and terminators not counted.
	MaxHeaderSize uint64
	// MaxWork bounds CPU time that no output limit catches. A dynamic block
	// counts 1024, any other block 8, a member 256; the sum may be MaxWork
	// plus 16 for each byte of output, and never above MaxWork plus
	// MaxDecompressedSize where that is set.
	MaxWork uint64
}

// DefaultLimits returns the limits of the default profile.
func DefaultLimits() Limits {
	return Limits{
		MaxDecompressedSize: 128 << 20,
		MaxMembers:          262144,
		MaxHeaderSize:       64 << 10,
		MaxWork:             16 << 20,
	}
}

// LimitTable describes every field of Limits, in the order of documentation.
func LimitTable() []rule.LimitField[Limits] {
	return []rule.LimitField[Limits]{
		{Key: "gzip.max-decompressed-size", Unit: rule.UnitBytes,
			Doc:   "output of all members of one gzip layer together",
			Field: func(l *Limits) *uint64 { return &l.MaxDecompressedSize }},
		{Key: "gzip.max-ratio", Unit: "bytes of output for each byte of input",
			Doc:   "output : input, looked at once the output is past 1 MiB",
			Field: func(l *Limits) *uint64 { return &l.MaxRatio }},
		{Key: "gzip.max-members", Unit: "members",
			Doc:   "members of one gzip layer",
			Field: func(l *Limits) *uint64 { return &l.MaxMembers }},
		{Key: "gzip.max-header-size", Unit: rule.UnitBytes,
			Doc:   "FEXTRA, FNAME and FCOMMENT of one member together",
			Field: func(l *Limits) *uint64 { return &l.MaxHeaderSize }},
		{Key: "gzip.max-work", Unit: "work units",
			Doc:   "CPU overhead beyond 16 units for each byte of output: 1024 a dynamic block, 8 any other block, 256 a member",
			Field: func(l *Limits) *uint64 { return &l.MaxWork }},
	}
}
