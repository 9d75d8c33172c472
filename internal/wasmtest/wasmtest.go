// Package wasmtest builds the modules of this repository for tests, once a
// process.
package wasmtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Builds builds modules into one temporary directory. The zero Builds is ready.
type Builds struct {
	dir     string
	command func() ([]byte, error)
	reactor func() ([]byte, error)
}

// Run runs the tests of a package and removes what was built for them.
func (b *Builds) Run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "harden-wasm")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	b.dir = dir
	b.command = sync.OnceValues(func() ([]byte, error) {
		return b.build("harden.wasm", "harden", "-tags", "urfave_cli_no_docs")
	})
	b.reactor = sync.OnceValues(func() ([]byte, error) {
		return b.build("harden-reactor.wasm", "harden-reactor", "-buildmode=c-shared")
	})
	return m.Run()
}

// BuildReactor is Reactor for examples, which cannot be skipped.
func (b *Builds) BuildReactor() ([]byte, error) { return b.reactor() }

// Command returns the CLI's module; a short test run skips the test.
func (b *Builds) Command(t testing.TB) []byte { return built(t, b.command) }

// Reactor returns the reactor's module; a short test run skips the test.
func (b *Builds) Reactor(t testing.TB) []byte { return built(t, b.reactor) }

// Cache returns a directory for compiled code that the tests of a process share.
func (b *Builds) Cache() string { return filepath.Join(b.dir, "cache") }

func built(t testing.TB, module func() ([]byte, error)) []byte {
	if testing.Short() {
		t.Skip("building and compiling a module takes seconds")
	}
	wasm, err := module()
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

func (b *Builds) build(file, command string, flags ...string) ([]byte, error) {
	out := filepath.Join(b.dir, file)
	args := append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", out}, flags...)
	cmd := exec.Command("go", append(args, "github.com/harden-input/harden/cmd/"+command)...)
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, &buildError{err, string(text)}
	}
	return os.ReadFile(out)
}

type buildError struct {
	err  error
	text string
}

func (e *buildError) Error() string { return e.err.Error() + "\n" + e.text }
