// Generate writes the corpus to disk: seeds, manifest.json and the table of
// README.md. It runs in the corpus directory (go generate ./corpus) and removes
// seeds that no case stands for any more.
package main

import (
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	if err := generate("."); err != nil {
		log.Fatal("generating the corpus: ", err)
	}
}

func generate(dir string) error {
	want, err := files()
	if err != nil {
		return err
	}
	readme := filepath.Join(dir, "README.md")
	text, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	withNew, err := withTable(string(text))
	if err != nil {
		return err
	}
	want["README.md"] = []byte(withNew)
	for name, content := range want {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o666); err != nil {
			return err
		}
	}
	found, err := seedsIn(dir)
	if err != nil {
		return err
	}
	for _, name := range found {
		if _, ok := want[name]; !ok {
			if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
				return err
			}
		}
	}
	return nil
}

// seedsIn returns the slash-separated names of all seeds under dir.
func seedsIn(dir string) ([]string, error) {
	var names []string
	for _, format := range []string{"gzip", "json", "msgpack"} {
		err := fs.WalkDir(os.DirFS(dir), format, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
				return err
			}
			names = append(names, path)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return names, nil
}
