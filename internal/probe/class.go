//go:build !wasip1

package probe

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/harden-input/harden/rule"
)

// A Class says how a command took a payload.
type Class string

// The classes, the worst first. Where several apply the command is said to be
// in the first of them, but for one that was killed: it is in the class that
// it was killed for.
const (
	// Crashed: a signal ended it, or its exit says that a runtime gave up
	// (see crashes).
	Crashed Class = "crashed"
	// OverMemory: its peak resident size is above the limit, or its peak
	// virtual size is above the baseline's by more than the limit.
	OverMemory Class = "over memory"
	// TimedOut: it had not ended by the limit.
	TimedOut Class = "timed out"
	// OutputOverLimit: stdout and stderr together were longer than the limit.
	OutputOverLimit Class = "output over limit"
	// Accepted: exit code 0.
	Accepted Class = "accepted"
	// Refused: any other exit code.
	Refused Class = "refused"
)

// Classes returns all classes, the worst first.
func Classes() []Class {
	return []Class{Crashed, OverMemory, TimedOut, OutputOverLimit, Accepted, Refused}
}

// Hurts reports whether a payload of this class did harm.
func (c Class) Hurts() bool { return c != Accepted && c != Refused }

// rank orders classes, the worst first.
func (c Class) rank() int { return slices.Index(Classes(), c) }

// A crash is an exit code with which a runtime that gives up ends a process,
// and what it then writes to stderr. Both have to be there: an exit code alone
// is what a decoder makes of it.
type crash struct {
	runtime string
	exit    int    // 0: any but 0
	text    string // at the start of a line if it ends in a colon, else anywhere
}

// crashes are the runtimes whose last words are known. A Python or Perl
// exception is none of them: it reached the top because nobody caught it, and
// the decoder had refused.
var crashes = []crash{
	{"Go", 2, "panic:"},
	{"Go", 2, "fatal error:"},
	{"Rust", 101, "panicked at"},
	{"Java", 0, "java.lang.OutOfMemoryError"},
	{"Java", 0, "java.lang.StackOverflowError"},
	// A leak is LeakSanitizer's, and no crash.
	{"AddressSanitizer", 0, "ERROR: AddressSanitizer"},
	{"MemorySanitizer", 0, "WARNING: MemorySanitizer"},
	{"UndefinedBehaviorSanitizer", 0, "SUMMARY: UndefinedBehaviorSanitizer"},
}

// shellSignals are the signals by which a process crashes. A shell that ran one
// ends with 128 and the signal's number.
var shellSignals = map[int]string{
	4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV",
}

// crashed says what e crashed of, or nothing.
func (e *ending) crashed() string {
	if e.signal != "" {
		return "ended by " + e.signal
	}
	if e.exit == 0 {
		return ""
	}
	if name, ok := shellSignals[e.exit-128]; ok {
		return fmt.Sprintf("exit code %d, as a shell reports %s", e.exit, name)
	}
	for _, c := range crashes {
		if (c.exit == 0 || c.exit == e.exit) && says(e.stderr, c.text) {
			return fmt.Sprintf("exit code %d and %q on stderr, as %s ends", e.exit, c.text, c.runtime)
		}
	}
	return ""
}

// says reports whether stderr holds the last words text.
func says(stderr []byte, text string) bool {
	if text[len(text)-1] != ':' {
		return bytes.Contains(stderr, []byte(text))
	}
	return bytes.HasPrefix(stderr, []byte(text)) || bytes.Contains(stderr, []byte("\n"+text))
}

// classify says how a command took a payload, and why it is said. The peak
// virtual size is compared with that of benign payloads, where it is known.
func (o *Options) classify(e *ending, baseline rule.Amount) (Class, string) {
	switch e.stopped {
	case overTime:
		return TimedOut, fmt.Sprintf("killed after %s", o.Timeout)
	case overOutput:
		return OutputOverLimit, fmt.Sprintf("killed after %s of output", size(e.output))
	case overMemory:
		return OverMemory, fmt.Sprintf("killed holding %s, limit %s", size(e.held), size(o.Memory))
	}
	if why := e.crashed(); why != "" {
		return Crashed, why
	}
	if resident, _ := e.resident.Get(); rule.Exceeds(resident, o.Memory) {
		return OverMemory, fmt.Sprintf("peak resident %s, limit %s", size(resident), size(o.Memory))
	}
	virtual, measured := e.virtual.Get()
	base, known := baseline.Get()
	if measured && known && virtual > base && rule.Exceeds(virtual-base, o.Memory) {
		return OverMemory, fmt.Sprintf("peak virtual %s, %s above the baseline, limit %s", size(virtual), size(virtual-base), size(o.Memory))
	}
	if e.output > o.MaxOutput && o.MaxOutput != 0 {
		return OutputOverLimit, fmt.Sprintf("%s of output", size(e.output))
	}
	if e.exit == 0 {
		return Accepted, ""
	}
	return Refused, ""
}
