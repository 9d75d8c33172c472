package corpus_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/internal/forge"
)

func ExampleExport() {
	e := corpus.Export{Layout: corpus.AFL, Cases: corpus.All()[:3]}
	files, err := e.Files()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range files {
		fmt.Println(f.Name)
	}
	// Output:
	// in/gzip-bgzf
	// in/gzip-bgzf-1000
	// in/gzip-bgzf-bsize-wrong
}

var targets = []corpus.Target{
	{Name: "FuzzGzip", Format: "gzip", Dictionary: []byte("gzip words")},
	{Name: "FuzzInflate", Format: "gzip", Dictionary: []byte("gzip words")},
	{Name: "FuzzJSON", Format: "json", Dictionary: []byte("json words")},
	{Name: "FuzzAnything"},
}

// named returns the cases with these IDs.
func named(t *testing.T, ids ...string) []corpus.Case {
	t.Helper()
	cases := slices.DeleteFunc(corpus.All(), func(c corpus.Case) bool { return !slices.Contains(ids, c.ID) })
	require.Len(t, cases, len(ids))
	return cases
}

// exported writes an export into a new folder and returns what lies there.
func exported(t *testing.T, e corpus.Export) map[string][]byte {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "new", "folder")
	n, err := e.WriteDir(dir, false)
	require.NoError(t, err)
	files := contents(t, dir)
	require.Len(t, files, n)
	return files
}

func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files[name], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		}
		return err
	}))
	return files
}

func TestLayouts(t *testing.T) {
	two := []string{"gzip/fixed", "msgpack/nil"}
	for _, tt := range []struct {
		layout corpus.Layout
		cases  []string
		want   []string
	}{
		{corpus.Files, two, []string{"gzip/fixed.gz", "manifest.json", "msgpack/nil.msgpack"}},
		{corpus.Files, []string{"gzip/json"}, []string{"gzip/json.json.gz", "manifest.json"}},
		{corpus.GoFuzz, two, []string{"corpus/gzip-fixed", "corpus/msgpack-nil"}},
		{corpus.GoTest, two, []string{
			"testdata/fuzz/FuzzAnything/gzip-fixed", "testdata/fuzz/FuzzAnything/msgpack-nil",
			"testdata/fuzz/FuzzGzip/gzip-fixed", "testdata/fuzz/FuzzInflate/gzip-fixed",
		}},
		{corpus.LibFuzzer, two, []string{
			"FuzzAnything_seed_corpus.zip",
			"FuzzGzip.dict", "FuzzGzip_seed_corpus.zip",
			"FuzzInflate.dict", "FuzzInflate_seed_corpus.zip",
		}},
		{corpus.AFL, two, []string{"gzip.dict", "in/gzip-fixed", "in/msgpack-nil"}},
	} {
		t.Run(string(tt.layout), func(t *testing.T) {
			e := corpus.Export{Layout: tt.layout, Cases: named(t, tt.cases...), Targets: targets}
			files, err := e.Files()
			require.NoError(t, err)
			var names []string
			for _, f := range files {
				names = append(names, f.Name)
			}
			require.Equal(t, tt.want, names)
			require.Len(t, exported(t, e), len(tt.want))
		})
	}
}

func TestUnknownLayoutIsAnError(t *testing.T) {
	_, err := corpus.Export{Layout: "tar"}.Files()
	require.EqualError(t, err, `corpus: no layout is called "tar"`)
}

func TestExportedPayloadsAreTheCases(t *testing.T) {
	cases := named(t, "gzip/name-escape", "json/surrogate-pair")
	files := exported(t, corpus.Export{Layout: corpus.Files, Cases: cases})
	for _, c := range cases {
		require.Equal(t, read(t, c), files[c.FileName()])
	}
	var m corpus.Manifest
	require.NoError(t, json.Unmarshal(files["manifest.json"], &m))
	require.Len(t, m.Cases, 2)
	require.Equal(t, "gzip/name-escape", m.Cases[0].ID)
}

// A seed of "go test" is the literal of its payload, whatever bytes that has.
func TestGoTestSeedsHoldThePayload(t *testing.T) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	c := corpus.Case{ID: "gzip/every-byte", Payload: forge.Bytes(every)}
	files := exported(t, corpus.Export{Layout: corpus.GoTest, Cases: []corpus.Case{c}, Targets: targets[:1]})
	seed := string(files["testdata/fuzz/FuzzGzip/gzip-every-byte"])
	literal, ok := strings.CutPrefix(seed, "go test fuzz v1\n[]byte(")
	require.True(t, ok, seed)
	literal, ok = strings.CutSuffix(literal, ")\n")
	require.True(t, ok, seed)
	payload, err := strconv.Unquote(literal)
	require.NoError(t, err)
	require.Equal(t, every, []byte(payload))
}

func TestSeedArchiveHoldsThePayloads(t *testing.T) {
	cases := named(t, "gzip/fixed", "gzip/stored", "json/scalar")
	packed := exported(t, corpus.Export{Layout: corpus.LibFuzzer, Cases: cases, Targets: targets})["FuzzGzip_seed_corpus.zip"]
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	require.NoError(t, err)
	require.Len(t, z.File, 2, "the third case is not gzip")
	for i, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		payload, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, read(t, cases[i]), payload)
		require.Equal(t, strings.ReplaceAll(cases[i].ID, "/", "-"), f.Name)
	}
}

// Two exports are equal to the byte, so that they can be kept and compared.
func TestExportIsReproducible(t *testing.T) {
	cases := slices.DeleteFunc(corpus.All(), func(c corpus.Case) bool { return c.Large || c.Format() == "json" })
	for _, layout := range corpus.Layouts() {
		e := corpus.Export{Layout: layout, Cases: cases, Targets: targets}
		require.Equal(t, exported(t, e), exported(t, e), layout)
	}
}

// Fuzzers get no payload above what they take; files are whole.
func TestFuzzersGetNoGiants(t *testing.T) {
	cases := named(t, "gzip/fixed", "gzip/comment-1m", "gzip/stored-65535")
	for _, layout := range corpus.Layouts() {
		taken, err := corpus.Export{Layout: layout, Cases: cases}.Taken()
		require.NoError(t, err)
		want := 2
		if layout == corpus.Files {
			want = 3
		}
		require.Len(t, taken, want, layout)
	}
}

func TestExportDoesNotMixWithWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine")
	require.NoError(t, os.WriteFile(mine, []byte("mine"), 0o666))
	e := corpus.Export{Layout: corpus.GoFuzz, Cases: named(t, "json/scalar")}

	n, err := e.WriteDir(dir, false)
	require.ErrorIs(t, err, corpus.ErrNotEmpty)
	require.Zero(t, n)
	require.Len(t, contents(t, dir), 1)

	for range 2 { // the second time over its own
		n, err = e.WriteDir(dir, true)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Equal(t, map[string][]byte{"mine": []byte("mine"), "corpus/json-scalar": []byte("42\n")}, contents(t, dir))
	}
}

// Overwriting writes through no link: a file is replaced, a folder refused.
func TestExportFollowsNoLinks(t *testing.T) {
	e := corpus.Export{Layout: corpus.GoFuzz, Cases: named(t, "json/scalar")}
	outside := t.TempDir()
	kept := filepath.Join(outside, "kept")
	require.NoError(t, os.WriteFile(kept, []byte("kept"), 0o666))

	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "corpus"), 0o777))
	if err := os.Symlink(kept, filepath.Join(dir, "corpus", "json-scalar")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	_, err := e.WriteDir(dir, true)
	require.NoError(t, err)
	require.Equal(t, "42\n", string(contents(t, dir)["corpus/json-scalar"]))

	dir = t.TempDir()
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "corpus")))
	_, err = e.WriteDir(dir, true)
	require.ErrorContains(t, err, "corpus is not a folder")
	require.Equal(t, map[string][]byte{"kept": []byte("kept")}, contents(t, outside))
}

// What could not be written in full is not left behind as if it were.
func TestExportRemovesWhatItCannotFinish(t *testing.T) {
	broken := errors.New("broken")
	c := corpus.Case{ID: "json/broken", Payload: forge.Func(func(w io.Writer) error {
		w.Write([]byte("half"))
		return broken
	})}
	dir := t.TempDir()
	for _, layout := range []corpus.Layout{corpus.GoFuzz, corpus.GoTest, corpus.LibFuzzer} {
		n, err := corpus.Export{Layout: layout, Cases: []corpus.Case{c}, Targets: targets[3:]}.WriteDir(dir, true)
		require.ErrorIs(t, err, broken)
		require.Zero(t, n)
		require.Empty(t, contents(t, dir))
	}
}

// The manifest that is embedded is that of the cases.
func TestManifestDescribesEveryCase(t *testing.T) {
	m, err := corpus.ReadManifest()
	require.NoError(t, err)
	cases := corpus.All()
	require.Len(t, m.Cases, len(cases))
	for i, c := range cases {
		e := m.Cases[i]
		require.Equal(t, c.ID, e.ID)
		require.Equal(t, c.FileName(), e.File)
		require.Equal(t, c.Large, e.Size > corpus.SeedSize)
	}
	require.Empty(t, m.Of(nil).Cases)
	require.Len(t, m.Cases, len(cases), "choosing some leaves the rest as it was")
}
