package main

import (
	"context"
	"fmt"
	"os"

	"github.com/harden-input/harden/inspect"
)

// inspectPath judges the file at path, or stdin for "-".
func (c *Command) inspectPath(ctx context.Context, ins *inspect.Inspector, path string, rep *inspect.Report) {
	in, done := c.open(path)
	defer done()
	ins.InspectInto(ctx, in, rep)
}

// open returns the payload at path, and what to call when it was read.
func (c *Command) open(path string) (in inspect.Input, done func()) {
	nothing := func() {}
	if path == "-" {
		return inspect.Stream("-", c.Stdin), nothing
	}
	f, err := os.Open(path)
	if err != nil {
		return inspect.Stream(path, failing{err}), nothing
	}
	done = func() { _ = f.Close() }
	info, err := f.Stat()
	switch {
	case err != nil:
		return inspect.Stream(path, failing{err}), done
	case info.IsDir():
		return inspect.Stream(path, failing{fmt.Errorf("%s is a directory: give files", path)}), done
	case !info.Mode().IsRegular():
		return inspect.Stream(path, f), done
	}
	return inspect.File(path, f, info.Size()), done
}

// failing is the content of a file that cannot be opened.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
