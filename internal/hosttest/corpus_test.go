package hosttest

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/corpus"
)

// cap64 is the memory that policy servers and sandboxes commonly give.
const cap64 = 64 << 20

// TestCorpusDirectory: all seeds in one instance, through a pre-opened
// directory that cannot be written.
func TestCorpusDirectory(t *testing.T) {
	call := Call{Args: []string{"inspect", "corpus", "--output", "json"}, MemoryLimit: cap64, Env: []string{"PWD=/"},
		Dirs: []Dir{{Host: filepath.Join(repository, "corpus"), Guest: "/corpus"}}}
	native := RunNative(t.Context(), t, repository, call)
	require.Equal(t, 2, native.Exit, native) // some cases are undecided
	Each(t, func(t *testing.T, h Host) {
		r, err := h.Run(t.Context(), call)
		require.NoError(t, err)
		require.Equal(t, native.Exit, r.Exit, r)
		require.Equal(t, strings.Split(native.Stdout, "\n"), strings.Split(r.Stdout, "\n"))
	})
}

func onStdin(c corpus.Case) Call {
	return Call{Args: []string{"inspect", "-", "--stdin-filename", c.FileName(), "--output", "json"}, MemoryLimit: cap64, Stdin: c.Open()}
}

// TestCorpusCases: every case by itself from stdin, the large ones streamed, in
// a fresh instance with 64 MiB.
func TestCorpusCases(t *testing.T) {
	cases, large := corpus.All(), 0
	native := make([]Result, len(cases))
	for i, c := range cases {
		native[i] = RunNative(t.Context(), t, repository, onStdin(c))
		if c.Large {
			large++
		}
	}
	Each(t, func(t *testing.T, h Host) {
		t.Parallel()
		begin := time.Now()
		for i, c := range cases {
			r, err := h.Run(t.Context(), onStdin(c))
			require.NoError(t, err, c.ID)
			require.Equal(t, native[i], r, c.ID)
		}
		Summarised.Add("%s: %d corpus cases from stdin under 64 MiB, %d of them large: reports and exit codes as native, in %.1f s",
			h.Name(), len(cases), large, time.Since(begin).Seconds())
	})
}
