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

// writeGitHub writes each violation as a workflow command, from which GitHub
// makes an annotation beside the file.
func writeGitHub(w io.Writer, r *inspect.Report, _ Options) error {
	b := bufio.NewWriter(w)
	for i := range r.Payloads {
		p := &r.Payloads[i]
		for n := range p.Violations {
			if p.Violations[n].Ignored == "" {
				annotation(b, p, &p.Violations[n])
			}
		}
		for _, m := range unlisted(p) {
			command(b, rule.Note, p, nil, m.rule, payloadName(p)+": "+m.String())
		}
	}
	if n := r.Summary.Unlisted; n > 0 {
		fmt.Fprintf(b, "::error title=harden::%d more records that are not clean are not listed\n", n)
	}
	return b.Flush()
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
