package hosttest

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

// wasmPage is the unit of linear memory, in bytes.
const wasmPage = 64 << 10

// wazeroHost keeps a runtime for every memory limit that was asked for, because
// wazero's limit belongs to the runtime, as does whether a deadline can end a
// run. That costs much time in every loop, so that only runs with a deadline
// have it. Runtimes share compiled code.
type wazeroHost struct {
	wasm  []byte
	cache wazero.CompilationCache

	mu       sync.Mutex
	runtimes map[wazeroLimits]wazeroModule
}

type wazeroLimits struct {
	pages    uint32 // 0 for none
	deadline bool
}

type wazeroModule struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}

// NewWazero compiles a module for wazero.
func NewWazero(wasm []byte) (Host, error) {
	h := &wazeroHost{wasm: wasm, cache: wazero.NewCompilationCache(), runtimes: map[wazeroLimits]wazeroModule{}}
	_, err := h.limited(wazeroLimits{})
	return h, err
}

func (*wazeroHost) Name() string    { return "wazero" }
func (*wazeroHost) Version() string { return required("github.com/tetratelabs/wazero") }

func (h *wazeroHost) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var errs []error
	for _, m := range h.runtimes {
		errs = append(errs, m.runtime.Close(context.Background()))
	}
	return errors.Join(append(errs, h.cache.Close(context.Background()))...)
}

// limited returns the module for limits.
func (h *wazeroHost) limited(l wazeroLimits) (wazeroModule, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if m, ok := h.runtimes[l]; ok {
		return m, nil
	}
	ctx := context.Background()
	cfg := wazero.NewRuntimeConfig().WithCompilationCache(h.cache).WithCloseOnContextDone(l.deadline)
	if l.pages > 0 {
		cfg = cfg.WithMemoryLimitPages(l.pages)
	}
	m := wazeroModule{runtime: wazero.NewRuntimeWithConfig(ctx, cfg)}
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, m.runtime); err != nil {
		return m, err
	}
	var err error
	if m.compiled, err = m.runtime.CompileModule(ctx, h.wasm); err == nil {
		h.runtimes[l] = m
	}
	return m, err
}

func (h *wazeroHost) Run(ctx context.Context, call Call) (Result, error) {
	m, err := h.limited(wazeroLimits{pages: uint32(call.MemoryLimit / wasmPage), deadline: call.Deadline > 0})
	if err != nil {
		return Result{}, err
	}
	if call.Deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, call.Deadline)
		defer cancel()
	}
	var stdout, stderr bytes.Buffer
	cfg := wazero.NewModuleConfig().
		WithName(""). // nameless modules may run side by side
		WithArgs(append([]string{ProgramName}, call.Args...)...).
		WithStdout(&stdout).WithStderr(&stderr).
		WithSysWalltime().WithSysNanotime().WithSysNanosleep()
	if call.Stdin != nil {
		cfg = cfg.WithStdin(call.Stdin)
	}
	for _, pair := range call.Env {
		name, value, _ := strings.Cut(pair, "=")
		cfg = cfg.WithEnv(name, value)
	}
	dirs := wazero.NewFSConfig()
	for _, d := range call.Dirs {
		if d.Write {
			dirs = dirs.WithDirMount(d.Host, d.Guest)
		} else {
			dirs = dirs.WithReadOnlyDirMount(d.Host, d.Guest)
		}
	}
	instance, err := m.runtime.InstantiateModule(ctx, m.compiled, cfg.WithFSConfig(dirs))
	if instance != nil {
		// What it held is gone either way.
		defer func() { _ = instance.Close(context.Background()) }()
	}
	result, err := wazeroEnd(err)
	result.Stdout, result.Stderr = stdout.String(), stderr.String()
	return result, err
}

// wazeroEnd reads how _start ended from what instantiating returned.
func wazeroEnd(err error) (Result, error) {
	var exit *sys.ExitError
	switch {
	case err == nil:
		return Result{}, nil
	case errors.As(err, &exit):
		switch exit.ExitCode() {
		case sys.ExitCodeContextCanceled, sys.ExitCodeDeadlineExceeded:
			return Result{Exit: trapped, Trap: exit.Error()}, nil
		}
		return Result{Exit: int(exit.ExitCode())}, nil
	case strings.Contains(err.Error(), "wasm error"):
		return Result{Exit: trapped, Trap: err.Error()}, nil
	}
	return Result{}, err
}
