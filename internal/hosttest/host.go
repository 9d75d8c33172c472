// Package hosttest runs harden as a WASI module under real hosts, wasmtime,
// wazero and Node, and holds what they do against the native program:
//
//	hosttest.Each(t, func(t *testing.T, h hosttest.Host) {
//		r, err := h.Run(t.Context(), hosttest.Call{Args: []string{"inspect", "-"}, Stdin: payload})
//		require.NoError(t, err)
//		require.Equal(t, 0, r.Exit)
//	})
//
// It is a module of its own, so that nobody who imports harden downloads a
// WebAssembly engine for its tests.
package hosttest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// ProgramName is the first argument that the module is given.
const ProgramName = "harden.wasm"

// A Host runs one compiled module. Run may be called from several goroutines at
// once; every call gets an instance of its own.
type Host interface {
	// Name is the host's name: wasmtime, wazero or node.
	Name() string
	// Version is the version that runs.
	Version() string
	// Run runs the module's _start once. An error is one of the host: what
	// the module did, traps included, is in the result.
	Run(ctx context.Context, call Call) (Result, error)
	// Close releases the compiled module.
	Close() error
}

// A Call is what one run of the module is given.
type Call struct {
	// Args follow the program's name.
	Args []string
	// Env holds NAME=VALUE pairs; the module sees nothing else.
	Env []string
	// Stdin is empty if nil. A regular *os.File is handed over as a file,
	// everything else through a pipe.
	Stdin io.Reader
	// Dirs are the directories that the module may open.
	Dirs []Dir
	// MemoryLimit caps the linear memory, in bytes; 0 is the host's default.
	MemoryLimit int64
	// Deadline ends the run with a trap; 0 is none.
	Deadline time.Duration
}

// A Dir is a directory of the host that the module sees as Guest. Node has no
// way to make one read-only.
type Dir struct {
	Host, Guest string
	Write       bool
}

// A Result is how a run ended and what it wrote.
type Result struct {
	// Exit is the exit code, -1 after a trap.
	Exit int
	// Trap says why the host ended the run, and is empty if the module ended
	// by itself.
	Trap           string
	Stdout, Stderr string
}

// trapped is the exit code of a run that the host ended.
const trapped = -1

// errNoHost is wrapped where a host is not on this machine.
var errNoHost = errors.New("not on this machine")

// files are the streams of one call for hosts that take paths only.
type files struct {
	dir                   string
	stdin, stdout, stderr string
	pipe                  *fifo
}

// newFiles prepares the streams of call. The caller must end with close.
func newFiles(call Call) (f *files, err error) {
	f = &files{}
	if f.dir, err = os.MkdirTemp("", "hosttest"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.close()
		}
	}()
	f.stdout, f.stderr = filepath.Join(f.dir, "stdout"), filepath.Join(f.dir, "stderr")
	for _, path := range []string{f.stdout, f.stderr} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			return nil, err
		}
	}
	if call.Stdin == nil {
		f.stdin = os.DevNull
		return f, nil
	}
	if file, ok := call.Stdin.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			f.stdin = file.Name()
			return f, nil
		}
	}
	f.stdin = filepath.Join(f.dir, "stdin")
	f.pipe, err = newFIFO(f.stdin, call.Stdin)
	return f, err
}

// close ends the pipe and removes what was made.
func (f *files) close() {
	if f.pipe != nil {
		f.pipe.close()
	}
	// Nothing is left to do about a directory that stays in TMPDIR.
	_ = os.RemoveAll(f.dir)
}

// output adds to r what the run wrote.
func (f *files) output(r Result) (Result, error) {
	stdout, err := os.ReadFile(f.stdout)
	if err != nil {
		return r, err
	}
	stderr, err := os.ReadFile(f.stderr)
	r.Stdout, r.Stderr = string(stdout), string(stderr)
	return r, err
}

// String says how the run ended, for the messages of tests.
func (r Result) String() string {
	end := fmt.Sprintf("exit code %d", r.Exit)
	if r.Trap != "" {
		end = "trap: " + r.Trap
	}
	return fmt.Sprintf("%s\nstdout: %.2000s\nstderr: %.2000s", end, r.Stdout, r.Stderr)
}
