//go:build cgo

package hosttest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/bytecodealliance/wasmtime-go/v39"
)

// epoch is how often deadlines are looked at.
const epoch = 5 * time.Millisecond

// wasmtimeHost shares one compiled module; every run has a store of its own.
type wasmtimeHost struct {
	engine *wasmtime.Engine
	module *wasmtime.Module
	stop   chan struct{}
}

// NewWasmtime compiles a module for wasmtime, which takes ten seconds and more.
func NewWasmtime(wasm []byte) (Host, error) {
	engine := newWasmtimeEngine()
	module, err := wasmtime.NewModule(engine, wasm)
	if err != nil {
		engine.Close()
		return nil, err
	}
	return newWasmtimeHost(engine, module), nil
}

func newWasmtimeEngine() *wasmtime.Engine {
	cfg := wasmtime.NewConfig()
	cfg.SetEpochInterruption(true)
	return wasmtime.NewEngineWithConfig(cfg)
}

func newWasmtimeHost(engine *wasmtime.Engine, module *wasmtime.Module) *wasmtimeHost {
	h := &wasmtimeHost{engine: engine, module: module, stop: make(chan struct{})}
	go func() {
		tick := time.NewTicker(epoch)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				engine.IncrementEpoch()
			case <-h.stop:
				return
			}
		}
	}()
	return h
}

func (*wasmtimeHost) Name() string    { return "wasmtime" }
func (*wasmtimeHost) Version() string { return required("github.com/bytecodealliance/wasmtime-go/v39") }

func (h *wasmtimeHost) Close() error {
	close(h.stop)
	h.module.Close()
	return nil
}

func (h *wasmtimeHost) Run(_ context.Context, call Call) (Result, error) {
	streams, err := newFiles(call)
	if err != nil {
		return Result{}, err
	}
	defer streams.close()
	result, err := h.start(call, streams)
	if err != nil {
		return Result{}, err
	}
	return streams.output(result)
}

// start runs _start in a store that is gone, with its open files, afterwards.
func (h *wasmtimeHost) start(call Call, streams *files) (Result, error) {
	wasi, err := wasiConfig(call, streams)
	if err != nil {
		return Result{}, err
	}
	store := wasmtime.NewStore(h.engine)
	defer store.Close()
	store.SetWasi(wasi)
	ticks := uint64(1) << 62
	if call.Deadline > 0 {
		ticks = uint64(call.Deadline/epoch) + 1
	}
	store.SetEpochDeadline(ticks)
	if call.MemoryLimit > 0 {
		store.Limiter(call.MemoryLimit, -1, -1, -1, -1)
	}
	linker := wasmtime.NewLinker(h.engine)
	defer linker.Close()
	if err := linker.DefineWasi(); err != nil {
		return Result{}, err
	}
	instance, err := linker.Instantiate(store, h.module)
	if err != nil {
		return Result{}, err
	}
	_, err = instance.GetFunc(store, "_start").Call(store)
	return wasmtimeEnd(err)
}

func wasiConfig(call Call, streams *files) (*wasmtime.WasiConfig, error) {
	wasi := wasmtime.NewWasiConfig()
	wasi.SetArgv(append([]string{ProgramName}, call.Args...))
	var names, values []string
	for _, pair := range call.Env {
		name, value, _ := strings.Cut(pair, "=")
		names, values = append(names, name), append(values, value)
	}
	wasi.SetEnv(names, values)
	for _, d := range call.Dirs {
		dirs, files := wasmtime.DIR_READ, wasmtime.FILE_READ
		if d.Write {
			dirs, files = dirs|wasmtime.DIR_WRITE, files|wasmtime.FILE_WRITE
		}
		if err := wasi.PreopenDir(d.Host, d.Guest, dirs, files); err != nil {
			return nil, fmt.Errorf("%s: %w", d.Host, err)
		}
	}
	return wasi, errors.Join(
		wasi.SetStdinFile(streams.stdin),
		wasi.SetStdoutFile(streams.stdout),
		wasi.SetStderrFile(streams.stderr),
	)
}

// wasmtimeEnd reads how _start ended from what it returned.
func wasmtimeEnd(err error) (Result, error) {
	var exit *wasmtime.Error
	var trap *wasmtime.Trap
	switch {
	case err == nil:
		return Result{}, nil
	case errors.As(err, &trap):
		// The last line is the cause, those before it are the stack.
		lines := strings.Split(strings.TrimSpace(trap.Message()), "\n")
		return Result{Exit: trapped, Trap: strings.TrimSpace(lines[len(lines)-1])}, nil
	case errors.As(err, &exit):
		if code, ok := exit.ExitStatus(); ok {
			return Result{Exit: int(code)}, nil
		}
	}
	return Result{}, err
}
