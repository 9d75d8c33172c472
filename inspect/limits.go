package inspect

import (
	"time"

	"github.com/harden-input/harden/gzipcheck"
	"github.com/harden-input/harden/jsoncheck"
	"github.com/harden-input/harden/msgpackcheck"
	"github.com/harden-input/harden/rule"
)

// maxLayers is the ceiling of InputLimits.MaxLayers, which none can lift.
const maxLayers = 16

// Limits bounds what one payload may cost, layer by layer. The zero value has
// no limits but the ceiling of 16 compressed layers.
type Limits struct {
	Input InputLimits
	Gzip  gzipcheck.Limits
	// JSON.Checks and Msgpack.Checks are set by New: a check runs where its
	// rule is not off.
	JSON    jsoncheck.Limits
	Msgpack msgpackcheck.Limits
}

// InputLimits bounds a payload as a whole. A field that is zero does not limit.
type InputLimits struct {
	// MaxSize is the length of the payload itself, in bytes.
	MaxSize uint64
	// MaxLayers is how many compressed layers may be inside each other;
	// never above 16.
	MaxLayers uint64
	// MaxDecompressedSize is the output of all layers together, in bytes.
	MaxDecompressedSize uint64
	// MaxTime is the time for one payload in nanoseconds, a time.Duration.
	MaxTime uint64
	// MaxRecordSize is the length of one record of a stream, in bytes.
	MaxRecordSize uint64
}

// DefaultLimits returns the limits of the default profile.
func DefaultLimits() Limits {
	return Limits{
		Input: InputLimits{
			MaxSize:             128 << 20,
			MaxLayers:           2,
			MaxDecompressedSize: 256 << 20,
			MaxTime:             uint64(30 * time.Second),
			MaxRecordSize:       16 << 20,
		},
		Gzip:    gzipcheck.DefaultLimits(),
		JSON:    jsoncheck.DefaultLimits(),
		Msgpack: msgpackcheck.DefaultLimits(),
	}
}

// UnitTime is the unit of limits that are a time.Duration.
const UnitTime = "nanoseconds"

// LimitTable describes every limit that an Inspector knows: those of the input,
// then those of each format.
func LimitTable() []rule.LimitField[Limits] {
	table := []rule.LimitField[Limits]{
		{Key: "input.max-size", Unit: rule.UnitBytes,
			Doc:   "the payload itself",
			Field: func(l *Limits) *uint64 { return &l.Input.MaxSize }},
		{Key: "input.max-layers", Unit: "layers",
			Doc:   "compressed layers inside each other, never above 16",
			Field: func(l *Limits) *uint64 { return &l.Input.MaxLayers }},
		{Key: "input.max-decompressed-size", Unit: rule.UnitBytes,
			Doc:   "output of all layers together",
			Field: func(l *Limits) *uint64 { return &l.Input.MaxDecompressedSize }},
		{Key: "input.max-time", Unit: UnitTime,
			Doc:   "time for one payload, or for one record of a stream",
			Field: func(l *Limits) *uint64 { return &l.Input.MaxTime }},
		{Key: "input.max-record-size", Unit: rule.UnitBytes,
			Doc:   "one record of a stream",
			Field: func(l *Limits) *uint64 { return &l.Input.MaxRecordSize }},
	}
	table = appendTable(table, gzipcheck.LimitTable(), func(l *Limits) *gzipcheck.Limits { return &l.Gzip })
	table = appendTable(table, jsoncheck.LimitTable(), func(l *Limits) *jsoncheck.Limits { return &l.JSON })
	table = appendTable(table, msgpackcheck.LimitTable(), func(l *Limits) *msgpackcheck.Limits { return &l.Msgpack })
	return table
}

// appendTable lifts a checker's table to the Limits that hold the checker's.
func appendTable[L any](to []rule.LimitField[Limits], from []rule.LimitField[L], part func(*Limits) *L) []rule.LimitField[Limits] {
	for _, f := range from {
		field := f.Field
		to = append(to, rule.LimitField[Limits]{Key: f.Key, Unit: f.Unit, Doc: f.Doc,
			Field: func(l *Limits) *uint64 { return field(part(l)) }})
	}
	return to
}
