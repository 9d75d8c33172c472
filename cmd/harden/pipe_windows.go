package main

import (
	"errors"
	"syscall"
)

// noData is ERROR_NO_DATA: the pipe is being closed.
const noData = syscall.Errno(0xe8)

func isBrokenPipe(err error) bool {
	return errors.Is(err, noData) || errors.Is(err, syscall.ERROR_BROKEN_PIPE)
}
