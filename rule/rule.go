// Package rule holds the words every checker speaks in: a [Rule] is one way to
// be bad, a [Violation] is one place where a payload is bad in that way, and a
// [List] collects violations in bounded memory.
//
// Checkers declare their rules as data (see gzipcheck.Rules) and return
// violations as errors:
//
//	_, err := gzipcheck.Measure(payload, gzipcheck.DefaultLimits())
//	var v *rule.Violation
//	if errors.As(err, &v) {
//		log.Printf("refused by %s at byte %d: %v", v.Rule.ID, v.Offset, v)
//	}
//
// The package imports nothing of this module and keeps no state.
package rule

import "fmt"

// A Rule is one way for a payload to be bad. Rules are data: explanations,
// SARIF metadata and docs/rules.md are made from them.
type Rule struct {
	// ID is stable and starts with the format: "gzip/isize-forged".
	ID string
	// Default is the severity under the default profile.
	Default Severity
	Kind    Kind
	// Stops marks a rule that ends the measuring pass: what follows the
	// violation was not looked at. Its severity cannot be lowered below Error.
	Stops bool
	// Undecided marks a rule that says no judgement was possible. Its
	// severity cannot be changed.
	Undecided bool
	// LimitKey names the limit that a rule of kind Limit guards, such as
	// "gzip.max-members". Empty for all other kinds.
	LimitKey string

	// Title says in one line what is wrong with the payload.
	Title string
	// Why says whom it hurts and how.
	Why string
	// Fix says what to do about it.
	Fix string
	// CWE lists the weakness numbers of cwe.mitre.org that apply.
	CWE []int
	// References are public URLs or identifiers (RFC sections, CVEs).
	References []string
}

// Kind says in which way a rule's payloads are bad.
type Kind string

// The kinds of rules.
const (
	// Forged is a statement about size that is provably untrue.
	Forged Kind = "forged"
	// Limit is a cost above a configured limit.
	Limit Kind = "limit"
	// Malformed is a payload that breaks its format's specification.
	Malformed Kind = "malformed"
	// Truncated is a payload that ends too early.
	Truncated Kind = "truncated"
	// Suspicious is legal, and known to confuse or harm some consumers.
	Suspicious Kind = "suspicious"
	// Unjudged is a payload that could not be judged at all.
	Unjudged Kind = "unjudged"
)

// Severity orders how seriously a violation is taken.
type Severity uint8

// The severities, in rising order. Off means the rule is not reported.
const (
	Off Severity = iota
	Note
	Warning
	Error
)

var severityNames = [...]string{"off", "note", "warning", "error"}

// String returns "off", "note", "warning" or "error".
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("severity(%d)", uint8(s))
}

// MarshalText writes the name of s.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the name of a severity.
func (s *Severity) UnmarshalText(text []byte) error {
	v, err := ParseSeverity(string(text))
	if err != nil {
		return err
	}
	*s = v
	return nil
}

// ParseSeverity reads "off", "note", "warning" or "error".
func ParseSeverity(name string) (Severity, error) {
	for i, n := range severityNames {
		if n == name {
			return Severity(i), nil
		}
	}
	return Off, fmt.Errorf("unknown severity %q: use off, note, warning or error", name)
}
