package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/junit"
)

// writeJUnit writes a test case for each payload: a rejected one fails, one
// that could not be judged is an error.
func writeJUnit(w io.Writer, r *inspect.Report, _ Options) error {
	suite := junit.Suite{Name: "harden"}
	for _, reason := range sortedKeys(r.Summary.Skipped) {
		suite.Property("skipped: "+safe(reason), fmt.Sprint(r.Summary.Skipped[reason]))
	}
	clean := r.Summary.Clean
	for i := range r.Payloads {
		suite.Add(testCase(&r.Payloads[i]))
		if r.Payloads[i].Verdict == inspect.Clean {
			clean--
		}
	}
	if clean > 0 {
		suite.Add(junit.Case{Name: fmt.Sprintf("%d clean records", clean)})
	}
	if n := r.Summary.Unlisted; n > 0 {
		suite.Add(junit.Case{Name: fmt.Sprintf("%d more records", n),
			Failure: &junit.Problem{Type: "unlisted", Message: "not clean, and too many to list"}})
	}
	return junit.Write(w, suite)
}

func testCase(p *inspect.Payload) junit.Case {
	c := junit.Case{Name: payloadName(p)}
	var lines []string
	problem := &junit.Problem{Type: string(p.Verdict), Message: string(p.Verdict)}
	worst := -1
	for i := range p.Violations {
		v := &p.Violations[i]
		line := v.Severity.String() + ": " + v.Rule + Where(p, v) + ": " + v.Message
		if facts := amounts(v); facts != "" {
			line += " (" + facts + ")"
		}
		lines = append(lines, safe(line))
		if int(v.Severity) > worst {
			worst = int(v.Severity)
			problem.Type, problem.Message = v.Rule, safe(v.Message)
		}
	}
	for _, m := range unlisted(p) {
		lines = append(lines, m.String())
	}
	text := strings.Join(lines, "\n")
	problem.Text = text
	switch p.Verdict {
	case inspect.Rejected:
		c.Failure = problem
	case inspect.Undecided:
		c.Error = problem
	default:
		c.SystemOut = text
	}
	return c
}
