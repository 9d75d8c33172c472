package gzipcheck

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
)

// An inflater is a pooled flate reader. It reads from where it was reset to
// until it is put back, and then holds on to nothing.
type inflater struct {
	flate interface {
		io.ReadCloser
		flate.Resetter
	}
	src    bytes.Reader // what it reads from while it is in the pool
	header header       // of the present member, where there is one to parse
	past   [1]byte      // to ask for the end without room for more
}

var inflaters = sync.Pool{New: func() any {
	f := new(inflater)
	f.flate = flate.NewReader(&f.src).(interface {
		io.ReadCloser
		flate.Resetter
	})
	return f
}}

func getInflater() *inflater { return inflaters.Get().(*inflater) }

// put returns f to the pool and lets go of its source.
func (f *inflater) put() {
	f.src.Reset(nil)
	if f.flate.Reset(&f.src, nil) == nil {
		inflaters.Put(f)
	}
}

// errDisagree is an error of ours, not of the payload: the measuring pass and
// the inflating pass came to different results.
func errDisagree(what string, err error) error {
	return fmt.Errorf("measuring and inflating disagree about %s, please report it: %w", what, err)
}

// appendMember inflates the DEFLATE stream at the start of body into the spare
// capacity of dst. It returns the bytes behind the stream.
func (f *inflater) appendMember(dst, body []byte) (out, rest []byte, err error) {
	f.src.Reset(body)
	if err := f.flate.Reset(&f.src, nil); err != nil {
		return dst, nil, errDisagree("a member", err)
	}
	for {
		room := dst[len(dst):cap(dst)]
		if len(room) == 0 {
			room = f.past[:]
		}
		n, err := f.flate.Read(room)
		if len(dst) == cap(dst) && n > 0 {
			return dst, nil, errDisagree("the content's length", io.ErrShortBuffer)
		}
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			return dst, body[len(body)-f.src.Len():], nil
		}
		if err != nil {
			return dst, nil, errDisagree("a member", err)
		}
	}
}
