// Package sandbox judges payloads inside a WebAssembly instance, one payload an
// instance. Whatever a payload does to the engine that measures it, it does to
// an instance that nothing else uses, that has a cap on its memory and a
// deadline, and that is thrown away with the payload.
//
//	module, err := os.ReadFile("harden-reactor.wasm") // make wasm-reactor
//	…
//	box, err := sandbox.New(ctx, module, sandbox.Options{Cache: dir})
//	…
//	defer box.Close(ctx)
//	ins, err := box.Inspector(inspect.Config{Limits: inspect.DefaultLimits()}, sandbox.DefaultMemory)
//	…
//	p := ins.Inspect(ctx, inspect.Bytes("body", body))
//	if p.Verdict != inspect.Clean {
//		return fmt.Errorf("refused: %v", p.Violations)
//	}
//
// The report equals that of an inspect.Inspector with the same configuration,
// but for payloads whose time runs out: see [Inspector]. A payload that breaks
// its instance is undecided, by the rule input/sandbox.
//
// The module is compiled once and shared: an instance costs its linear memory,
// a few MiB, and a few milliseconds. All that differs between calls (the
// configuration, the deadline, the cap on memory) is given to the instance.
// On CPUs that wazero has no compiler for, the module is interpreted, which is
// some twenty times slower.
package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// Options say how a Sandbox is made. The zero Options are fine.
type Options struct {
	// Cache is a directory for compiled code, which saves the seconds that
	// compiling takes the next time. Code in it is run without being checked,
	// so New makes it if it is not there, and refuses one that anybody else
	// could write to. Empty for none.
	Cache string
}

// A Sandbox is a compiled module, ready to be instantiated. It is immutable and
// safe for concurrent use.
type Sandbox struct {
	runtime  wazero.Runtime
	cache    wazero.CompilationCache // nil: none
	compiled wazero.CompiledModule
	run      func(context.Context, *Sandbox, *call) (answer []byte, err error)
	least    uint64 // bytes of memory that an instance starts with
	memories memories
}

// New compiles module, which is harden's command (make wasm) or its reactor
// (make wasm-reactor), and makes sure that it speaks this package's version of
// the interface. The reactor starts several times faster.
func New(ctx context.Context, module []byte, opts Options) (*Sandbox, error) {
	if !bytes.HasPrefix(module, []byte("\x00asm")) {
		return nil, errors.New("not a WebAssembly module")
	}
	s := &Sandbox{}
	config := wazero.NewRuntimeConfig()
	if m, err := metered(module); err == nil {
		module = m
	} else {
		// What the meter does not know may still run, at wazero's own price.
		config = config.WithCloseOnContextDone(true)
	}
	if opts.Cache != "" {
		if err := ownDirectory(opts.Cache); err != nil {
			return nil, fmt.Errorf("cache of compiled code: %w", err)
		}
		cache, err := wazero.NewCompilationCacheWithDir(opts.Cache)
		if err != nil {
			return nil, fmt.Errorf("cache of compiled code: %w", err)
		}
		s.cache = cache
		config = config.WithCompilationCache(cache)
	}
	s.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if err := s.load(ctx, module); err != nil {
		return nil, errors.Join(err, s.Close(ctx))
	}
	return s, nil
}

func (s *Sandbox) load(ctx context.Context, module []byte) error {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, s.runtime); err != nil {
		return err
	}
	_, err := s.runtime.NewHostModuleBuilder(meterModule).NewFunctionBuilder().WithFunc(tick).Export(meterTick).Instantiate(ctx)
	if err != nil {
		return err
	}
	if s.compiled, err = s.runtime.CompileModule(ctx, module); err != nil {
		return fmt.Errorf("compiling the module: %w", err)
	}
	memory, ok := s.compiled.ExportedMemories()["memory"]
	if !ok {
		return errors.New("not a module of harden: it exports no memory")
	}
	s.least = uint64(memory.Min()) << 16
	functions := s.compiled.ExportedFunctions()
	switch {
	case functions[exportABI] != nil:
		for _, name := range []string{exportABI, exportAlloc, exportInspect} {
			if f := functions[name]; f == nil || len(f.ResultTypes()) != 1 {
				return fmt.Errorf("not a reactor of harden: it exports no %s that returns a value", name)
			}
		}
		s.run = runReactor
	case functions["_start"] != nil:
		s.run = runCommand
	default:
		return errors.New("not a module of harden: it has neither a start function nor those of the reactor")
	}
	return s.checkABI(ctx, functions[exportABI] != nil)
}

// tick ends the instance that calls it where its time is over.
func tick(ctx context.Context) {
	if ctx.Err() != nil {
		panic(context.Cause(ctx)) // which wazero returns from the call
	}
}

// Close gives back the compiled code. Nothing may use s any more, or be using it.
func (s *Sandbox) Close(ctx context.Context) error {
	err := s.runtime.Close(ctx)
	if s.cache != nil {
		err = errors.Join(err, s.cache.Close(ctx))
	}
	return err
}
