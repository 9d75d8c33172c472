package hosttest

import (
	"path/filepath"
	"sync"
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
	call := Call{Args: []string{"inspect", "corpus", "--output", "json"}, MemoryLimit: cap64,
		Dirs: []Dir{{Host: filepath.Join(repository, "corpus"), Guest: "/corpus"}}}
	native := RunNative(t.Context(), t, repository, call)
	require.Equal(t, 1, native.Exit, native)
	Each(t, func(t *testing.T, h Host) {
		r, err := h.Run(t.Context(), call)
		require.NoError(t, err)
		require.Equal(t, native, r)
	})
}

// inspected are the reports of the native program on every case of the corpus,
// by the case's ID.
var inspected = sync.OnceValue(func() map[string]Result { return map[string]Result{} })

func onStdin(c corpus.Case) Call {
	return Call{Args: []string{"inspect", "-", "--stdin-filename", c.FileName(), "--output", "json"}, MemoryLimit: cap64, Stdin: c.Open()}
}

// TestCorpusCases: every case by itself from stdin, the large ones streamed, in
// a fresh instance with 64 MiB.
func TestCorpusCases(t *testing.T) {
	Each(t, func(t *testing.T, h Host) {
		begin, cases, large := time.Now(), 0, 0
		for _, c := range corpus.All() {
			native, ok := inspected()[c.ID]
			if !ok {
				native = RunNative(t.Context(), t, repository, onStdin(c))
				inspected()[c.ID] = native
			}
			r, err := h.Run(t.Context(), onStdin(c))
			require.NoError(t, err, c.ID)
			require.Equal(t, native, r, c.ID)
			cases++
			if c.Large {
				large++
			}
		}
		Summarised.Add("%s: %d corpus cases from stdin under 64 MiB, %d of them large: reports and exit codes as native, in %.1f s",
			h.Name(), cases, large, time.Since(begin).Seconds())
	})
}
