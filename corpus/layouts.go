package corpus

import (
	"archive/zip"
	"bufio"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/harden-input/harden/internal/forge"
)

// inputName returns the ID as the name of a file in a flat folder.
func inputName(c Case) string { return strings.ReplaceAll(c.ID, "/", "-") }

// plainFiles are the payloads and the manifest of them.
func plainFiles(cases []Case) ([]File, error) {
	m, err := ReadManifest()
	if err != nil {
		return nil, err
	}
	files := []File{{"manifest.json", forge.Func(m.Of(cases).Encode)}}
	for _, c := range cases {
		files = append(files, File{c.FileName(), c})
	}
	return files, nil
}

// inputFiles are the payloads in one folder.
func inputFiles(folder string, cases []Case) []File {
	var files []File
	for _, c := range cases {
		files = append(files, File{path.Join(folder, inputName(c)), c})
	}
	return files
}

// takenBy returns the cases whose format is the target's.
func takenBy(t Target, cases []Case) []Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c Case) bool { return t.Format != "" && c.Format() != t.Format })
}

// goTestFiles are folders of seeds, one for each target that takes some case.
func goTestFiles(cases []Case, targets []Target) []File {
	var files []File
	for _, t := range targets {
		for _, c := range takenBy(t, cases) {
			files = append(files, File{path.Join("testdata", "fuzz", t.Name, inputName(c)), goTestSeed(c)})
		}
	}
	return files
}

// goTestSeed returns the case as "go test" encodes a seed: the literal of a byte
// slice. Every byte is escaped by itself, so that the literal can be written as
// the payload is made.
func goTestSeed(c Case) io.WriterTo {
	return forge.Func(func(w io.Writer) error {
		literal := &literalWriter{w: bufio.NewWriter(w)}
		literal.w.WriteString("go test fuzz v1\n[]byte(\"")
		if _, err := c.WriteTo(literal); err != nil {
			return err
		}
		literal.w.WriteString("\")\n")
		return literal.w.Flush()
	})
}

// A literalWriter writes bytes as they stand in a Go string literal.
type literalWriter struct{ w *bufio.Writer }

func (l *literalWriter) Write(p []byte) (int, error) {
	const hex = "0123456789abcdef"
	for _, b := range p {
		switch {
		case b == '"' || b == '\\':
			l.w.Write([]byte{'\\', b})
		case ' ' <= b && b <= '~':
			l.w.WriteByte(b)
		default:
			l.w.Write([]byte{'\\', 'x', hex[b>>4], hex[b&0xf]})
		}
	}
	_, err := l.w.Write(nil) // tells of an earlier error
	return len(p), err
}

// libFuzzerFiles are an archive of seeds for each target that takes some case,
// and its dictionary.
func libFuzzerFiles(cases []Case, targets []Target) []File {
	var files []File
	for _, t := range targets {
		taken := takenBy(t, cases)
		if len(taken) == 0 {
			continue
		}
		files = append(files, File{t.Name + "_seed_corpus.zip", archive(taken)})
		if t.Dictionary != nil {
			files = append(files, File{t.Name + ".dict", forge.Bytes(t.Dictionary)})
		}
	}
	return files
}

// archive returns a ZIP archive of cases. They are stored, not compressed, and
// have no time: a compressor's output changes between releases.
func archive(cases []Case) io.WriterTo {
	return forge.Func(func(w io.Writer) error {
		z := zip.NewWriter(w)
		for _, c := range cases {
			f, err := z.CreateHeader(&zip.FileHeader{Name: inputName(c), Method: zip.Store})
			if err != nil {
				return err
			}
			if _, err := c.WriteTo(f); err != nil {
				return err
			}
		}
		return z.Close()
	})
}

// aflFiles are a folder of inputs and the dictionary of each format among them.
func aflFiles(cases []Case, targets []Target) []File {
	files := inputFiles("in", cases)
	seen := make(map[string]bool)
	for _, t := range targets {
		if t.Format == "" || t.Dictionary == nil || seen[t.Format] || len(takenBy(t, cases)) == 0 {
			continue
		}
		seen[t.Format] = true
		files = append(files, File{t.Format + ".dict", forge.Bytes(t.Dictionary)})
	}
	return files
}
