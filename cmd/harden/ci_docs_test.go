//go:build !wasip1 && !windows

package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/harden-input/harden/internal/forge"
)

// A codeBlock is a fenced block of Markdown. Its info string may say the exit
// code: "sh exits=1".
type codeBlock struct {
	line     int
	language string
	exits    int
	text     string
}

func codeBlocks(t *testing.T, markdown string) []codeBlock {
	var blocks []codeBlock
	var open *codeBlock
	for i, line := range strings.Split(markdown, "\n") {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			language, rest, _ := strings.Cut(info, " ")
			open = &codeBlock{line: i + 1, language: language}
			if code, ok := strings.CutPrefix(rest, "exits="); ok {
				n, err := strconv.Atoi(code)
				require.NoError(t, err)
				open.exits = n
			}
		case fence:
			blocks = append(blocks, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	require.Nil(t, open, "a block without an end")
	return blocks
}

// checkout is a directory as a job finds it, with payloads in testdata.
func checkout(t *testing.T) string {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "testdata"), 0o755))
	for name, payload := range map[string]io.WriterTo{
		"ok.json":    forge.Bytes(`{"a":1}`),
		"ok.json.gz": forge.Gzip{Body: forge.Text(`{"a":1}`)},
	} {
		f, err := os.Create(filepath.Join(dir, "testdata", name))
		require.NoError(t, err)
		_, err = payload.WriteTo(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	return dir
}

// runShell runs a script with bash as CI does, and returns its exit code and
// what it wrote.
func runShell(t *testing.T, dir, script string, env ...string) (code int, output string) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	cmd := exec.Command("bash", "--norc", "-eu", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), string(out)
	}
	require.NoError(t, err)
	return 0, string(out)
}

// Every command of docs/ci.md does what it is said to, in the order of the page.
func TestCIDocs(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "ci.md"))
	require.NoError(t, err)
	shell, pipelines := 0, 0
	for _, block := range codeBlocks(t, string(page)) {
		var scripts []string
		switch block.language {
		case "sh":
			scripts = []string{block.text}
			shell++
		case "yaml":
			scripts = pipelineScripts(t, block.text)
			pipelines++
		}
		for _, script := range scripts {
			t.Run("line "+strconv.Itoa(block.line), func(t *testing.T) {
				code, output := runShell(t, checkout(t), script)
				require.Equal(t, block.exits, code, "%s\n%s", script, output)
			})
		}
	}
	require.NotZero(t, shell)
	require.NotZero(t, pipelines)
}

// pipelineScripts parses a workflow and returns the commands in it that run
// harden.
func pipelineScripts(t *testing.T, text string) []string {
	var document yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte(text), &document))
	var scripts []string
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && strings.HasPrefix(n.Value, "harden ") {
			scripts = append(scripts, n.Value)
		}
		for _, child := range n.Content {
			walk(child)
		}
	}
	walk(&document)
	return scripts
}
