package hosttest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// hosts starts each host on harden.wasm when it is first asked for, and keeps
// what it compiled for all tests of this process.
var hosts = []*startedHost{
	{name: "wasmtime", start: NewWasmtime},
	{name: "wazero", start: NewWazero},
	{name: "node", start: NewNode},
}

// A startedHost counts the runs of a host.
type startedHost struct {
	Host
	name     string
	start    func([]byte) (Host, error)
	once     sync.Once
	err      error
	compiled time.Duration
	runs     atomic.Int64
	nanos    atomic.Int64
}

func (h *startedHost) ready() error {
	h.once.Do(func() {
		p, err := built()
		if err == nil {
			begin := time.Now()
			h.Host, err = h.start(p.wasm)
			h.compiled = time.Since(begin)
		}
		h.err = err
	})
	return h.err
}

// Run runs a call and counts it.
func (h *startedHost) Run(ctx context.Context, call Call) (Result, error) {
	begin := time.Now()
	r, err := h.Host.Run(ctx, call)
	h.nanos.Add(int64(time.Since(begin)))
	h.runs.Add(1)
	return r, err
}

// summary says what the host did in this process.
func (h *startedHost) summary() string {
	switch {
	case errors.Is(h.err, errNoHost):
		return fmt.Sprintf("%s: skipped: %v", h.name, h.err)
	case h.Host == nil:
		return fmt.Sprintf("%s: not asked for", h.name)
	}
	return fmt.Sprintf("%s %s: %d runs in %.1f s, compiled in %.1f s",
		h.name, h.Version(), h.runs.Load(), time.Duration(h.nanos.Load()).Seconds(), h.compiled.Seconds())
}

// Each runs test under every host, as a subtest of its name. A host that is not
// on this machine is skipped and says so.
func Each(t *testing.T, test func(t *testing.T, h Host)) {
	t.Helper()
	for _, h := range hosts {
		t.Run(h.name, func(t *testing.T) {
			err := h.ready()
			if errors.Is(err, errNoHost) {
				t.Skip(err)
			}
			require.NoError(t, err)
			test(t, h)
		})
	}
}

// A Summary collects one line about a test for the end of the run, where it is
// seen without -v too.
type Summary struct {
	mu    sync.Mutex
	lines []string
}

// Summarised is what Main prints after the tests.
var Summarised Summary

// Add adds a line.
func (s *Summary) Add(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

// Main runs the tests, prints the summary to w, and ends the hosts. It returns
// the exit code.
func Main(m *testing.M, w io.Writer) int {
	code := m.Run()
	for _, h := range hosts {
		Summarised.Add("%s", h.summary())
	}
	for _, line := range Summarised.lines {
		fmt.Fprintf(w, "hosttest: %s\n", line)
	}
	for _, h := range hosts {
		if h.Host == nil {
			continue
		}
		if err := h.Close(); err != nil {
			fmt.Fprintf(os.Stderr, "hosttest: %s: %v\n", h.name, err)
			code = 1
		}
	}
	if p, _ := built(); p != nil {
		_ = os.RemoveAll(p.dir)
	}
	return code
}
