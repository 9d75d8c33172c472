//go:build !wasip1

package probe

import (
	"fmt"
	"io"
	"strings"

	"github.com/harden-input/harden/internal/junit"
	"github.com/harden-input/harden/internal/report"
)

// JSON writes r as one JSON object, see docs/probe.md.
func JSON(w io.Writer, r *Report) error { return report.Encode(w, r) }

// JUnit writes a test case for each case, named by its ID. One that hurts is a
// failure of the type of its class.
func JUnit(w io.Writer, r *Report) error {
	suite := junit.Suite{Name: "harden probe"}
	for _, line := range r.head() {
		name, value, _ := strings.Cut(line, ": ")
		suite.Property(name, value)
	}
	for i := range r.Cases {
		result := &r.Cases[i]
		c := junit.Case{Name: result.Case, Time: fmt.Sprintf("%.3f", result.Wall)}
		cells := result.cells()
		var facts []string
		for j, name := range columns {
			if cells[j] != "" {
				facts = append(facts, name+": "+cells[j])
			}
		}
		text := strings.Join(facts, "\n")
		if result.Class.Hurts() {
			c.Failure = &junit.Problem{Type: string(result.Class), Message: string(result.Class) + ": " + result.Why, Text: text}
		} else {
			c.SystemOut = text
		}
		suite.Add(c)
	}
	if r.Verdict == Undecided {
		suite.Add(junit.Case{Name: "verdict", Error: &junit.Problem{Type: string(Undecided), Message: r.Conclusion}})
	}
	return junit.Write(w, suite)
}
