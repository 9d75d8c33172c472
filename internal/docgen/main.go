// Docgen writes docs/rules.md from the rules' own data. Run it with go generate.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/catalog"
	"github.com/harden-input/harden/internal/spell"
	"github.com/harden-input/harden/rule"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: docgen DIRECTORY")
	}
	for name, content := range map[string][]byte{
		"rules.md":  rules(),
		"limits.md": limits(),
	} {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), content, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

const generated = "<!-- Made by go generate from the rules and limits in the code. Do not edit. -->\n\n"

func rules() []byte {
	var b bytes.Buffer
	b.WriteString(generated + "# Rules\n\n")
	b.WriteString("A rule is one way for a payload to be bad. The severity is that of the default profile; " +
		"`--severity RULE=LEVEL` changes it, but for rules that end the inspection: those stay errors, and their " +
		"limit is what to raise.\n\n")
	b.WriteString("| rule | severity | kind | limit | what is wrong |\n|---|---|---|---|---|\n")
	for _, r := range catalog.Rules() {
		limit := ""
		if r.LimitKey != "" {
			limit = "`" + r.LimitKey + "`"
		}
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s | %s |\n", r.ID, anchor(r.ID), severity(r), r.Kind, limit, r.Title)
	}
	for _, r := range catalog.Rules() {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n", r.ID, upper(r.Title))
		fmt.Fprintf(&b, "%s\n\n**What to do:** %s\n", r.Why, r.Fix)
		if len(r.CWE) > 0 {
			var cwe []string
			for _, n := range r.CWE {
				cwe = append(cwe, fmt.Sprintf("[CWE-%d](https://cwe.mitre.org/data/definitions/%d.html)", n, n))
			}
			fmt.Fprintf(&b, "\nWeaknesses: %s\n", strings.Join(cwe, ", "))
		}
		if len(r.References) > 0 {
			fmt.Fprintf(&b, "\nReferences: %s\n", strings.Join(r.References, ", "))
		}
	}
	return b.Bytes()
}

func severity(r rule.Rule) string {
	s := r.Default.String()
	if r.Undecided {
		s = "undecided"
	}
	if r.Stops && !r.Undecided {
		s += ", stops"
	}
	return s
}

// anchor is the fragment that Markdown renderers give a heading.
func anchor(id string) string { return strings.ReplaceAll(id, "/", "") }

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func limits() []byte {
	var b bytes.Buffer
	b.WriteString(generated + "# Limits and profiles\n\n")
	b.WriteString("N passes, N+1 fails. `none` means no limit. Lengths count bytes as they are on the wire, unless the " +
		"name says decoded. `--limit KEY=VALUE` changes one, `--profile NAME` chooses a column.\n\n| key | limits |")
	profiles := inspect.Profiles()
	for _, p := range profiles {
		fmt.Fprintf(&b, " %s |", p.Name)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(profiles)) + "\n")
	for _, f := range inspect.LimitTable() {
		fmt.Fprintf(&b, "| `%s` | %s |", f.Key, f.Doc)
		for _, p := range profiles {
			fmt.Fprintf(&b, " %s |", spell.FormatLimit(f.Unit, *f.Field(&p.Limits)))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n## Profiles\n")
	for _, p := range profiles {
		fmt.Fprintf(&b, "\n### %s\n\n%s.\n", p.Name, upper(p.Doc))
		var changes []string
		for _, r := range inspect.Rules() {
			s, ok := p.Severities[r.ID]
			if d, isDefault := p.Defaults[r.ID]; isDefault {
				s, ok = d, true
			}
			if ok && s != r.Default {
				changes = append(changes, fmt.Sprintf("`%s` is %s", r.ID, s))
			}
		}
		if len(changes) > 0 {
			fmt.Fprintf(&b, "\nSeverities: %s.\n", strings.Join(changes, ", "))
		}
	}
	return b.Bytes()
}
