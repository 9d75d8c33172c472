// Package forge writes hostile bytes: DEFLATE streams and gzip members that state
// what they like about themselves; its subfolders do the same for MessagePack and
// JSON. It writes honest payloads too, and always the same bytes for the same
// calls, which no compressor promises.
//
// Every writer streams: a bomb of 1 TiB takes as little memory as one of 1 KiB.
// A payload is an [io.WriterTo], so payloads nest and follow one another:
//
//	bomb := forge.Gzip{
//		Name:   "report.csv",
//		Body:   forge.Zeros(1 << 40),
//		Trailer: func(t *forge.Trailer) { t.ISIZE = 10 },
//	}
//	_, err := forge.Sequence{bomb, forge.Fill{Byte: 0, N: 512}}.WriteTo(w)
//
// Where a call cannot be carried out (a literal that the block's code set has no
// code for) the writer keeps the first such error and returns it at the end.
package forge

import (
	"bytes"
	"io"
)

// Bytes is a payload of given bytes.
type Bytes []byte

// WriteTo writes b.
func (b Bytes) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(b)
	return int64(n), err
}

// Func is a payload made by a function that writes it.
type Func func(w io.Writer) error

// WriteTo calls f.
func (f Func) WriteTo(w io.Writer) (int64, error) {
	counted := &countWriter{w: w}
	err := f(counted)
	return counted.n, err
}

type countWriter struct {
	w io.Writer
	n int64
}

func (c *countWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// Fill is a payload of N equal bytes.
type Fill struct {
	Byte byte
	N    uint64
}

// WriteTo writes the bytes in chunks.
func (f Fill) WriteTo(w io.Writer) (int64, error) {
	return writeRepeated(w, []byte{f.Byte}, f.N)
}

// Sequence is a payload made of others, one after the other.
type Sequence []io.WriterTo

// WriteTo writes the parts in order.
func (s Sequence) WriteTo(w io.Writer) (int64, error) {
	var total int64
	for _, part := range s {
		n, err := part.WriteTo(w)
		total += n
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// Repeat is a payload N times in a row. Payload is made once and held in
// memory, so it has to be small; N does not.
type Repeat struct {
	Payload io.WriterTo
	N       uint64
}

// WriteTo writes the copies.
func (r Repeat) WriteTo(w io.Writer) (int64, error) {
	var once bytes.Buffer
	if _, err := r.Payload.WriteTo(&once); err != nil {
		return 0, err
	}
	return writeRepeated(w, once.Bytes(), r.N)
}

// Head is the first N bytes of Payload, as a cut connection leaves it.
type Head struct {
	Payload io.WriterTo
	N       uint64
}

// WriteTo writes at most N bytes. All of Payload is made, the rest is dropped.
func (h Head) WriteTo(w io.Writer) (int64, error) {
	cut := &headWriter{w: w, left: h.N}
	_, err := h.Payload.WriteTo(cut)
	return int64(h.N - cut.left), err
}

type headWriter struct {
	w    io.Writer
	left uint64
}

func (h *headWriter) Write(p []byte) (int, error) {
	keep := p[:min(uint64(len(p)), h.left)]
	if len(keep) > 0 {
		n, err := h.w.Write(keep)
		h.left -= uint64(n)
		if err != nil {
			return n, err
		}
	}
	return len(p), nil
}

// WithoutEnd is Payload without its last N bytes, which are held in memory.
type WithoutEnd struct {
	Payload io.WriterTo
	N       uint
}

// WriteTo writes Payload, always holding N bytes back.
func (c WithoutEnd) WriteTo(w io.Writer) (int64, error) {
	held := &holdWriter{w: w, n: c.N}
	_, err := c.Payload.WriteTo(held)
	return held.written, err
}

type holdWriter struct {
	w       io.Writer
	n       uint
	held    []byte
	written int64
}

func (h *holdWriter) Write(p []byte) (int, error) {
	h.held = append(h.held, p...)
	if uint(len(h.held)) > h.n {
		free := uint(len(h.held)) - h.n
		n, err := h.w.Write(h.held[:free])
		h.written += int64(n)
		if err != nil {
			return 0, err
		}
		h.held = append(h.held[:0], h.held[free:]...)
	}
	return len(p), nil
}

// chunk is how many bytes writers collect before they write.
const chunk = 32 << 10

// writeRepeated writes pattern n times, in writes of about chunk bytes.
func writeRepeated(w io.Writer, pattern []byte, n uint64) (int64, error) {
	if len(pattern) == 0 {
		return 0, nil
	}
	perWrite := min(n, max(1, uint64(chunk/len(pattern))))
	block := bytes.Repeat(pattern, int(perWrite))
	var total int64
	for n > 0 {
		count := min(n, perWrite)
		m, err := w.Write(block[:int(count)*len(pattern)])
		total += int64(m)
		if err != nil {
			return total, err
		}
		n -= count
	}
	return total, nil
}
