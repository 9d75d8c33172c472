package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// An input is one gzip file to time the tools on.
type input struct {
	name string
	// write writes the file and returns how many bytes it inflates to.
	write func(w io.Writer) (inflated int64, err error)

	// What ready fills in.
	path                 string
	compressed, inflated int64
}

// errNoGzip is returned by inputs that are about the output of gzip itself.
var errNoGzip = errors.New("gzip is not installed")

// ready returns the input with its file in place: from an earlier run, or made
// now. The file appears under its name when it is whole, with its inflated
// length in a file beside it.
func (in input) ready(dir string, progress io.Writer) (input, error) {
	in.path = filepath.Join(dir, strings.NewReplacer(" -", "-", " ", "-").Replace(in.name)+".gz")
	length := in.path + ".length"
	text, err := os.ReadFile(length)
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(progress, "making %s\n", in.path)
		if in.inflated, err = in.make(); err != nil {
			return in, err
		}
		text = strconv.AppendInt(nil, in.inflated, 10)
		err = os.WriteFile(length, text, 0o666)
	}
	if err != nil {
		return in, err
	}
	if in.inflated, err = strconv.ParseInt(string(text), 10, 64); err != nil {
		return in, fmt.Errorf("%s: %w", length, err)
	}
	info, err := os.Stat(in.path)
	if err != nil {
		return in, err
	}
	in.compressed = info.Size()
	return in, nil
}

// make writes the file.
func (in input) make() (inflated int64, err error) {
	if err := os.MkdirAll(filepath.Dir(in.path), 0o777); err != nil {
		return 0, err
	}
	f, err := os.CreateTemp(filepath.Dir(in.path), "unfinished-*")
	if err != nil {
		return 0, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	b := bufio.NewWriterSize(f, 1<<20)
	if inflated, err = in.write(b); err != nil {
		return 0, err
	}
	if err := errors.Join(b.Flush(), f.Close()); err != nil {
		return 0, err
	}
	return inflated, os.Rename(f.Name(), in.path)
}

// compressed returns a write function that compresses content as people do,
// with gzip -6 or, without it, with the standard library.
func compressed(content func(w io.Writer) error) func(io.Writer) (int64, error) {
	return func(w io.Writer) (int64, error) {
		n, err := piped(w, content, "-6")
		if errors.Is(err, errNoGzip) {
			z := gzip.NewWriter(w)
			counted := &counter{w: z}
			err = errors.Join(content(counted), z.Close())
			n = counted.n
		}
		return n, err
	}
}

// piped compresses content with the system's gzip.
func piped(w io.Writer, content func(w io.Writer) error, level string) (int64, error) {
	path, err := exec.LookPath("gzip")
	if err != nil {
		return 0, errNoGzip
	}
	cmd := exec.Command(path, "-n", "-c", level)
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = w, &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	counted := &counter{w: in}
	err = errors.Join(content(counted), in.Close())
	if ended := cmd.Wait(); ended != nil {
		err = errors.Join(err, fmt.Errorf("gzip: %w: %s", ended, bytes.TrimSpace(stderr.Bytes())))
	}
	return counted.n, err
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// goroot returns where Go's sources are.
func goroot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// A scale is how large inputs are.
type scale struct {
	bomb   int64  // bytes of zeros
	keys   int    // members of the repetitive object
	flood  int    // divides the number of blocks and members of floods
	source string // the folder of GOROOT to pack
}

// scaleOf returns the scale of a full or a quick run, and the folder that its
// inputs are kept in below dir.
func scaleOf(quick bool, dir string) (scale, string) {
	if quick {
		return scale{bomb: 64e6, keys: 50_000, flood: 10, source: "src/net"}, filepath.Join(dir, "quick")
	}
	return scale{bomb: 1e9, keys: 1_000_000, flood: 1, source: "src"}, dir
}

// inputs returns what to time the tools on.
func inputs(s scale) []input {
	list := []input{
		{name: "Go source " + runtime.Version(), write: compressed(sourceTar(s.source))},
		{name: "go binary " + runtime.Version(), write: compressed(goBinary)},
		{name: "JSON documents " + runtime.Version(), write: compressed(jsonDocuments)},
		{name: "zeros", write: zeros(uint64(s.bomb))},
		{name: "repetitive JSON", write: repetitiveJSON(s.keys)},
	}
	if _, err := exec.LookPath("gzip"); err == nil {
		list = append(list,
			input{name: "zeros by gzip -9", write: func(w io.Writer) (int64, error) {
				return piped(w, func(w io.Writer) error {
					_, err := io.CopyN(w, zeroReader{}, s.bomb)
					return err
				}, "-9")
			}},
			input{name: "repetitive JSON by gzip -6", write: func(w io.Writer) (int64, error) {
				return piped(w, func(w io.Writer) error { return jsonObject(w, s.keys) }, "-6")
			}},
		)
	}
	return append(list, floods(s.flood)...)
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
