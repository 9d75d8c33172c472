package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"

	"github.com/harden-input/harden/corpus"
)

// files returns what generating writes, by slash-separated name: the seeds and
// manifest.json.
func files() (map[string][]byte, error) {
	out := make(map[string][]byte)
	m := corpus.Manifest{Schema: "harden.corpus/v1", Profile: "default"}
	for _, c := range corpus.All() {
		e := corpus.Entry{
			ID: c.ID, File: c.FileName(), Layers: c.Layers(),
			Kind: c.Kind, Verdict: c.Verdict, Rules: orEmpty(c.Rules),
			Story: c.Story, Declares: c.Declares, Costs: c.Costs,
			CWE: orEmpty(c.CWE), References: orEmpty(c.References), Large: c.Large,
		}
		d := &digest{sum: sha256.New(), keep: !c.Large}
		var err error
		if e.Size, err = c.WriteTo(d); err != nil {
			return nil, fmt.Errorf("%s: %w", c.ID, err)
		}
		if d.n <= hashed {
			e.SHA256 = hex.EncodeToString(d.sum.Sum(nil))
		}
		if !c.Large {
			out[e.File] = d.kept
		}
		m.Cases = append(m.Cases, e)
	}
	var b bytes.Buffer
	if err := m.Encode(&b); err != nil {
		return nil, err
	}
	out["manifest.json"] = b.Bytes()
	return out, nil
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// hashed is the size up to which the manifest states a digest; beyond it, making
// one would cost more than it tells.
const hashed = 16 << 20

// A digest sums what is written to it up to hashed bytes, and keeps it if asked.
type digest struct {
	sum  hash.Hash
	n    int64
	keep bool
	kept []byte
}

func (d *digest) Write(p []byte) (int, error) {
	d.n += int64(len(p))
	if d.n <= hashed {
		d.sum.Write(p)
	}
	if d.keep {
		d.kept = append(d.kept, p...)
	}
	return len(p), nil
}

// The table of README.md stands between these lines.
const (
	tableStart = "<!-- table: written by go generate -->\n"
	tableEnd   = "<!-- end of table -->\n"
)

// withTable returns readme with its table made anew.
func withTable(readme string) (string, error) {
	before, rest, ok := strings.Cut(readme, tableStart)
	_, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		return "", fmt.Errorf("README.md has no table: it needs the lines %q and %q", tableStart, tableEnd)
	}
	return before + tableStart + table() + tableEnd + after, nil
}

// table returns a Markdown table of all cases.
func table() string {
	var b strings.Builder
	b.WriteString("| case | kind | verdict | rules | what it is |\n|---|---|---|---|---|\n")
	for _, c := range corpus.All() {
		name := "[`" + c.ID + "`](" + c.FileName() + ")"
		if c.Large {
			name = "`" + c.ID + "` (large)"
		}
		var rules []string
		for _, r := range c.Rules {
			rules = append(rules, "`"+r+"`")
		}
		story := strings.ReplaceAll(c.Story, "|", `\|`)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", name, c.Kind, c.Verdict, strings.Join(rules, " "), story)
	}
	return b.String()
}
