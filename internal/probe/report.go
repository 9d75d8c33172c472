//go:build !wasip1

package probe

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/rule"
)

// Schema names the form of a [Report] in JSON, see docs/probe.md.
const Schema = "harden.probe/v1"

// A Report says how a command took the cases. Sizes are bytes, times seconds.
type Report struct {
	Schema  string         `json:"schema"`
	Command []string       `json:"command"`
	Limits  Limits         `json:"limits"`
	Memory  MemoryMeasured `json:"memory_measured"`
	// NotMeasured lists what the platform does not tell.
	NotMeasured []string       `json:"not_measured"`
	Formats     []FormatReport `json:"formats"`
	// Cases are in the order of their IDs.
	Cases   []Result `json:"cases"`
	Summary Summary  `json:"summary"`
	Verdict Verdict  `json:"verdict"`
	// Conclusion is the verdict as a line of text.
	Conclusion string `json:"conclusion"`
}

// Limits are those of the run; 0 is none.
type Limits struct {
	Timeout   float64 `json:"timeout"`
	Memory    uint64  `json:"memory"`
	MaxOutput uint64  `json:"max_output"`
}

// MemoryMeasured says how memory was measured.
type MemoryMeasured string

// The ways to measure memory.
const (
	// MemoryAtExit: the kernel's peaks of every process, read as it exits.
	MemoryAtExit MemoryMeasured = "at exit"
	// MemoryPolled: the kernel's peaks of every process, read every few
	// milliseconds; what comes after the last look is missing.
	MemoryPolled MemoryMeasured = "polled"
	// MemoryRusage: the peak resident size that the platform reports when the
	// command has ended.
	MemoryRusage MemoryMeasured = "rusage"
	// MemoryNotMeasured: not at all.
	MemoryNotMeasured MemoryMeasured = "not measured"
)

// A FormatReport says how the command took the benign cases of one format.
type FormatReport struct {
	Format string `json:"format"`
	// Benign counts the benign cases that ran, Accepted those that were accepted.
	Benign   int `json:"benign"`
	Accepted int `json:"accepted"`
	// AcceptsAnything says that it also accepted a payload of no format.
	AcceptsAnything bool `json:"accepts_anything"`
	// Resident and Virtual are the largest peaks over the accepted ones, and
	// over refusals of a payload that is of no format.
	Resident rule.Amount `json:"peak_resident,omitzero"`
	Virtual  rule.Amount `json:"peak_virtual,omitzero"`
}

// Unread reports that the command accepted no benign case: it does not seem to
// read the format.
func (f *FormatReport) Unread() bool { return f.Accepted == 0 }

// A Result is how the command took one case.
type Result struct {
	Case  string      `json:"case"`
	Kind  corpus.Kind `json:"kind"`
	Class Class       `json:"class"`
	// Why says what of the class's conditions holds.
	Why string `json:"why,omitempty"`
	// Exit is the exit code, absent where Signal ended the command.
	Exit     rule.Amount `json:"exit,omitzero"`
	Signal   string      `json:"signal,omitempty"`
	Wall     float64     `json:"wall"`
	CPU      float64     `json:"cpu"`
	Resident rule.Amount `json:"peak_resident,omitzero"`
	Virtual  rule.Amount `json:"peak_virtual,omitzero"`
	// Output counts the bytes of stdout and stderr.
	Output uint64 `json:"output"`
	// Stderr is an escaped excerpt of the first line that is not blank.
	Stderr string `json:"stderr,omitempty"`
}

// Summary counts.
type Summary struct {
	// Selected counts the cases that were asked for, Cases those that ran.
	Selected int           `json:"selected"`
	Cases    int           `json:"cases"`
	Classes  map[Class]int `json:"classes"`
	// MalformedAccepted counts the accepted cases that break their format.
	MalformedAccepted int `json:"malformed_accepted"`
}

// Hurt counts the cases that crashed, timed out or went over a limit.
func (s *Summary) Hurt() int {
	n := 0
	for class, count := range s.Classes {
		if class.Hurts() {
			n += count
		}
	}
	return n
}

// report says how the command took the cases that have an ending.
func (o *Options) report(endings map[string]*ending) *Report {
	r := &Report{
		Schema:      Schema,
		Command:     o.Command,
		Limits:      Limits{o.Timeout.Seconds(), o.Memory, o.MaxOutput},
		NotMeasured: []string{},
		Formats:     []FormatReport{},
		Cases:       []Result{},
		Summary:     Summary{Selected: len(o.Cases), Classes: map[Class]int{}},
	}
	how, missing := o.memoryIs()
	r.Memory, r.NotMeasured = how, append(r.NotMeasured, missing...)
	baselines := map[string]FormatReport{}
	for _, c := range o.Cases {
		format := c.Format()
		if _, known := baselines[format]; !known {
			baselines[format] = o.baseline(format, endings)
			r.Formats = append(r.Formats, baselines[format])
		}
		if e := endings[c.ID]; e != nil {
			r.add(o.result(c, e, baselines[format].Virtual))
		}
	}
	r.Verdict, r.Conclusion = r.judge(o.Expected)
	return r
}

func (r *Report) add(result Result) {
	r.Cases = append(r.Cases, result)
	r.Summary.Cases++
	r.Summary.Classes[result.Class]++
	if result.acceptedMalformed() {
		r.Summary.MalformedAccepted++
	}
}

func (o *Options) result(c corpus.Case, e *ending, baseline rule.Amount) Result {
	result := Result{
		Case:     c.ID,
		Kind:     c.Kind,
		Signal:   e.signal,
		Wall:     e.wall.Round(time.Microsecond).Seconds(),
		CPU:      e.cpu.Round(time.Microsecond).Seconds(),
		Resident: e.resident,
		Virtual:  e.virtual,
		Output:   e.output,
		Stderr:   firstLine(e.stderr),
	}
	result.Class, result.Why = o.classify(e, baseline)
	if e.signal == "" {
		result.Exit = rule.N(uint64(uint32(e.exit)))
	}
	return result
}

// acceptedMalformed reports that the case breaks its format and was accepted.
func (r *Result) acceptedMalformed() bool {
	return r.Class == Accepted && r.Kind == corpus.Malformed
}

// worstFirst returns the results of r, the worst first and those of one class
// by ID.
func (r *Report) worstFirst() []Result {
	sorted := slices.Clone(r.Cases)
	slices.SortStableFunc(sorted, func(a, b Result) int { return a.Class.rank() - b.Class.rank() })
	return sorted
}

// maxExcerpt bounds what is quoted of stderr, in bytes.
const maxExcerpt = 160

// firstLine returns an escaped excerpt of the first line that is not blank.
func firstLine(stderr []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimLeft(stderr, "\r\n\t "), []byte("\n"))
	return escape(string(bytes.TrimRight(line, "\r\t ")))
}

// escape makes what others wrote safe to print and bounds it. A doubled number
// sign starts a command in some CI logs, wherever it stands.
func escape(s string) string {
	return strings.ReplaceAll(rule.Excerpt(s, maxExcerpt), "##", `#\x23`)
}

// A Verdict is what a whole run comes to.
type Verdict string

// The verdicts.
const (
	// Hurt: a case crashed the command, or took it over a limit.
	Hurt Verdict = "hurt"
	// Unhurt: none of the cases did.
	Unhurt Verdict = "unhurt"
	// Undecided: the run was interrupted, or the command hardly looked at
	// what it was given.
	Undecided Verdict = "undecided"
)

// judge returns the verdict, and the line that says it. A command that accepts
// no benign case of a format does not seem to read it. That decides nothing
// where the format is one of expected, or where it reads no format at all.
func (r *Report) judge(expected []string) (Verdict, string) {
	s := &r.Summary
	hurt := s.Hurt()
	if s.Cases < s.Selected {
		return Undecided, fmt.Sprintf("interrupted after %d of %d cases, hurt by %d so far", s.Cases, s.Selected, hurt)
	}
	if hurt > 0 {
		return Hurt, fmt.Sprintf("hurt by %d of %s", hurt, counted(s.Cases))
	}
	var unread []string
	all := true
	for i := range r.Formats {
		f := &r.Formats[i]
		if f.Unread() && (expected == nil || slices.Contains(expected, f.Format)) {
			unread = append(unread, f.Format)
		}
		all = all && f.Unread()
	}
	if all || expected != nil && unread != nil {
		return Undecided, "not decided: the command does not seem to read " + strings.Join(unread, ", ")
	}
	return Unhurt, "unhurt by " + counted(s.Cases)
}

func counted(cases int) string {
	if cases == 1 {
		return "1 case"
	}
	return fmt.Sprintf("%d cases", cases)
}

// size writes a number of bytes for people.
func size(n uint64) string { return humanize.IBytes(n) }
