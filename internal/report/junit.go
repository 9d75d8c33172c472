package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/harden-input/harden/inspect"
)

// The part of JUnit's XML that harden writes, within what Jenkins' schema
// junit-10.xsd takes.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string           `xml:"name,attr"`
		Tests      int              `xml:"tests,attr"`
		Failures   int              `xml:"failures,attr"`
		Errors     int              `xml:"errors,attr"`
		Skipped    int              `xml:"skipped,attr"`
		Properties *junitProperties `xml:"properties"`
		Cases      []junitCase      `xml:"testcase"`
	}
	junitProperties struct {
		Properties []junitProperty `xml:"property"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		Classname string        `xml:"classname,attr"`
		Failure   *junitProblem `xml:"failure"`
		Error     *junitProblem `xml:"error"`
		SystemOut string        `xml:"system-out,omitempty"`
	}
	junitProblem struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes a test case for each payload: a rejected one fails, one
// that could not be judged is an error.
func writeJUnit(w io.Writer, r *inspect.Report, _ Options) error {
	suite := junitSuite{Name: "harden"}
	if len(r.Summary.Skipped) > 0 {
		suite.Properties = &junitProperties{}
	}
	for _, reason := range sortedKeys(r.Summary.Skipped) {
		suite.Properties.Properties = append(suite.Properties.Properties,
			junitProperty{"skipped: " + safe(reason), fmt.Sprint(r.Summary.Skipped[reason])})
	}
	clean := r.Summary.Clean
	for i := range r.Payloads {
		suite.add(testCase(&r.Payloads[i]))
		if r.Payloads[i].Verdict == inspect.Clean {
			clean--
		}
	}
	if clean > 0 {
		suite.add(junitCase{Name: fmt.Sprintf("%d clean records", clean)})
	}
	if n := r.Summary.Unlisted; n > 0 {
		suite.add(junitCase{Name: fmt.Sprintf("%d more records", n),
			Failure: &junitProblem{Type: "unlisted", Message: "not clean, and too many to list"}})
	}
	all := junitSuites{Name: suite.Name, Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors, Suites: []junitSuite{suite}}
	text, err := xml.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

func (s *junitSuite) add(c junitCase) {
	c.Classname = s.Name
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Error != nil {
		s.Errors++
	}
	s.Cases = append(s.Cases, c)
}

func testCase(p *inspect.Payload) junitCase {
	c := junitCase{Name: payloadName(p)}
	var lines []string
	problem := &junitProblem{Type: string(p.Verdict), Message: string(p.Verdict)}
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
