package inspect

import "github.com/harden-input/harden/rule"

// Schema is the value of Report.Schema. Fields may be added under this name;
// none is removed or changes its meaning.
const Schema = "harden.report/v1"

// A Report is what a run found, one entry a payload.
type Report struct {
	Schema   string    `json:"schema"`
	Payloads []Payload `json:"payloads"`
	Summary  Summary   `json:"summary"`
	// Config is the configuration file that was used, nil where none was.
	Config *ConfigFile `json:"config,omitempty"`
}

// A ConfigFile says which configuration file a report rests on.
type ConfigFile struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	// Loosened says what the file allows that would not be without it.
	Loosened []string `json:"loosened"`
}

// Verdict is the judgement of one payload.
type Verdict string

// The verdicts.
const (
	// Clean: measured to the end and nothing at fail-on was found.
	Clean Verdict = "clean"
	// Rejected: a violation at or above fail-on.
	Rejected Verdict = "rejected"
	// Undecided: no judgement was possible.
	Undecided Verdict = "undecided"
	// Ignored: whatever would have rejected the payload was set aside by the
	// configuration.
	Ignored Verdict = "ignored"
	// Skipped: a walked file that claims no format and is none. Such a payload
	// is counted in Summary.Skipped and is not listed.
	Skipped Verdict = "skipped"
)

// A Payload is the verdict on one payload and what it rests on.
type Payload struct {
	Name string `json:"name"`
	// Record and Line, from 1, say which record of a stream the payload is.
	Record uint64 `json:"record,omitempty"`
	Line   uint64 `json:"line,omitempty"`
	// StreamLayer is which layer of the stream a record is in: its offsets and
	// lines are those of that layer, and so not of the file where it is above 0.
	StreamLayer int `json:"stream_layer,omitempty"`

	Verdict    Verdict     `json:"verdict"`
	Layers     []Layer     `json:"layers"`
	Violations []Violation `json:"violations"`
	// ViolationCounts has the exact number of violations of each rule, while
	// Violations is bounded.
	ViolationCounts map[string]uint64 `json:"violation_counts"`
	// SkipReason says why a skipped payload was not judged.
	SkipReason string `json:"-"`
}

// A Layer is one encoding around the rest, outermost first.
type Layer struct {
	Format string `json:"format"`
	// DetectedBy is "as", "name", "magic" or "content".
	DetectedBy string `json:"detected_by"`
	// Complete reports whether the layer was measured to its end.
	Complete bool `json:"complete"`
	// Checked lists what was looked at: "structure", "crc", "content", and the
	// optional checks that ran.
	Checked []string `json:"checked"`
	// Note says in words what was not looked at, and why.
	Note string `json:"note,omitempty"`
	Facts
}

// Facts are the numbers of one layer's measurement. Which are present depends
// on the format.
type Facts struct {
	Size          rule.Amount `json:"size,omitzero"`          // bytes of the encoded form that were measured
	Compressed    rule.Amount `json:"compressed,omitzero"`    // bytes
	Decompressed  rule.Amount `json:"decompressed,omitzero"`  // bytes
	Members       rule.Amount `json:"members,omitzero"`       // gzip members
	StoredBlocks  rule.Amount `json:"stored_blocks,omitzero"` // deflate blocks by type
	FixedBlocks   rule.Amount `json:"fixed_blocks,omitzero"`
	DynamicBlocks rule.Amount `json:"dynamic_blocks,omitzero"`
	Work          rule.Amount `json:"work,omitzero"`   // units of gzip.max-work
	Values        rule.Amount `json:"values,omitzero"` // of all kinds, keys of msgpack maps included
	Arrays        rule.Amount `json:"arrays,omitzero"`
	Objects       rule.Amount `json:"objects,omitzero"`
	Maps          rule.Amount `json:"maps,omitzero"`
	Strings       rule.Amount `json:"strings,omitzero"`
	Depth         rule.Amount `json:"depth,omitzero"`        // of the deepest container
	DecodedSize   rule.Amount `json:"decoded_size,omitzero"` // estimated bytes of the decoded value
	Records       rule.Amount `json:"records,omitzero"`      // of a stream, bad ones included
}

// A Violation is one place where a payload breaks a rule.
type Violation struct {
	Rule     string        `json:"rule"`
	Severity rule.Severity `json:"severity"`
	Kind     rule.Kind     `json:"kind"`
	// Layer indexes Payload.Layers.
	Layer int `json:"layer"`
	// Offset counts bytes of that layer's encoded form.
	Offset   int64       `json:"offset"`
	Declared rule.Amount `json:"declared,omitzero"`
	Actual   rule.Amount `json:"actual,omitzero"`
	Limit    rule.Amount `json:"limit,omitzero"`
	LimitKey string      `json:"limit_key,omitempty"`
	Unit     string      `json:"unit,omitempty"`
	// Pointer is the RFC 6901 JSON Pointer of the value; nil for formats that
	// have no values. The empty pointer is the root.
	Pointer *string `json:"pointer,omitempty"`
	// Line and Column, from 1, say where Offset is in a format that has lines.
	// They are absent where the bytes came once and are gone.
	Line    uint64 `json:"line,omitempty"`
	Column  uint64 `json:"column,omitempty"`
	Message string `json:"message"`
	// Ignored is the reason why the configuration set the violation aside,
	// empty where it did not.
	Ignored string `json:"ignored,omitempty"`
}

// Summary counts payloads by verdict.
type Summary struct {
	Clean     int `json:"clean"`
	Rejected  int `json:"rejected"`
	Undecided int `json:"undecided"`
	// Ignored counts payloads whose violations were all set aside by an
	// ignore entry of the configuration.
	Ignored int `json:"ignored"`
	// Unlisted counts records that are counted above and not listed, because
	// there were too many.
	Unlisted int `json:"unlisted,omitempty"`
	// Skipped counts files that were not judged, by reason.
	Skipped map[string]int `json:"skipped"`
}

// NewReport returns an empty report whose lists encode as [] and {}.
func NewReport() *Report {
	return &Report{Schema: Schema, Payloads: []Payload{}, Summary: Summary{Skipped: map[string]int{}}}
}

// Add counts p, and lists it unless it was skipped.
func (r *Report) Add(p Payload) {
	r.count(&p)
	if p.Verdict != Skipped {
		r.Payloads = append(r.Payloads, p)
	}
}

func (r *Report) count(p *Payload) {
	switch p.Verdict {
	case Clean:
		r.Summary.Clean++
	case Rejected:
		r.Summary.Rejected++
	case Undecided:
		r.Summary.Undecided++
	case Skipped:
		r.Summary.Skipped[p.SkipReason]++
	}
}

// Merge adds everything that part holds.
func (r *Report) Merge(part *Report) {
	r.Payloads = append(r.Payloads, part.Payloads...)
	s, t := &r.Summary, &part.Summary
	s.Clean += t.Clean
	s.Rejected += t.Rejected
	s.Undecided += t.Undecided
	s.Ignored += t.Ignored
	s.Unlisted += t.Unlisted
	for reason, n := range t.Skipped {
		s.Skipped[reason] += n
	}
}

func newPayload(name string) Payload {
	return Payload{Name: name, Layers: []Layer{}, Violations: []Violation{}, ViolationCounts: map[string]uint64{}}
}

func newViolation(layer int, v *rule.Violation, severity rule.Severity, pointers bool) Violation {
	w := Violation{
		Rule: v.Rule.ID, Severity: severity, Kind: v.Rule.Kind,
		Layer: layer, Offset: v.Offset,
		Declared: v.Declared, Actual: v.Actual, Limit: v.LimitValue, LimitKey: v.Rule.LimitKey,
		Unit: v.Unit, Message: v.Text(),
	}
	if pointers {
		w.Pointer = &v.Pointer
	}
	return w
}
