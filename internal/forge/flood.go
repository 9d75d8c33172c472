package forge

import (
	"bytes"
	"fmt"
	"io"
)

// EmptyBlocks writes n blocks of type btype with nothing in them, none of them
// the last: 5 bytes a stored block, 10 bits a fixed one, 92 bits a dynamic one.
// They cost a decoder a code set each and yield no output. It takes constant
// memory. Codes in use are forgotten.
func (d *Deflate) EmptyBlocks(btype uint, n uint64) {
	write, ok := emptyBlock(btype)
	if !ok {
		d.fail("no block of type %d is empty", btype)
		return
	}
	if btype == BlockStored && n > 0 {
		// The first one ends at a byte boundary, so the others are equal.
		write(d)
		n--
	}
	const unit = 8 // eight equal blocks are whole bytes at any bit position, so they repeat
	if n >= unit {
		var period bytes.Buffer
		eight := NewDeflate(&period)
		for range unit {
			write(eight)
		}
		if err := eight.Flush(); err != nil {
			d.fail("writing empty blocks: %w", err)
			return
		}
		many := bytes.Repeat(period.Bytes(), 1+chunk/period.Len())
		perWrite := uint64(len(many) / period.Len())
		for ; n/unit >= perWrite && d.err == nil; n -= perWrite * unit {
			d.Bytes(many)
		}
		for ; n >= unit && d.err == nil; n -= unit {
			d.Bytes(period.Bytes())
		}
	}
	for ; n > 0 && d.err == nil; n-- {
		write(d)
	}
}

// emptyBlock returns what writes one empty block that another one follows.
func emptyBlock(btype uint) (write func(d *Deflate), ok bool) {
	switch btype {
	case BlockStored:
		return func(d *Deflate) { d.Stored(More, nil) }, true
	case BlockFixed:
		return func(d *Deflate) { d.Fixed(More); d.EndBlock() }, true
	case BlockDynamic:
		codes := CodesFor(nil, nil)
		return func(d *Deflate) { d.Dynamic(More, codes); d.EndBlock() }, true
	}
	return nil, false
}

// Times is Payload N times in a row. Unlike [Repeat] it makes a payload above
// 1 MiB anew each time instead of holding it.
type Times struct {
	Payload io.WriterTo
	N       uint64
}

// maxHeld is the largest payload of a Times that is held.
const maxHeld = 1 << 20

// WriteTo writes the copies.
func (t Times) WriteTo(w io.Writer) (int64, error) {
	once := &smallBuffer{}
	if _, err := t.Payload.WriteTo(once); err == nil {
		return writeRepeated(w, once.held.Bytes(), t.N)
	} else if !once.full {
		return 0, err
	}
	once.held.Reset()
	var total int64
	for range t.N {
		n, err := t.Payload.WriteTo(w)
		total += n
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// A smallBuffer takes maxHeld bytes and refuses more.
type smallBuffer struct {
	held bytes.Buffer
	full bool
}

func (b *smallBuffer) Write(p []byte) (int, error) {
	if b.held.Len()+len(p) > maxHeld {
		b.full = true
		return 0, fmt.Errorf("more than %d bytes", maxHeld)
	}
	return b.held.Write(p)
}
