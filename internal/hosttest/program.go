package hosttest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// repository is where the module under test lies, seen from here.
var repository = filepath.Join("..", "..")

// A program is harden as this run of the tests built it.
type program struct {
	dir    string
	native string
	wasm   []byte
}

// built builds both programs once. HARDEN_WASM names a module to take instead.
var built = sync.OnceValues(func() (*program, error) {
	dir, err := os.MkdirTemp("", "hosttest")
	if err != nil {
		return nil, err
	}
	p := &program{dir: dir, native: filepath.Join(dir, "harden")}
	if err := build(repository, p.native, "CGO_ENABLED=0"); err != nil {
		return p, err
	}
	path := os.Getenv("HARDEN_WASM")
	if path == "" {
		path = filepath.Join(dir, "harden.wasm")
		if err := build(repository, path, "GOOS=wasip1", "GOARCH=wasm"); err != nil {
			return p, err
		}
	}
	p.wasm, err = os.ReadFile(path)
	return p, err
})

// build builds cmd/harden of the checkout in dir with the Makefile's flags, and
// env on top of the environment.
func build(dir, output string, env ...string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-tags=urfave_cli_no_docs", "-o", output, "./cmd/harden")
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off"), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build ./cmd/harden: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// Module returns harden.wasm, as HARDEN_WASM names it or as it was just built.
func Module(tb testing.TB) []byte {
	tb.Helper()
	p, err := built()
	require.NoError(tb, err)
	return p.wasm
}

// Native returns the path of the native program, built from the same source.
func Native(tb testing.TB) string {
	tb.Helper()
	p, err := built()
	require.NoError(tb, err)
	return p.native
}
