//go:build !unix

package hosttest

import (
	"fmt"
	"io"
)

// A fifo is a named pipe, which this system does not have.
type fifo struct{}

func newFIFO(string, io.Reader) (*fifo, error) {
	return nil, fmt.Errorf("stdin through a pipe: %w", errNoHost)
}

func (*fifo) close() {}
