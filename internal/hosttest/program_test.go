package hosttest

import (
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// maxModule is the size that harden.wasm is held under, in bytes.
const maxModule = 10 << 20

func TestModuleSize(t *testing.T) {
	size := len(Module(t))
	Summarised.Add("harden.wasm: %d bytes, at most %d", size, maxModule)
	require.LessOrEqual(t, size, maxModule)
}

// TestReproducible: the same source in another directory is the same module. The
// copy has no history, so neither is stamped with a commit.
func TestReproducible(t *testing.T) {
	copied := filepath.Join(t.TempDir(), "elsewhere")
	sources := exec.Command("git", "-C", repository, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list, err := sources.Output()
	if err != nil {
		t.Skipf("the sources are listed by git: %v", err)
	}
	copySources(t, string(list), copied)
	digests := map[[sha256.Size]byte]bool{}
	for _, dir := range []string{repository, copied} {
		output := filepath.Join(t.TempDir(), "harden.wasm")
		require.NoError(t, build(dir, output, "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=-buildvcs=false"))
		wasm, err := os.ReadFile(output)
		require.NoError(t, err)
		digests[sha256.Sum256(wasm)] = true
	}
	require.Len(t, digests, 1)
}

// copySources copies the files of list, which end in zero bytes, to the
// directory to.
func copySources(t *testing.T, list, to string) {
	t.Helper()
	for name := range strings.SplitSeq(strings.TrimSuffix(list, "\x00"), "\x00") {
		from, target := filepath.Join(repository, name), filepath.Join(to, name)
		text, err := os.ReadFile(from)
		if os.IsNotExist(err) {
			continue // removed, and not committed yet
		}
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(target), 0o755))
		require.NoError(t, os.WriteFile(target, text, 0o600))
	}
}
