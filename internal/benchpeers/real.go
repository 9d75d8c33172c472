package main

import (
	"archive/tar"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// sourceTar returns a function that writes a tar of a folder of GOROOT, without
// times and owners.
func sourceTar(folder string) func(w io.Writer) error {
	return func(w io.Writer) error {
		root, err := goroot()
		if err != nil {
			return err
		}
		out := tar.NewWriter(w)
		tree := os.DirFS(filepath.Join(root, filepath.FromSlash(folder)))
		err = fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			content, err := fs.ReadFile(tree, path)
			if err != nil {
				return err
			}
			if err := out.WriteHeader(&tar.Header{Name: path, Mode: 0o644, Size: int64(len(content))}); err != nil {
				return err
			}
			_, err = out.Write(content)
			return err
		})
		if err != nil {
			return err
		}
		return out.Close()
	}
}

// goBinary writes the go command.
func goBinary(w io.Writer) error {
	root, err := goroot()
	if err != nil {
		return err
	}
	name := "go"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	f, err := os.Open(filepath.Join(root, "bin", name))
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// jsonDocuments writes the JSON test documents of Go's sources, one after the other.
func jsonDocuments(w io.Writer) error {
	root, err := goroot()
	if err != nil {
		return err
	}
	dir := os.DirFS(filepath.Join(root, "src/encoding/json/internal/jsontest/testdata"))
	names, err := fs.Glob(dir, "*.json.zst")
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return &fs.PathError{Op: "glob", Path: "*.json.zst", Err: fs.ErrNotExist}
	}
	for _, name := range names {
		if err := decompressTo(w, dir, name); err != nil {
			return err
		}
		if _, err := io.Copy(w, strings.NewReader("\n")); err != nil {
			return err
		}
	}
	return nil
}

func decompressTo(w io.Writer, dir fs.FS, name string) error {
	f, err := dir.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		return err
	}
	defer z.Close()
	_, err = io.Copy(w, z)
	return err
}
