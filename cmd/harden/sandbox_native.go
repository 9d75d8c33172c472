//go:build !wasip1

package main

import (
	"context"
	"fmt"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/spell"
	"github.com/harden-input/harden/internal/walk"
	"github.com/harden-input/harden/sandbox"
)

func newSandbox(ctx context.Context, module []byte, o sandboxOptions, cfg inspect.Config) (walk.Inspector, func(), error) {
	opts := sandbox.Options{Cache: o.cache}
	switch o.cache {
	case spell.None:
		opts.Cache = ""
	case "":
		dir, err := sandbox.UserCache()
		if err != nil {
			return nil, nil, fmt.Errorf("%w: name a directory with --sandbox-cache, or write none", err)
		}
		opts.Cache = dir
	}
	box, err := sandbox.New(ctx, module, opts)
	if err != nil {
		return nil, nil, err
	}
	stop := func() { _ = box.Close(context.Background()) } // the process ends with it
	ins, err := box.Inspector(cfg, o.memory)
	if err != nil {
		stop()
		return nil, nil, err
	}
	return ins, stop, nil
}
