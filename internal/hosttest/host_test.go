package hosttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	os.Exit(Main(m, os.Stdout))
}

func TestStdinFromAPipe(t *testing.T) {
	Each(t, func(t *testing.T, h Host) {
		r, err := h.Run(t.Context(), Call{Args: []string{"inspect", "-"}, Stdin: strings.NewReader(`{"a":1}`)})
		require.NoError(t, err)
		require.Zero(t, r.Exit, r)
		require.Contains(t, r.Stdout, "stdin: clean: json 7 bytes")
	})
}

func TestStdinFromAFile(t *testing.T) {
	Each(t, func(t *testing.T, h Host) {
		f, err := os.Open(filepath.Join(repository, "corpus", "gzip", "isize-4g.gz"))
		require.NoError(t, err)
		defer f.Close()
		r, err := h.Run(t.Context(), Call{Args: []string{"inspect", "-"}, Stdin: f})
		require.NoError(t, err)
		require.Equal(t, 1, r.Exit, r)
		require.Contains(t, r.Stdout, "gzip/isize-forged")
	})
}
