package inspect

import (
	"bytes"
	"io"
)

// An Input is one payload to inspect. Make it with [Bytes], [File] or [Stream].
type Input struct {
	// Name stands in the report, and its extension may claim a format.
	Name string
	// Walked marks a file that was found in a directory and not named by
	// anybody: it is judged only if it claims or clearly is a known format,
	// else [Inspector.Inspect] reports it as skipped.
	Walked bool

	at   io.ReaderAt
	r    io.Reader
	size int64
	data []byte
}

// Bytes is a payload that is in memory. It must not change while it is inspected.
func Bytes(name string, data []byte) Input {
	return Input{Name: name, at: bytes.NewReader(data), size: int64(len(data)), data: data}
}

// File is a payload of size bytes that can be read more than once.
func File(name string, r io.ReaderAt, size int64) Input {
	return Input{Name: name, at: r, size: size}
}

// Stream is a payload that can be read once, to its end. Up to 8 MiB of it are
// held in memory, so that a short stream is judged exactly as a file would be.
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
			whole.Walked = in.Walked
			return whole, nil
		}
		if err != nil {
			return in, err
		}
	}
	in.r = io.MultiReader(bytes.NewReader(held), r)
	return in, nil
}
