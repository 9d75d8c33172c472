//go:build linux

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/sandbox"
)

// A setup is what judges payloads.
type setup struct {
	judge func(worker int) error
	// live returns the bytes of the instances that were there at once, and how
	// many instances are left that should not be.
	live  func() (bytes uint64, leaked int64)
	close func()
}

// modes are what workers can share.
var modes = []struct {
	name string
	make func(ctx context.Context, wasm []byte, cache string, workers int) (*setup, error)
}{
	{"nothing: a module and an instance each, kept", ownModules},
	{"the module: an instance each, kept", ownInstances},
	{"the module: a fresh instance for each payload", freshInstances},
}

const payload = `{"a":[1,2,3]}`

func setUp(ctx context.Context, mode string, wasm []byte, cache string, workers int) (*setup, error) {
	for _, m := range modes {
		if m.name == mode {
			return m.make(ctx, wasm, cache, workers)
		}
	}
	return nil, fmt.Errorf("no mode %q", mode)
}

func freshInstances(ctx context.Context, wasm []byte, cache string, _ int) (*setup, error) {
	box, err := sandbox.New(ctx, wasm, sandbox.Options{Cache: cache})
	if err != nil {
		return nil, err
	}
	ins, err := box.Inspector(inspect.Config{Limits: inspect.DefaultLimits()}, sandbox.DefaultMemory)
	if err != nil {
		return nil, err
	}
	var most atomic.Uint64
	return &setup{
		judge: func(int) error {
			in := inspect.Stream("x", &watched{strings.NewReader(payload), func() {
				_, bytes := box.Live()
				for m := most.Load(); bytes > m && !most.CompareAndSwap(m, bytes); m = most.Load() {
				}
			}})
			if p := ins.Inspect(ctx, in); p.Verdict != inspect.Clean {
				return fmt.Errorf("%s: %v", p.Verdict, p.Violations)
			}
			return nil
		},
		live: func() (uint64, int64) {
			left, _ := box.Live()
			return most.Load(), left
		},
		close: func() { _ = box.Close(ctx) },
	}, nil
}

// A watched payload says when it is read: while its instance is there.
type watched struct {
	*strings.Reader
	read func()
}

func (w *watched) Read(p []byte) (int, error) {
	w.read()
	return w.Reader.Read(p)
}

// compiled is a module, ready to be instantiated.
func compiled(ctx context.Context, wasm []byte, cache string) (wazero.Runtime, wazero.CompiledModule, error) {
	files, err := wazero.NewCompilationCacheWithDir(cache)
	if err != nil {
		return nil, nil, err
	}
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(files))
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return nil, nil, err
	}
	m, err := r.CompileModule(ctx, wasm)
	return r, m, err
}

func ownModules(ctx context.Context, wasm []byte, cache string, workers int) (*setup, error) {
	var instances []api.Module
	for range workers {
		r, m, err := compiled(ctx, wasm, cache)
		if err != nil {
			return nil, err
		}
		instance, err := keep(ctx, r, m)
		if err != nil {
			return nil, err
		}
		instances = append(instances, instance)
	}
	return kept(ctx, instances), nil
}

func ownInstances(ctx context.Context, wasm []byte, cache string, workers int) (*setup, error) {
	r, m, err := compiled(ctx, wasm, cache)
	if err != nil {
		return nil, err
	}
	var instances []api.Module
	for range workers {
		instance, err := keep(ctx, r, m)
		if err != nil {
			return nil, err
		}
		instances = append(instances, instance)
	}
	return kept(ctx, instances), nil
}

func keep(ctx context.Context, r wazero.Runtime, m wazero.CompiledModule) (api.Module, error) {
	return r.InstantiateModule(ctx, m, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize").
		WithSysWalltime().WithSysNanotime().WithRandSource(rand.Reader))
}

func kept(ctx context.Context, instances []api.Module) *setup {
	return &setup{
		judge: func(worker int) error { return ask(ctx, instances[worker]) },
		live: func() (bytes uint64, _ int64) {
			for _, m := range instances {
				bytes += uint64(m.Memory().Size())
			}
			return bytes, 0
		},
		close: func() {
			for _, m := range instances {
				_ = m.Close(ctx)
			}
		},
	}
}

// ask has an instance that is kept judge the payload.
func ask(ctx context.Context, m api.Module) error {
	call := func(function string, args ...uint64) (uint64, error) {
		res, err := m.ExportedFunction(function).Call(ctx, args...)
		if err != nil || len(res) == 0 {
			return 0, err
		}
		return res[0], nil
	}
	var args []uint64
	for _, text := range []string{"{}", "x", payload} {
		at, err := call("harden_alloc", uint64(len(text)))
		if err != nil {
			return err
		}
		m.Memory().WriteString(uint32(at), text)
		args = append(args, at, uint64(len(text)))
	}
	res, err := call("harden_inspect", args...)
	if err != nil {
		return err
	}
	report, ok := m.Memory().Read(uint32(res>>32), uint32(res))
	if !ok || !strings.Contains(string(report), `"clean":1`) {
		return errors.New("the payload is not clean")
	}
	for _, at := range []uint64{args[0], args[2], args[4], res >> 32} {
		if _, err := call("harden_free", at); err != nil {
			return err
		}
	}
	return nil
}
