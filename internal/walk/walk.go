// Package walk turns the paths of a command line into payloads, in an order
// that does not depend on timing, and has them judged on several cores.
//
//	f, err := walk.NewFinder(walk.Options{Exclude: []walk.Glob{{Pattern: "vendor"}}})
//	…
//	j := walk.Judge{Inspector: ins, Jobs: 4}
//	err = j.All(ctx, func(found func(walk.Payload) error) error {
//		return f.Named("testdata", found)
//	}, func(r *inspect.Report) error { report.Merge(r); return nil })
//
// Whoever wrote the tree that is walked may be hostile: links in it are never
// followed, nothing but regular files is opened, and no open waits for
// somebody. What a person named is taken at their word: a named link is
// followed, and a named pipe is read to its end.
package walk

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A Payload is one thing to judge.
type Payload struct {
	// Path is what the report names, "-" for stdin.
	Path string
	// From says who named the payload.
	From Source
	// Stream says that a person named a pipe or a device, which is read to its
	// end and not more than once.
	Stream bool
	// Err, where not nil, is why the payload cannot be read.
	Err error
}

// A Source is where a path comes from.
type Source uint8

// The sources of paths.
const (
	// Argument: a person named the path.
	Argument Source = iota
	// List: the path stood in a list, which programs write.
	List
	// Tree: the path was found in a directory.
	Tree
)

// Why files are left out, as the report counts them.
const (
	skipLink     = "symbolic link"
	skipSpecial  = "not a regular file"
	skipExcluded = "excluded"
	skipGit      = ".git"
	skipOutput   = "own output"
)

// Options say which payloads a Finder finds. They hold for files found in
// directories and in lists: what a person names is always taken.
type Options struct {
	// Include leaves out files that match none of the globs, unless empty.
	Include []Glob
	// Exclude leaves out files that match, and directories with all they hold.
	Exclude []Glob
	// Shard chooses a part of the payloads, arguments included.
	Shard Shard
}

// A Finder finds payloads. It is for use by one goroutine.
type Finder struct {
	opts Options
	// Skipped counts by reason what was left out; a directory that is left
	// out with all it holds counts once.
	Skipped map[string]int
	// Total counts the payloads of all shards, Mine those of Options.Shard.
	Total, Mine int
}

// NewFinder returns a Finder, or an error that names a glob that is malformed.
func NewFinder(opts Options) (*Finder, error) {
	for _, g := range slices.Concat(opts.Include, opts.Exclude) {
		if err := g.check(); err != nil {
			return nil, err
		}
	}
	f := &Finder{opts: opts, Skipped: map[string]int{}}
	return f, nil
}

// Named finds the payload that a person named, or those in the directory. It
// ends early with an error that found returns.
func (f *Finder) Named(path string, found func(Payload) error) error {
	if path == "-" {
		return f.give(Payload{Path: path}, found)
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return f.tree(path, found)
	}
	// What is wrong with a path, opening it tells best.
	return f.give(Payload{Path: path, Stream: err == nil && !info.Mode().IsRegular()}, found)
}

// Listed finds the payload that stood in a list, or those in the directory,
// as Named does.
func (f *Finder) Listed(path string, found func(Payload) error) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return f.give(Payload{Path: path, From: List, Err: err}, found)
	case anyCovers(f.opts.Exclude, path):
		f.Skipped[skipExcluded]++
		return nil
	case f.leaves(path, info.Mode().Type()):
		return nil
	case info.IsDir():
		return f.tree(path, found)
	}
	return f.give(Payload{Path: path, From: List}, found)
}

// tree finds the payloads in the directory dir, in the order of their names.
func (f *Finder) tree(dir string, found func(Payload) error) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if path == "-" {
			path = "./-" // a file of that name is not stdin
		}
		if f.leaves(path, e.Type()) {
			continue
		}
		if e.IsDir() {
			err := f.tree(path, found)
			if err != nil {
				return err
			}
			continue
		}
		if err := f.give(Payload{Path: path, From: Tree}, found); err != nil {
			return err
		}
	}
	if err != nil {
		// What was not listed was not judged.
		return f.give(Payload{Path: dir, From: Tree, Err: err}, found)
	}
	return nil
}

// leaves reports whether the file or directory at path is left out, and counts
// it if so.
func (f *Finder) leaves(path string, kind fs.FileMode) bool {
	reason := f.reason(path, kind)
	if reason != "" {
		f.Skipped[reason]++
	}
	return reason != ""
}

func (f *Finder) reason(path string, kind fs.FileMode) string {
	switch {
	case filepath.Base(path) == ".git":
		return skipGit
	case anyMatches(f.opts.Exclude, path):
		return skipExcluded
	case kind.IsDir():
		return ""
	case kind&fs.ModeSymlink != 0:
		return skipLink
	case !kind.IsRegular():
		return skipSpecial
	case len(f.opts.Include) > 0 && !anyMatches(f.opts.Include, path):
		return skipExcluded
	}
	return ""
}

func (f *Finder) give(p Payload, found func(Payload) error) error {
	f.Total++
	if !f.opts.Shard.has(p.Path) {
		return nil
	}
	f.Mine++
	return found(p)
}
