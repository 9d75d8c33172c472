package report

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/rule"
)

// A gitHubReport writes each violation as a workflow command, from which GitHub
// makes an annotation beside the file.
type gitHubReport struct{ b *bufio.Writer }

func newGitHub(w io.Writer, _ Options) Writer { return gitHubReport{bufio.NewWriter(w)} }

func writeGitHub(w io.Writer, r *inspect.Report, o Options) error {
	return writeAll(newGitHub(w, o), r)
}

func (g gitHubReport) Payload(p *inspect.Payload) error {
	for n := range p.Violations {
		if p.Violations[n].Ignored == "" {
			annotation(g.b, p, &p.Violations[n])
		}
	}
	for _, m := range unlisted(p) {
		command(g.b, rule.Note, p, nil, m.rule, payloadName(p)+": "+m.String())
	}
	_, err := g.b.Write(nil) // what writing has met
	return err
}

func (g gitHubReport) End(r *inspect.Report) error {
	if n := r.Summary.Unlisted; n > 0 {
		fmt.Fprintf(g.b, "::error title=harden::%d more records that are not clean are not listed\n", n)
	}
	return g.b.Flush()
}

func annotation(w io.Writer, p *inspect.Payload, v *inspect.Violation) {
	message := payloadName(p) + Where(p, v) + ": " + v.Message
	if facts := amounts(v); facts != "" {
		message += " (" + facts + ")"
	}
	command(w, v.Severity, p, v, v.Rule, message)
}

// command writes one workflow command. A v that is nil has no place in the file.
func command(w io.Writer, s rule.Severity, p *inspect.Payload, v *inspect.Violation, title, message string) {
	var properties []string
	if p.Name != "-" {
		properties = append(properties, "file="+property(filepath.ToSlash(p.Name)))
	}
	if v != nil && v.Line != 0 && inFile(p, v) {
		properties = append(properties, fmt.Sprintf("line=%d,col=%d", v.Line, v.Column))
	}
	properties = append(properties, "title="+property(title))
	name := s.String()
	if s == rule.Note {
		name = "notice"
	}
	fmt.Fprintf(w, "::%s %s::%s\n", name, strings.Join(properties, ","), data(safe(message)))
}

// data escapes what workflow commands read as their own in a message.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property escapes a value before the second colons.
func property(s string) string {
	s = safe(rule.Excerpt(s, maxName))
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
