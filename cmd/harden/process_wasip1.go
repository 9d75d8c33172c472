package main

import (
	"context"
	"errors"
)

func (c *Command) process(context.Context, []string) (consumer, error) {
	return nil, errors.New("a command after -- needs processes, and WASI has none: take the payload from stdout")
}
