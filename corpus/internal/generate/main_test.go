package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

const corpusDir = "../.."

// What is on disk is what go generate would write, to the byte.
func TestDiskIsGenerated(t *testing.T) {
	want, err := files()
	require.NoError(t, err)
	for name, content := range want {
		got, err := os.ReadFile(filepath.Join(corpusDir, filepath.FromSlash(name)))
		require.NoError(t, err, "run go generate ./corpus")
		require.True(t, slices.Equal(content, got), "%s differs: run go generate ./corpus", name)
	}
	found, err := seedsIn(corpusDir)
	require.NoError(t, err)
	for _, name := range found {
		require.Contains(t, want, name, "no case stands for this file: run go generate ./corpus")
	}
}

func TestReadmeHasTheTable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(corpusDir, "README.md"))
	require.NoError(t, err)
	again, err := withTable(string(text))
	require.NoError(t, err)
	require.Equal(t, again, string(text), "run go generate ./corpus")
}

func TestGenerateRemovesWhatNoCaseStandsFor(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "gzip", "old.gz")
	require.NoError(t, os.MkdirAll(filepath.Dir(old), 0o777))
	require.NoError(t, os.WriteFile(old, []byte("old"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), []byte("before\n"+tableStart+"stale\n"+tableEnd+"after\n"), 0o666))
	require.NoError(t, generate(dir))
	require.NoFileExists(t, old)
	require.FileExists(t, filepath.Join(dir, "gzip", "isize-4g.gz"))
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	require.NoError(t, err)
	require.Equal(t, "before\n"+tableStart+table()+tableEnd+"after\n", string(text))
}

func TestReadmeWithoutTableIsAnError(t *testing.T) {
	_, err := withTable("no table here")
	require.ErrorContains(t, err, "README.md has no table")
}
