package inspect

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// An Input is one payload to inspect. Make it with [Bytes], [File] or [Stream].
type Input struct {
	// Name stands in the report, and its extension may claim a format.
	Name string
	// Walked marks a file that was found in a directory and not named by
	// anybody: it is judged only if it claims or clearly is a known format,
	// else [Inspector.Inspect] reports it as skipped.
	Walked bool
	// Unknown says what becomes of the payload if it is in no known format.
	Unknown Unknown
	// BeforeRead, unless nil, is called before more of a stream is read, which
	// may have to be waited for: who hands clean records on does so now. The
	// time it takes is not the record's. An error ends the stream like one of
	// its reader.
	BeforeRead func() error

	at   io.ReaderAt
	r    io.Reader
	size int64
	data []byte
}

// Unknown says what becomes of a payload that is in no known format.
type Unknown uint8

const (
	// UnknownByName: undecided where somebody named the payload, skipped
	// where it was walked.
	UnknownByName Unknown = iota
	// UnknownSkipped: skipped and counted.
	UnknownSkipped
	// UnknownUndecided: undecided.
	UnknownUndecided
)

// String returns what ParseUnknown reads, "" for UnknownByName.
func (u Unknown) String() string {
	switch u {
	case UnknownSkipped:
		return "skip"
	case UnknownUndecided:
		return "undecided"
	}
	return ""
}

// ParseUnknown reads "skip" or "undecided".
func ParseUnknown(s string) (Unknown, error) {
	switch s {
	case "skip":
		return UnknownSkipped, nil
	case "undecided":
		return UnknownUndecided, nil
	}
	return UnknownByName, fmt.Errorf("on-unknown %q: use skip or undecided", s)
}

// skipsUnknown reports whether the payload is skipped if no format fits.
func (in *Input) skipsUnknown() bool {
	return in.Unknown == UnknownSkipped || in.Unknown == UnknownByName && in.Walked
}

// Source returns where the payload's bytes come from: at and their number, or r
// for bytes that come once, whose number is unknown and size −1.
func (in *Input) Source() (at io.ReaderAt, r io.Reader, size int64) { return in.at, in.r, in.size }

// Bytes is a payload that is in memory. It must not change while it is inspected.
func Bytes(name string, data []byte) Input {
	return Input{Name: name, at: bytes.NewReader(data), size: int64(len(data)), data: data}
}

// File is a payload of size bytes that can be read more than once.
func File(name string, r io.ReaderAt, size int64) Input {
	return Input{Name: name, at: r, size: size}
}

// Stream is a payload that can be read once, to its end. A read that has not
// returned when the time for the payload, or for a record, is over is given up:
// nobody may use r after that. Up to 8 MiB of it are held in memory, so that a
// short stream is judged exactly as a file would be.
func Stream(name string, r io.Reader) Input {
	return Input{Name: name, r: r, size: -1}
}

// maxHeld is how much of a stream is held in memory to learn its size.
const maxHeld = 8 << 20

// hold reads the start of a stream. A stream that ends within maxHeld becomes
// an input in memory; the rest of a longer one is read behind what is held.
func (in Input) hold(r io.Reader) (Input, error) {
	held := make([]byte, 0, 64<<10)
	for len(held) <= maxHeld {
		if len(held) == cap(held) {
			grown := make([]byte, len(held), min(4*cap(held), maxHeld+1))
			copy(grown, held)
			held = grown
		}
		n, err := r.Read(held[len(held):cap(held)])
		held = held[:len(held)+n]
		if err == io.EOF {
			whole := Bytes(in.Name, held)
			whole.Walked, whole.Unknown = in.Walked, in.Unknown
			return whole, nil
		}
		if err != nil {
			return in, err
		}
	}
	in.r = io.MultiReader(bytes.NewReader(held), r)
	return in, nil
}

// maxLoaded is up to which size a file is read in one piece, in bytes.
const maxLoaded = 64 << 10

var loadBuffers = sync.Pool{New: func() any { return new([maxLoaded]byte) }}

// load reads a file of at most maxLoaded bytes into memory, which saves small
// ones the window and the readers of large ones. Of other inputs it makes
// nothing else. Nothing may use the result once free was called.
func (in Input) load() (loaded Input, free func(), err error) {
	if in.at == nil || in.data != nil || in.size > maxLoaded {
		return in, func() {}, nil
	}
	buf := loadBuffers.Get().(*[maxLoaded]byte)
	free = func() { loadBuffers.Put(buf) }
	n, err := in.at.ReadAt(buf[:in.size], 0)
	switch {
	case int64(n) == in.size:
		in.data = buf[:n]
		in.at = bytes.NewReader(in.data)
		return in, free, nil
	case err == io.EOF:
		err = errChanged
	}
	return in, free, err
}
