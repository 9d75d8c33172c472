//go:build !wasip1

package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var updateReadme = flag.Bool("update-readme", false, "write the real output into README.md and pages like it")

// TestReadme runs every command of the console blocks of the README, and of pages
// like it, and compares what it prints, on either stream, with what they show.
func TestReadme(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the README is written for a POSIX shell")
	}
	bin := t.TempDir()
	out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "harden"), ".").CombinedOutput()
	require.NoError(t, err, string(out))
	for _, page := range []string{"README.md", "docs/kubewarden.md"} {
		t.Run(page, func(t *testing.T) { testPage(t, bin, page) })
	}
}

func testPage(t *testing.T, bin, page string) {
	root := filepath.Join("..", "..")
	path := filepath.Join(root, filepath.FromSlash(page))
	text, err := os.ReadFile(path)
	require.NoError(t, err)

	var fresh []string
	commands, inBlock := 0, false
	for line := range strings.SplitSeq(string(text), "\n") {
		switch {
		case line == "```console":
			inBlock = true
		case line == "```":
			inBlock = false
		case inBlock && strings.HasPrefix(line, "$ "):
			commands++
			cmd := exec.Command("sh", "-c", "("+line[2:]+") 2>&1")
			cmd.Dir = root
			cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1")
			output, _ := cmd.Output() // the exit code is part of what the README shows
			fresh = append(fresh, line)
			fresh = append(fresh, strings.Split(strings.TrimSuffix(string(output), "\n"), "\n")...)
			continue
		case inBlock:
			continue // replaced by the real output
		}
		fresh = append(fresh, line)
	}
	require.NotZero(t, commands)
	want := strings.Join(fresh, "\n")
	if *updateReadme {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
	}
	require.Equal(t, want, string(text), "the page shows what harden prints no more: go test ./cmd/harden -run Readme -update-readme")
}
