// Package junit writes the part of JUnit's XML that harden uses, within what
// Jenkins' schema junit-10.xsd takes. Text must be escaped before: XML keeps
// characters that steer a terminal.
//
//	suite := junit.Suite{Name: "harden"}
//	suite.Add(junit.Case{Name: "a.gz", Failure: &junit.Problem{Type: "gzip/truncated", Message: "…"}})
//	err := junit.Write(w, suite)
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
)

// Suites is the document: its suites, and their counts together.
type Suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Suites   []Suite  `xml:"testsuite"`
}

// A Suite is a list of test cases and their counts.
type Suite struct {
	Name       string      `xml:"name,attr"`
	Tests      int         `xml:"tests,attr"`
	Failures   int         `xml:"failures,attr"`
	Errors     int         `xml:"errors,attr"`
	Skipped    int         `xml:"skipped,attr"`
	Properties *Properties `xml:"properties"`
	Cases      []Case      `xml:"testcase"`
}

// Properties are what a suite says of itself.
type Properties struct {
	Properties []Property `xml:"property"`
}

// A Property is one name and its value.
type Property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// A Case is one test: passed, or failed, or one that could not be made.
type Case struct {
	Name      string   `xml:"name,attr"`
	Classname string   `xml:"classname,attr"`
	Time      string   `xml:"time,attr,omitempty"` // seconds
	Failure   *Problem `xml:"failure"`
	Error     *Problem `xml:"error"`
	SystemOut string   `xml:"system-out,omitempty"`
}

// A Problem says why a test did not pass.
type Problem struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// Add adds and counts a case, under the class name of the suite.
func (s *Suite) Add(c Case) {
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

// Property adds a property.
func (s *Suite) Property(name, value string) {
	if s.Properties == nil {
		s.Properties = &Properties{}
	}
	s.Properties.Properties = append(s.Properties.Properties, Property{name, value})
}

// Write writes a document of one suite.
func Write(w io.Writer, s Suite) error {
	all := Suites{Name: s.Name, Tests: s.Tests, Failures: s.Failures, Errors: s.Errors, Suites: []Suite{s}}
	text, err := xml.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}
