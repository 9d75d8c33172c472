package main

import (
	"context"
	"errors"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/walk"
)

func newSandbox(context.Context, []byte, sandboxOptions, inspect.Config) (walk.Inspector, func(), error) {
	return nil, nil, errors.New("this build is itself a WebAssembly module, and cannot run another: use a native build")
}
