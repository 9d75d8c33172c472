//go:build unix

package hosttest

import (
	"io"
	"os"
	"syscall"
)

// A fifo is a named pipe that something is written to, for hosts that open
// stdin by its path.
type fifo struct {
	path string
	done chan struct{}
}

func newFIFO(path string, from io.Reader) (*fifo, error) {
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		return nil, err
	}
	p := &fifo{path: path, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		w, err := os.OpenFile(path, os.O_WRONLY, 0) // waits for the reader
		if err != nil {
			return
		}
		defer w.Close()
		// A module that has its verdict stops reading: that is no error.
		_, _ = io.Copy(w, from)
	}()
	return p, nil
}

// close ends the writer, also one that still waits for its reader.
func (p *fifo) close() {
	r, err := os.OpenFile(p.path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err == nil {
		r.Close()
	}
	<-p.done
}
