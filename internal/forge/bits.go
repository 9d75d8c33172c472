package forge

import (
	"fmt"
	"io"
	"math/bits"
)

// A BitWriter writes bits the way DEFLATE packs them (RFC 1951 section 3.1.1):
// from the least significant bit of every byte up. It collects bytes and writes
// them in chunks; [BitWriter.Flush] writes what is left and tells the first error.
type BitWriter struct {
	w       io.Writer
	buf     []byte
	acc     uint64 // bits that do not fill a byte yet, from bit 0 up
	pending uint   // how many: below 8 between calls
	written int64
	err     error
}

// NewBitWriter returns a BitWriter that writes to w.
func NewBitWriter(w io.Writer) *BitWriter { return &BitWriter{w: w} }

// Bits writes the n lowest bits of v, the lowest first. n is at most 56.
func (b *BitWriter) Bits(v uint64, n uint) {
	b.acc |= v & (1<<n - 1) << b.pending
	b.pending += n
	for b.pending >= 8 {
		b.buf = append(b.buf, byte(b.acc))
		b.acc >>= 8
		b.pending -= 8
	}
	if len(b.buf) >= chunk {
		b.drain()
	}
}

// Code writes a Huffman code of n bits, its most significant bit first
// (RFC 1951 section 3.1.1). n is at most 16.
func (b *BitWriter) Code(code uint16, n uint) {
	b.Bits(reverse(code, n), n)
}

// reverse returns the n lowest bits of code in reverse order.
func reverse(code uint16, n uint) uint64 {
	return uint64(bits.Reverse16(code) >> (16 - n))
}

// RepeatBits writes the n lowest bits of v, times over. Its cost is that of
// writing the bytes: 4 000 000 000 repetitions of 2 bits are 1 GB in large writes.
// n is at most 56.
func (b *BitWriter) RepeatBits(v uint64, n uint, times uint64) {
	const unit = 8 // n bits eight times over are n whole bytes, so the bit position stays
	if n == 0 {
		return
	}
	if times < 4*unit {
		for ; times > 0; times-- {
			b.Bits(v, n)
		}
		return
	}
	// The first eight push out what was pending before; from then on every
	// eight put out the same n bytes.
	for range unit {
		b.Bits(v, n)
	}
	b.drain()
	for range unit {
		b.Bits(v, n)
	}
	period := append([]byte(nil), b.buf...)
	b.drain()
	times -= 2 * unit
	b.bulk(period, times/unit)
	for range times % unit {
		b.Bits(v, n)
	}
}

// Align writes zero bits up to the next byte boundary.
func (b *BitWriter) Align() { b.Bits(0, -b.pending&7) }

// Bytes writes whole bytes. At a byte boundary (see [BitWriter.Align]) they
// appear in the output as they are.
func (b *BitWriter) Bytes(p []byte) {
	if b.pending == 0 && len(p) >= chunk {
		b.drain()
		b.bulk(p, 1)
		return
	}
	for _, c := range p {
		b.Bits(uint64(c), 8)
	}
}

// Written returns how many whole bytes were handed to the underlying writer or
// are ready for it.
func (b *BitWriter) Written() int64 { return b.written + int64(len(b.buf)) }

// Err returns the first error met.
func (b *BitWriter) Err() error { return b.err }

// Flush aligns, writes what was collected and returns the first error met.
func (b *BitWriter) Flush() error {
	b.Align()
	b.drain()
	return b.err
}

// fail keeps the first error.
func (b *BitWriter) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf("forge: "+format, args...)
	}
}

// drain writes the collected bytes. After an error nothing is written.
func (b *BitWriter) drain() {
	p := b.buf
	b.buf = b.buf[:0]
	b.bulk(p, 1)
}

// bulk writes p n times, past the buffer, which is empty.
func (b *BitWriter) bulk(p []byte, n uint64) {
	if b.err != nil || len(p) == 0 {
		return
	}
	var m int64
	m, b.err = writeRepeated(b.w, p, n)
	b.written += m
}
