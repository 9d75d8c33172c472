package sandbox

import (
	"context"
	"io"
	"io/fs"
	"sync/atomic"
	"time"

	"github.com/tetratelabs/wazero"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/refill"
)

// payloadName is what the file system of an instance holds, and all it holds.
const payloadName = "payload"

// A source gives a payload to an instance: as its stdin, or as the one file of
// a directory that cannot be written to. What does not fit in the instance's
// memory is never there as a whole.
type source struct {
	at    io.ReaderAt // nil: stream
	size  int64
	r     io.Reader
	watch *watch
	err   atomic.Pointer[error] // of the payload's reader
}

func newSource(ctx context.Context, in *inspect.Input, w *watch) *source {
	s := &source{watch: w}
	var r io.Reader
	if s.at, r, s.size = in.Source(); s.at == nil {
		// Where a read returns nothing, the guest would see the end.
		s.r = &refill.Source{R: refill.NewStoppable(ctx, r)}
	}
	return s
}

// path is what the guest is told to judge.
func (s *source) path() string {
	if s.at == nil {
		return "-"
	}
	return "/" + payloadName
}

// mount gives an instance the payload.
func (s *source) mount(config wazero.ModuleConfig) wazero.ModuleConfig {
	if s.at == nil {
		return config.WithStdin(s)
	}
	return config.WithFSConfig(wazero.NewFSConfig().WithFSMount(s, "/"))
}

// failure returns the error of the payload's reader, nil where there was none.
func (s *source) failure() error {
	if err := s.err.Load(); err != nil {
		return *err
	}
	return nil
}

// note remembers an error that the guest would only learn the number of.
func (s *source) note(err error) {
	if err != nil && err != io.EOF {
		s.err.CompareAndSwap(nil, &err)
	}
}

// Read is the guest's stdin.
func (s *source) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	s.watch.wait()
	n, err := s.r.Read(p)
	s.watch.work()
	s.note(err)
	return n, err
}

// Open is that of a fs.FS.
func (s *source) Open(name string) (fs.File, error) {
	switch name {
	case ".":
		return &payloadFile{source: s, info: fileInfo{name: ".", mode: fs.ModeDir | 0o500}}, nil
	case payloadName:
		return &payloadFile{source: s, info: fileInfo{name: payloadName, mode: 0o400, size: s.size}}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// A payloadFile is the payload, or the directory that it is in. The guest has no need
// to list that, or to read in sequence.
type payloadFile struct {
	source *source
	info   fileInfo
}

func (f *payloadFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *payloadFile) Close() error               { return nil }
func (f *payloadFile) Read([]byte) (int, error)   { return 0, fs.ErrInvalid }

// ReadAt is that of io.ReaderAt.
func (f *payloadFile) ReadAt(p []byte, at int64) (int, error) {
	if f.info.IsDir() {
		return 0, fs.ErrInvalid
	}
	s := f.source
	s.watch.wait()
	n, err := s.at.ReadAt(p, at)
	s.watch.work()
	s.note(err)
	return n, err
}

type fileInfo struct {
	name string
	mode fs.FileMode
	size int64
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) Mode() fs.FileMode  { return i.mode }
func (i fileInfo) ModTime() time.Time { return time.Time{} }
func (i fileInfo) IsDir() bool        { return i.mode.IsDir() }
func (i fileInfo) Sys() any           { return nil }
