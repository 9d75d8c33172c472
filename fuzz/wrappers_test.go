package fuzz

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/fuzz/target"
)

// declared returns the functions that pattern finds in the Go files of a folder
// and those below it, sorted, and the text of each file.
func declared(t *testing.T, folder, pattern string) (names []string, files map[string]string) {
	t.Helper()
	function := regexp.MustCompile(pattern)
	files = map[string]string{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range function.FindAllSubmatch(text, -1) {
			names = append(names, string(found[1]))
		}
		files[path] = string(text)
		return err
	}))
	slices.Sort(names)
	return names, files
}

func TestEveryTargetIsListedAndWrappedTwice(t *testing.T) {
	var want, bodies []string
	for _, of := range target.All() {
		want = append(want, of.Name)
		bodies = append(bodies, strings.TrimPrefix(of.Name, "Fuzz"))
	}
	slices.Sort(want)
	slices.Sort(bodies)

	native, _ := declared(t, "native_test.go", `(?m)^func (Fuzz\w+)\(f \*testing\.F\) \{ run\(f, \w+\) \}$`)
	require.Equal(t, want, native)
	goFuzz, _ := declared(t, "gofuzz", `(?m)^func (Fuzz\w+)\(data \[\]byte\) int \{ return fuzz\.\w+\(data\) \}$`)
	require.Equal(t, want, goFuzz)

	var written []string
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, path := range sources {
		if !strings.HasSuffix(path, "_test.go") {
			names, _ := declared(t, path, `(?m)^func ([A-Z]\w*)\(data \[\]byte\) int \{$`)
			written = append(written, names...)
		}
	}
	slices.Sort(written)
	require.Equal(t, bodies, written, "a body without a target")
}

// A wrapper that calls the body of another target would leave one untried.
func TestWrappersCallTheirOwnBody(t *testing.T) {
	call := regexp.MustCompile(`(?m)^func Fuzz(\w+)\(.* (?:run\(f, |fuzz\.)(\w+)`)
	for _, path := range []string{"native_test.go", "gofuzz/gofuzz.go"} {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		calls := call.FindAllStringSubmatch(string(text), -1)
		require.Len(t, calls, len(target.All()))
		for _, c := range calls {
			require.Equal(t, c[1], c[2], path)
		}
	}
}

// OSS-Fuzz greps the folder that it is given for a target's name, and takes the
// one file that has it for the one to build.
func TestOneFileBelowGofuzzNamesATarget(t *testing.T) {
	_, files := declared(t, "gofuzz", `^$`)
	for _, of := range target.All() {
		var naming []string
		for path, text := range files {
			if strings.Contains(text, of.Name) {
				naming = append(naming, path)
			}
		}
		require.Equal(t, []string{filepath.Join("gofuzz", "gofuzz.go")}, naming)
	}
}

func TestREADMESaysWhatEveryTargetHolds(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	for _, of := range target.All() {
		require.Contains(t, string(text), "`"+of.Name+"`")
	}
}
