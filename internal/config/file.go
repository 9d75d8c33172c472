package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/harden-input/harden/internal/spell"
	"github.com/harden-input/harden/internal/walk"
)

// A File is a configuration file, with the lines of its settings.
type File struct {
	// Path is the file as messages name it.
	Path string
	// SHA256 is the hash of its bytes in hexadecimal.
	SHA256 string
	// Found says that nobody named the file: it was found beside what is
	// judged, and may only tighten.
	Found bool
	// Ignore are the entries that set violations aside.
	Ignore []Ignore

	dir        string // what its globs start from
	profile    setting
	failOn     setting
	limits     []setting
	severities []setting
	exclude    []setting
}

// A setting is one value of the file. The zero setting is none.
type setting struct {
	key, value string
	line       int
}

// An Ignore sets violations of a rule aside in the files that a glob chooses.
type Ignore struct {
	Rule, Path, Reason string
	// Until is the last day on which the entry holds; zero: for ever.
	Until time.Time
	Line  int

	glob walk.Glob
	used bool
}

// keys are what stands at the top of a file.
func keys() []string {
	return []string{"profile", "limits", "severity", "fail-on", "exclude", "ignore"}
}

// Parse reads a configuration file that is called path in messages, and whose
// globs start from the directory dir. What it names must exist.
func Parse(path, dir string, data []byte) (*File, error) {
	hash := sha256.Sum256(data)
	f := &File{Path: path, SHA256: hex.EncodeToString(hash[:]), dir: dir}
	if err := f.parse(data); err != nil {
		return nil, f.at(err)
	}
	return f, nil
}

// at says where in the file err is.
func (f *File) at(err error) error {
	var p *positioned
	if errors.As(err, &p) {
		return fmt.Errorf("%s:%d: %w", f.Path, p.line, p.err)
	}
	return fmt.Errorf("%s: %s", f.Path, strings.TrimPrefix(err.Error(), "yaml: "))
}

func (f *File) parse(data []byte) error {
	if err := guard(data); err != nil {
		return err
	}
	root, err := document(data)
	if err != nil || root == nil {
		return err
	}
	return members(root, func(key string, k, v *yaml.Node) error {
		if section, rest, dotted := strings.Cut(key, "."); dotted && (section == "limits" || section == "severity") {
			return f.nested(section, rest, k, v)
		}
		switch key {
		case "profile":
			return single(&f.profile, key, k, v)
		case "fail-on":
			return single(&f.failOn, key, k, v)
		case "limits", "severity":
			return f.section(key, v)
		case "exclude":
			return f.parseExclude(v)
		case "ignore":
			return f.parseIgnore(v)
		}
		return lineError(k.Line, fmt.Errorf("unknown key %q%s", key, spell.Suggestion(key, keys())))
	})
}

func (f *File) section(name string, v *yaml.Node) error {
	return members(v, func(key string, k, v *yaml.Node) error { return f.nested(name, key, k, v) })
}

// nested takes a limit or severity, whose key may be spread over mappings.
func (f *File) nested(section, key string, k, v *yaml.Node) error {
	joint, list := ".", &f.limits
	if section == "severity" {
		joint, list = "/", &f.severities
	}
	if v.Kind == yaml.MappingNode {
		return members(v, func(inner string, k, v *yaml.Node) error { return f.nested(section, key+joint+inner, k, v) })
	}
	value, err := text(v)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(*list, func(s setting) bool { return s.key == key }); i >= 0 {
		return lineError(k.Line, fmt.Errorf("%s is set twice, first in line %d", key, (*list)[i].line))
	}
	*list = append(*list, setting{key, value, k.Line})
	return f.check(section, key, value, k.Line)
}

// check refuses a limit or severity that makes no sense whatever the profile.
func (f *File) check(section, key, value string, line int) error {
	var err error
	if section == "limits" {
		field, unknown := spell.LimitNamed(key)
		if err = unknown; err == nil {
			if _, err = spell.ParseLimit(field.Unit, value); err != nil {
				err = fmt.Errorf("limit %s: %w", key, err)
			}
		}
	} else {
		_, err = parseSeverity(key, value)
	}
	if err != nil {
		return lineError(line, err)
	}
	return nil
}

func (f *File) parseExclude(v *yaml.Node) error {
	return elements(v, func(v *yaml.Node) error {
		pattern, err := text(v)
		if err != nil {
			return err
		}
		f.exclude = append(f.exclude, setting{"exclude", pattern, v.Line})
		return checkGlob(pattern, v.Line)
	})
}

func checkGlob(pattern string, line int) error {
	if _, err := walk.NewFinder(walk.Options{Exclude: []walk.Glob{{Pattern: pattern}}}); err != nil {
		return lineError(line, err)
	}
	return nil
}

func (f *File) parseIgnore(v *yaml.Node) error {
	return elements(v, func(v *yaml.Node) error {
		e := Ignore{Line: v.Line}
		var until string
		err := members(v, func(key string, k, v *yaml.Node) (err error) {
			fields := map[string]*string{"rule": &e.Rule, "path": &e.Path, "reason": &e.Reason, "until": &until}
			to, ok := fields[key]
			if !ok {
				return lineError(k.Line, fmt.Errorf("unknown key %q in an ignore entry%s", key, spell.Suggestion(key, []string{"rule", "path", "reason", "until"})))
			}
			*to, err = text(v)
			return err
		})
		if err != nil {
			return err
		}
		if err := e.check(until); err != nil {
			return lineError(v.Line, err)
		}
		e.glob = walk.Glob{Pattern: e.Path, Dir: f.dir}
		f.Ignore = append(f.Ignore, e)
		return checkGlob(e.Path, v.Line)
	})
}

func (e *Ignore) check(until string) error {
	for _, m := range []struct{ name, value string }{{"rule", e.Rule}, {"path", e.Path}, {"reason", e.Reason}} {
		if strings.TrimSpace(m.value) == "" {
			return fmt.Errorf("the ignore entry has no %s: rule, path and reason are needed", m.name)
		}
	}
	r, err := Rule(e.Rule)
	if err != nil {
		return err
	}
	if r.Undecided {
		return fmt.Errorf("%s cannot be ignored: it says that no judgement was possible", r.ID)
	}
	if until == "" {
		return nil
	}
	if e.Until, err = time.Parse(time.DateOnly, until); err != nil {
		return fmt.Errorf("until %q is not a day: write it as 2027-12-31", until)
	}
	return nil
}

// Exclude returns the globs of files that are not judged.
func (f *File) Exclude() []walk.Glob {
	var all []walk.Glob
	for _, s := range f.exclude {
		all = append(all, walk.Glob{Pattern: s.value, Dir: f.dir})
	}
	return all
}

func single(to *setting, key string, k, v *yaml.Node) error {
	value, err := text(v)
	*to = setting{key, value, k.Line}
	if err == nil && key == "profile" {
		if _, unknown := Profile(value); unknown != nil {
			err = lineError(k.Line, unknown)
		}
	} else if err == nil {
		if _, wrong := parseFailOn(value); wrong != nil {
			err = lineError(k.Line, wrong)
		}
	}
	return err
}

// members calls member with each member of a mapping, and refuses a key that
// is there twice.
func members(n *yaml.Node, member func(key string, k, v *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return lineError(n.Line, errors.New("expected a mapping, as in key: value"))
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		key, err := text(k)
		if err != nil {
			return err
		}
		if first, ok := seen[key]; ok {
			return lineError(k.Line, fmt.Errorf("%s is set twice, first in line %d", key, first))
		}
		seen[key] = k.Line
		if err := member(key, k, v); err != nil {
			return err
		}
	}
	return nil
}

func elements(n *yaml.Node, element func(*yaml.Node) error) error {
	if n.Kind != yaml.SequenceNode {
		return lineError(n.Line, errors.New("expected a list, one entry a line with - before it"))
	}
	for _, v := range n.Content {
		if err := element(v); err != nil {
			return err
		}
	}
	return nil
}

// text is what stands in the file: limits and severities have their own
// syntax, in which YAML's numbers and booleans have no part.
func text(n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode {
		return "", lineError(n.Line, errors.New("expected a single value"))
	}
	if n.Tag == "!!null" {
		return "", lineError(n.Line, errors.New("a value is missing"))
	}
	return n.Value, nil
}

func isEOF(err error) bool { return errors.Is(err, io.EOF) }
