package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/spell"
	"github.com/harden-input/harden/internal/walk"
)

// maxModule bounds the module of --sandbox, in bytes.
const maxModule = 256 << 20

// sandboxFlags are the flags that say whether payloads are judged in a sandbox.
func sandboxFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "sandbox", Usage: "`MODULE`: judge each payload in a WebAssembly instance of its own; harden.wasm or harden-reactor.wasm"},
		&cli.StringFlag{Name: "sandbox-memory", Usage: "`SIZE` of memory that an instance may have, or none", Value: "64MiB"},
		&cli.StringFlag{Name: "sandbox-cache", Usage: "`DIR` for the compiled module, which only you may access; none for no cache", DefaultText: "in your cache directory"},
	}
}

// sandboxOptions is what sandboxFlags say.
type sandboxOptions struct {
	module string // "": no sandbox
	memory uint64 // bytes, 0: no cap
	cache  string // "": the user's; "none"
}

func parseSandbox(ctx *cli.Context) (sandboxOptions, error) {
	o := sandboxOptions{module: ctx.String("sandbox"), cache: ctx.String("sandbox-cache")}
	if !ctx.IsSet("sandbox") {
		for _, name := range []string{"sandbox-memory", "sandbox-cache"} {
			if ctx.IsSet(name) {
				return o, fmt.Errorf("--%s is for a sandbox: give its module with --sandbox", name)
			}
		}
		return o, nil
	}
	if o.module == "" {
		return o, errors.New("--sandbox: the name of the module is empty")
	}
	if ctx.IsSet("sandbox-cache") && o.cache == "" {
		return o, errors.New("--sandbox-cache: name a directory, or write none")
	}
	var err error
	o.memory, err = spell.ParseSize("sandbox-memory", ctx.String("sandbox-memory"))
	return o, err
}

// inspector returns what judges payloads under cfg: in a sandbox if o says so.
// Close it.
func (o sandboxOptions) inspector(ctx context.Context, cfg inspect.Config) (walk.Inspector, func(), error) {
	if o.module == "" {
		ins, err := inspect.New(cfg)
		return ins, func() {}, err
	}
	module, err := readModule(o.module)
	if err != nil {
		return nil, nil, fmt.Errorf("--sandbox: %w", err)
	}
	ins, stop, err := newSandbox(ctx, module, o, cfg)
	if err != nil {
		return nil, nil, fmt.Errorf("--sandbox %s: %w", o.module, err)
	}
	return ins, stop, nil
}

func readModule(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	module, err := io.ReadAll(io.LimitReader(f, maxModule+1))
	if err == nil && len(module) > maxModule {
		err = fmt.Errorf("%s has more than %d bytes", path, maxModule)
	}
	return module, err
}
