package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// FileName is the name of configuration files that are found without being named.
const FileName = ".harden.yaml"

// EnvName is the environment variable that names a configuration file.
const EnvName = "HARDEN_CONFIG"

// A Search says which configuration file holds.
type Search struct {
	// Named is the file that --config names, Env the one that the environment
	// does; Named wins. Empty ones name none.
	Named, Env string
	// None uses no file at all, not even one that was named.
	None bool
	// Discover looks for FileName in the working directory and, inside a
	// repository, in those above it up to the repository's root; the nearest
	// holds. Commands that stand between two programs do not: what is in a
	// directory must not open a gate.
	Discover bool
	// Trust takes a file that was found for one that was named.
	Trust bool
}

// File returns the file that holds, nil where there is none.
func (s Search) File() (*File, error) {
	here, err := os.Getwd()
	if err != nil && !hasNoDirectories() {
		return nil, err
	}
	switch {
	case s.None:
		return nil, nil
	case s.Named != "":
		return load(s.Named, here)
	case s.Env != "":
		f, err := load(s.Env, here)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", EnvName, err)
		}
		return f, nil
	case !s.Discover:
		return nil, nil
	}
	path, err := discover(here)
	if path == "" || err != nil {
		return nil, err
	}
	name := path
	if rel, err := filepath.Rel(here, path); err == nil {
		name = rel
	}
	f, err := load(name, filepath.Dir(path))
	if err == nil {
		f.Found = !s.Trust
	}
	return f, err
}

func load(path, dir string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFileSize+1))
	if err != nil {
		return nil, err
	}
	return Parse(path, dir, data)
}

// discover returns the nearest configuration file for the directory here, ""
// where there is none.
func discover(here string) (string, error) {
	root, err := repository(here)
	if err != nil {
		return "", err
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, FileName)
		info, err := os.Lstat(path)
		switch {
		case err == nil && !info.Mode().IsRegular():
			return "", fmt.Errorf("%s is not a regular file: name the file with --config, or use --no-config", path)
		case err == nil:
			return path, nil
		case !isMissing(err):
			return "", err
		case dir == root:
			return "", nil
		}
	}
}

// repository returns the root of the repository that dir is in, dir itself
// where it is in none.
func repository(dir string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		_, err := os.Lstat(filepath.Join(at, ".git"))
		switch {
		case err == nil:
			return at, nil
		case !isMissing(err):
			return "", err
		case at == filepath.Dir(at):
			return dir, nil
		}
	}
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) || hasNoDirectories() }

// hasNoDirectories reports whether the host may have given the program none,
// so that every path in one is an error of its own kind.
func hasNoDirectories() bool { return runtime.GOOS == "wasip1" }
