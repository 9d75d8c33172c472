package rule

import (
	"strconv"
	"strings"
)

// A Violation is one place where a payload breaks a rule. It is an error, so
// that checkers return it as one.
type Violation struct {
	Rule *Rule
	// Offset counts bytes from the start of the encoded form that the
	// checker was given (for a layer inside gzip: of the inflated bytes).
	Offset int64
	// Declared is what the payload states, Actual what is true, LimitValue
	// what is allowed. Each is present or absent; zero is a value.
	Declared, Actual, LimitValue Amount
	// Unit counts Declared, Actual and LimitValue: "bytes", "members", ….
	Unit string
	// Pointer is the RFC 6901 JSON Pointer of the value concerned, for
	// formats that have values ("" is the root); bounded and escaped.
	Pointer string
	// Message is the sentence for people. It may hold the placeholders
	// {declared}, {actual}, {limit} and {detail}, which Error and Text fill in.
	// It never quotes payload bytes except through Detail.
	Message string
	// Severity, where it is not Off, is the severity this violation has by
	// default instead of Rule.Default: some places weigh less than the rule's
	// usual one (an integer as a map key less than an array).
	Severity Severity
	// Detail is an excerpt or number that only this violation has, escaped
	// and bounded (see [Excerpt]).
	Detail string
}

// Default returns the severity that v has under the default profile.
func (v *Violation) Default() Severity {
	if v.Severity != Off {
		return v.Severity
	}
	return v.Rule.Default
}

// Error reads like
//
//	gzip/isize-forged at byte 25: trailer declares 4294967295 bytes, member holds 1024
func (v *Violation) Error() string {
	var b strings.Builder
	b.WriteString(v.Rule.ID)
	b.WriteString(" at byte ")
	b.WriteString(strconv.FormatInt(v.Offset, 10))
	b.WriteString(": ")
	b.WriteString(v.Text())
	return b.String()
}

// Text returns Message with its placeholders filled in with exact numbers.
func (v *Violation) Text() string {
	if !strings.Contains(v.Message, "{") {
		return v.Message
	}
	return strings.NewReplacer(
		"{declared}", v.Declared.String(),
		"{actual}", v.Actual.String(),
		"{limit}", v.LimitValue.String(),
		"{detail}", v.Detail,
	).Replace(v.Message)
}

// Amount is a number that may be absent. The zero Amount is absent.
type Amount struct {
	n     uint64
	known bool
}

// N returns the present amount n.
func N(n uint64) Amount { return Amount{n, true} }

// Get returns the number and whether it is present.
func (a Amount) Get() (n uint64, known bool) { return a.n, a.known }

// IsZero reports whether a is absent, so that omitzero drops it from JSON.
func (a Amount) IsZero() bool { return !a.known }

// String returns the decimal number, or "unknown".
func (a Amount) String() string {
	if !a.known {
		return "unknown"
	}
	return strconv.FormatUint(a.n, 10)
}

// MarshalJSON writes the number, or null where it is absent.
func (a Amount) MarshalJSON() ([]byte, error) {
	if !a.known {
		return []byte("null"), nil
	}
	return strconv.AppendUint(nil, a.n, 10), nil
}

// UnmarshalJSON reads a number or null.
func (a *Amount) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*a = Amount{}
		return nil
	}
	n, err := strconv.ParseUint(string(b), 10, 64)
	if err != nil {
		return err
	}
	*a = N(n)
	return nil
}
