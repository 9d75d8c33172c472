package corpus

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Layout is a way to lay cases out as files, so that a tool finds them.
type Layout string

// The layouts.
const (
	// Files are the payloads under their [Case.FileName], and manifest.json.
	Files Layout = "files"
	// GoFuzz is a working directory of go-fuzz: corpus/ and nothing else.
	GoFuzz Layout = "go-fuzz"
	// GoTest is testdata/fuzz/TARGET/ for every target, in the encoding of
	// "go test -fuzz".
	GoTest Layout = "go-test"
	// LibFuzzer is TARGET_seed_corpus.zip and TARGET.dict for every target, as
	// OSS-Fuzz and ClusterFuzzLite look for them.
	LibFuzzer Layout = "libfuzzer"
	// AFL is in/, and FORMAT.dict beside it.
	AFL Layout = "afl"
)

// Layouts returns every layout.
func Layouts() []Layout { return []Layout{Files, GoFuzz, GoTest, LibFuzzer, AFL} }

// FuzzSize is the longest payload in bytes that is laid out for fuzzers: go-fuzz,
// libFuzzer and AFL++ all stop at it.
const FuzzSize = 1 << 20

// A Target is a fuzz target that cases are laid out for.
type Target struct {
	// Name is that of its function.
	Name string
	// Format is the outermost format of what it takes; empty takes any.
	Format string
	// Dictionary are the words of the format, in the syntax that AFL++ and
	// libFuzzer share; nil where there are none.
	Dictionary []byte
}

// An Export lays cases out as files.
type Export struct {
	Layout Layout
	// Cases are those to lay out. For fuzzers, those above FuzzSize are left
	// out.
	Cases []Case
	// Targets are those that [GoTest] and [LibFuzzer] lay out for; [AFL] takes
	// the dictionaries of the formats among Cases.
	Targets []Target
}

// A File is one file of an export.
type File struct {
	Name    string // slash-separated, below the directory of the export
	Content io.WriterTo
}

// ErrNotEmpty is the error of writing into a directory that holds something.
var ErrNotEmpty = errors.New("directory is not empty")

// Taken returns the cases that the layout takes: all of them for [Files], those
// of up to [FuzzSize] for the others.
func (e Export) Taken() ([]Case, error) {
	if e.Layout == Files {
		return e.Cases, nil
	}
	m, err := ReadManifest()
	if err != nil {
		return nil, err
	}
	size := make(map[string]int64)
	for _, entry := range m.Cases {
		size[entry.ID] = entry.Size
	}
	return slices.DeleteFunc(slices.Clone(e.Cases), func(c Case) bool { return size[c.ID] > FuzzSize }), nil
}

// Files returns the files of the export, sorted by name. Their contents are made
// when they are written; they and the names are always the same.
func (e Export) Files() ([]File, error) {
	cases, err := e.Taken()
	if err != nil {
		return nil, err
	}
	var files []File
	switch e.Layout {
	case Files:
		files, err = plainFiles(cases)
	case GoFuzz:
		files = inputFiles("corpus", cases)
	case GoTest:
		files = goTestFiles(cases, e.Targets)
	case LibFuzzer:
		files = libFuzzerFiles(cases, e.Targets)
	case AFL:
		files = aflFiles(cases, e.Targets)
	default:
		err = fmt.Errorf("corpus: no layout is called %q", e.Layout)
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return files, err
}

// WriteDir writes the files of the export below dir, which it makes where it is
// missing, and returns how many it has written. A directory that holds something
// is ErrNotEmpty, unless it is to be overwritten: then files of the same name are
// replaced and all others stay. Links below dir are replaced, never followed.
func (e Export) WriteDir(dir string, overwrite bool) (written int, err error) {
	files, err := e.Files()
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, err
	}
	if !overwrite {
		found, err := os.ReadDir(dir)
		if err != nil {
			return 0, err
		}
		if len(found) > 0 {
			return 0, fmt.Errorf("%s: %w", dir, ErrNotEmpty)
		}
	}
	for _, f := range files {
		if err := f.write(dir); err != nil {
			return written, err
		}
		written++
	}
	return written, nil
}

// write writes the file below dir; what cannot be written in full is removed.
// os.Root would do without makeFolder, but hosts of WASI that enforce rights let
// nothing be created in a directory that was opened to be read.
func (f File) write(dir string) (err error) {
	folder, name := path.Split(f.Name)
	dir, err = makeFolder(dir, folder)
	if err != nil {
		return err
	}
	name = filepath.Join(dir, name)
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, file.Close())
		if err != nil {
			os.Remove(name)
		}
	}()
	b := bufio.NewWriterSize(file, 64<<10)
	if _, err := f.Content.WriteTo(b); err != nil {
		return err
	}
	return b.Flush()
}

// makeFolder makes the slash-separated folder below dir and returns its path.
// What is there under its name and is no folder, a link to one included, is an
// error.
func makeFolder(dir, folder string) (string, error) {
	for part := range strings.SplitSeq(strings.TrimSuffix(folder, "/"), "/") {
		if part == "" {
			continue
		}
		dir = filepath.Join(dir, part)
		if err := os.Mkdir(dir, 0o777); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		info, err := os.Lstat(dir)
		if err != nil {
			return "", err
		}
		if !info.IsDir() {
			return "", fmt.Errorf("%s is not a folder: remove it first", dir)
		}
	}
	return dir, nil
}
