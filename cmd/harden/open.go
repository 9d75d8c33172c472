package main

import (
	"context"
	"fmt"
	"os"

	"github.com/harden-input/harden/inspect"
)

// inspectPath judges the file at path, or stdin for "-".
func (c *Command) inspectPath(ctx context.Context, ins *inspect.Inspector, path string) inspect.Payload {
	if path == "-" {
		return ins.Inspect(ctx, inspect.Stream("-", c.Stdin))
	}
	f, err := os.Open(path)
	if err != nil {
		return ins.Inspect(ctx, inspect.Stream(path, failing{err}))
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return ins.Inspect(ctx, inspect.Stream(path, failing{err}))
	case info.IsDir():
		return ins.Inspect(ctx, inspect.Stream(path, failing{fmt.Errorf("%s is a directory: give files", path)}))
	case !info.Mode().IsRegular():
		return ins.Inspect(ctx, inspect.Stream(path, f))
	}
	return ins.Inspect(ctx, inspect.File(path, f, info.Size()))
}

// failing is the content of a file that cannot be opened.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
