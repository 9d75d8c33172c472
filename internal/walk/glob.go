package walk

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A Glob chooses files by their path. A Pattern without a slash is matched
// against the last element of a path, as in *.json or vendor; any other
// against the whole path, as in testdata/**/*.gz. ** stands for any number of
// directories, {a,b} for either. A directory that matches stands for all it holds.
type Glob struct {
	Pattern string
	// Dir is the directory that the pattern's paths start from. Where it is
	// empty, they are as the report names them.
	Dir string
}

func (g Glob) check() error {
	if !doublestar.ValidatePattern(g.Pattern) {
		return fmt.Errorf("glob %q is malformed: a bracket or brace is not closed", g.Pattern)
	}
	return nil
}

// Covers reports whether the glob chooses the file at name, or a directory that
// the path goes through.
func (g Glob) Covers(name string) bool {
	for name = filepath.Clean(name); ; name = filepath.Dir(name) {
		if g.Matches(name) {
			return true
		}
		if name == filepath.Dir(name) || filepath.Dir(name) == "." {
			return false
		}
	}
}

// Matches reports whether the glob chooses the file or directory at name.
func (g Glob) Matches(name string) bool {
	if !strings.Contains(g.Pattern, "/") {
		return doublestar.MatchUnvalidated(g.Pattern, filepath.Base(name))
	}
	if g.Dir != "" {
		whole, err := filepath.Abs(name)
		if err != nil {
			return false
		}
		if name, err = filepath.Rel(g.Dir, whole); err != nil {
			return false
		}
	}
	return doublestar.MatchUnvalidated(path.Clean(g.Pattern), filepath.ToSlash(filepath.Clean(name)))
}

func anyCovers(globs []Glob, name string) bool {
	return slices.ContainsFunc(globs, func(g Glob) bool { return g.Covers(name) })
}

func anyMatches(globs []Glob, name string) bool {
	return slices.ContainsFunc(globs, func(g Glob) bool { return g.Matches(name) })
}
