package walk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"
	"time"
)

// errChanged is why a payload is not judged that was written to meanwhile.
var errChanged = errors.New("the file changed while it was read: run again once nobody writes to it")

// openRegular opens a regular file, or returns an error that says what else is
// there. It never waits, and follows a link only where a person named it.
func openRegular(p Payload) (*os.File, fs.FileInfo, error) {
	flags := os.O_RDONLY | noWait
	if p.From != Argument {
		flags |= noFollow
	}
	f, err := os.OpenFile(p.Path, flags, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is %s, not a regular file", p.Path, kindOf(info.Mode()))
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// A stamp is what changes when somebody writes to a file.
type stamp struct {
	size int64
	at   time.Time
}

func stampOf(info fs.FileInfo) stamp { return stamp{info.Size(), info.ModTime()} }

// unchanged reports whether f is still as it was at before.
func unchanged(f *os.File, before stamp) bool {
	info, err := f.Stat()
	return err == nil && info.Size() == before.size && info.ModTime().Equal(before.at)
}

// A pipe is something that is read to its end and not more than once: a pipe,
// a device. Opening it waits until somebody writes, so it is opened by the
// first Read.
type pipe struct {
	path string
	f    atomic.Pointer[os.File] // a read that was given up may still open it
}

func (p *pipe) Read(b []byte) (int, error) {
	f := p.f.Load()
	if f == nil {
		var err error
		if f, err = os.Open(p.path); err != nil {
			return 0, err
		}
		p.f.Store(f)
	}
	return f.Read(b)
}

func (p *pipe) Close() error {
	if f := p.f.Load(); f != nil {
		return f.Close()
	}
	return nil
}

// failing is the content of what cannot be read.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
