package hosttest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReportToAFile: one directory is read, another takes the report.
func TestReportToAFile(t *testing.T) {
	Each(t, func(t *testing.T, h Host) {
		out := t.TempDir()
		r, err := h.Run(t.Context(), Call{
			Args: []string{"inspect", "/in/gzip/fixed.gz", "--output", "json:/out/report.json", "--output", "text"},
			Dirs: []Dir{{Host: filepath.Join(repository, "corpus"), Guest: "/in"}, {Host: out, Guest: "/out", Write: true}},
		})
		require.NoError(t, err)
		require.Zero(t, r.Exit, r)
		require.Contains(t, r.Stdout, "/in/gzip/fixed.gz: clean")
		text, err := os.ReadFile(filepath.Join(out, "report.json"))
		require.NoError(t, err)
		require.Contains(t, string(text), `"harden.report/v1"`)
		left, err := os.ReadDir(out)
		require.NoError(t, err)
		require.Len(t, left, 1, "temporary files stay behind")
	})
}

// TestDirectoryThatIsNotGiven: what the host does not show is unreadable, and
// so undecided.
func TestDirectoryThatIsNotGiven(t *testing.T) {
	Each(t, func(t *testing.T, h Host) {
		r, err := h.Run(t.Context(), Call{Args: []string{"inspect", "/etc/passwd"}})
		require.NoError(t, err)
		require.Equal(t, 2, r.Exit, r)
	})
}

// TestConfigurationFile: .harden.yaml is looked for in the working directory,
// which PWD names.
func TestConfigurationFile(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".harden.yaml"), []byte("limits:\n  json:\n    max-depth: 2\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "deep.json"), []byte("[[[]]]"), 0o600))
	Each(t, func(t *testing.T, h Host) {
		r, err := h.Run(t.Context(), Call{
			Args: []string{"inspect", "deep.json"},
			Env:  []string{"PWD=/work"},
			Dirs: []Dir{{Host: dir, Guest: "/work"}},
		})
		require.NoError(t, err)
		require.Equal(t, 1, r.Exit, r)
		require.Contains(t, r.Stdout, "json/depth")
	})
}
