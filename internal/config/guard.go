package config

import (
	"bytes"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// What a configuration file may cost. It may come from the very tree that is
// judged, so it is bounded before a parser sees it.
const (
	maxFileSize = 64 << 10
	// maxFlow bounds [ and { in the whole file, wherever they stand: flow
	// collections cannot nest deeper than that, whatever quotes and comments
	// do to the count.
	maxFlow = 1024
	// maxCompact bounds the "- " and "? " of one line, each of which can open
	// a level, and maxIndent the spaces that a line begins with, each of which
	// can be one.
	maxCompact = 32
	maxIndent  = 64
	// maxDepth bounds nesting as the parser sees it.
	maxDepth = 32
)

// guard refuses files that would make a YAML parser work out of proportion.
func guard(data []byte) error {
	if len(data) > maxFileSize {
		return fmt.Errorf("longer than the %d bytes that a configuration may have", maxFileSize)
	}
	flow, number := 0, 0
	for line := range bytes.Lines(data) {
		number++
		flow += bytes.Count(line, []byte("[")) + bytes.Count(line, []byte("{"))
		if flow > maxFlow {
			return lineError(number, fmt.Errorf("more than %d of [ and { in the file: write lists as lines with -", maxFlow))
		}
		if compact(line) > maxCompact {
			return lineError(number, fmt.Errorf("more than %d of - and ? in one line", maxCompact))
		}
		if len(line)-len(bytes.TrimLeft(line, " ")) > maxIndent {
			return lineError(number, fmt.Errorf("more than %d spaces before the text", maxIndent))
		}
	}
	return nil
}

// compact counts what can open a level inside a line: - or ? before a space.
func compact(line []byte) int {
	n := 0
	for i := 1; i < len(line); i++ {
		if (line[i-1] == '-' || line[i-1] == '?') && (line[i] == ' ' || line[i] == '\t') {
			n++
		}
	}
	return n
}

// document parses data, which guard has let through, and returns the one
// mapping it holds; nil for an empty file.
func document(data []byte) (*yaml.Node, error) {
	d := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	if err := d.Decode(&doc); err != nil {
		if len(bytes.TrimSpace(data)) == 0 || doc.Kind == 0 && isEOF(err) {
			return nil, nil
		}
		return nil, err
	}
	if err := d.Decode(&more); !isEOF(err) {
		return nil, lineError(max(more.Line, 1), errors.New("a second document: a configuration is one"))
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, nil
	}
	return root, plain(root, 1)
}

// plain refuses what YAML has beyond values, lists and mappings.
func plain(n *yaml.Node, depth int) error {
	switch {
	case depth > maxDepth:
		return lineError(n.Line, fmt.Errorf("nested more than %d levels deep", maxDepth))
	case n.Kind == yaml.AliasNode, n.Anchor != "":
		return lineError(n.Line, errors.New("anchors and aliases are not allowed: quote text that begins with & or *"))
	case n.Style&yaml.TaggedStyle != 0:
		return lineError(n.Line, fmt.Errorf("the tag %q is not allowed", n.Tag))
	}
	for _, c := range n.Content {
		if err := plain(c, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// A positioned error stands at a line of the file.
type positioned struct {
	line int
	err  error
}

func lineError(line int, err error) error { return &positioned{line, err} }

func (e *positioned) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }
func (e *positioned) Unwrap() error { return e.err }
