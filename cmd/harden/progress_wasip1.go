package main

import (
	"io"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/walk"
)

// A screen is stdout: WASI does not tell whether it is a terminal.
type screen struct{ w io.Writer }

func (s *screen) Write(b []byte) (int, error) { return s.w.Write(b) }

// A progress shows nothing where there is no terminal.
type progress struct{}

func (c *Command) startProgress(*walk.Judge, *screen, bool) *progress { return nil }

func (*progress) judged(*inspect.Summary) {}

func (*progress) stop() {}
