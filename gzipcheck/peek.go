package gzipcheck

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/harden-input/harden/rule"
)

// MaxExpansion is the most bytes of output that one byte of DEFLATE can make.
//
// The derivation: output comes from literals (one byte each), stored bytes (one
// byte for eight bits) and matches. A match is at most 258 bytes long and needs
// a length code and a distance code. A code set with a single symbol may give
// it one bit, never none (RFC 1951, 3.2.7), and length 258 has no extra bits,
// nor have distances 1 to 4: so a match costs at least 2 bits, and no symbol
// makes more than 258 bytes out of 2 bits, that is 129 a bit, 1032 a byte.
// Block headers only add bits, and the first match of a member needs a byte to
// copy, which costs a literal. Real encoders reach 1030.
const MaxExpansion = 1032

// Peeked is what the outside of a gzip file states. Nothing in it is verified,
// but for ProvablyForged.
type Peeked struct {
	// Name and Comment are FNAME and FCOMMENT of the first member as safe
	// excerpts of at most 255 bytes (see rule.Excerpt).
	Name, Comment string
	// HeaderSize is the length of the first member's header in bytes, 0 if its
	// text fields do not end within the excerpts.
	HeaderSize int64
	// HasTrailer reports whether the input is long enough to end in a trailer.
	HasTrailer bool
	// CRC32 and ISIZE are the last eight bytes of the input, read as a trailer:
	// what the last member states if nothing follows it.
	CRC32, ISIZE uint32
	// Bound is the most that a member within this input can inflate to, in
	// bytes: MaxExpansion times the bytes that are neither header nor trailer.
	Bound uint64
	// ProvablyForged reports that ISIZE is above Bound while Bound is below
	// 4 GiB, so that it cannot be a length modulo 2^32 either.
	ProvablyForged bool
}

// Peek looks at the header and the last eight bytes of a gzip file of size
// bytes, in constant time. The error is a *rule.Violation of
// gzip/header-malformed or gzip/truncated where the header breaks the format,
// else one of r's.
func Peek(r io.ReaderAt, size int64) (Peeked, error) {
	p := peeker{r: r, size: size}
	var out Peeked
	fixed, err := p.take(fixedHeader)
	if err != nil {
		return out, err
	}
	var h header
	copy(h.short[:], fixed)
	h.fill = fixedHeader
	if problem := h.checkFixed(0); problem != nil {
		return out, &rule.Violation{Rule: problem.rule, Offset: problem.at, Message: problem.message, Detail: problem.detail}
	}
	if err := p.optional(fixed[3], &out); err != nil {
		return out, err
	}
	return out, p.trailer(&out)
}

type peeker struct {
	r    io.ReaderAt
	size int64
	pos  int64
	buf  [maxExcerpt + 1]byte
}

// take reads the next n bytes, at most len(p.buf).
func (p *peeker) take(n int) ([]byte, error) {
	from := p.pos
	if err := p.skip(n); err != nil {
		return nil, err
	}
	b := p.buf[:n]
	if err := p.readAt(b, from); err != nil {
		return nil, err
	}
	return b, nil
}

// skip passes over the next n bytes, which have to be there.
func (p *peeker) skip(n int) error {
	if int64(n) > p.size-p.pos {
		return &rule.Violation{Rule: &truncated, Offset: max(p.size, 0), Detail: "header",
			Message: "input ends inside a member's {detail}"}
	}
	p.pos += int64(n)
	return nil
}

func (p *peeker) readAt(b []byte, at int64) error {
	n, err := p.r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return &SizeError{Said: p.size, Read: at + int64(n)}
	}
	return fmt.Errorf("reading the input: %w", err)
}

// optional reads the fields that the flags announce.
func (p *peeker) optional(flags byte, out *Peeked) error {
	if flags&flagExtra != 0 {
		b, err := p.take(2)
		if err != nil {
			return err
		}
		if err := p.skip(int(binary.LittleEndian.Uint16(b))); err != nil {
			return err
		}
	}
	texts := []struct {
		flag byte
		to   *string
	}{{flagName, &out.Name}, {flagComment, &out.Comment}}
	for _, t := range texts {
		if flags&t.flag == 0 {
			continue
		}
		ended, err := p.text(t.to)
		if err != nil || !ended {
			return err
		}
	}
	if flags&flagHCRC != 0 {
		if err := p.skip(2); err != nil {
			return err
		}
	}
	out.HeaderSize = p.pos
	return nil
}

// text reads a zero-terminated field and reports whether its end was found.
func (p *peeker) text(to *string) (ended bool, err error) {
	b, err := p.take(int(min(int64(len(p.buf)), max(p.size-p.pos, 1))))
	if err != nil {
		return false, err
	}
	for i, c := range b {
		if c == 0 {
			*to = rule.Excerpt(b[:i], maxExcerpt)
			p.pos += int64(i + 1 - len(b))
			return true, nil
		}
	}
	*to = rule.Excerpt(b, maxExcerpt)
	return false, nil
}

func (p *peeker) trailer(out *Peeked) error {
	if p.size < minMember {
		return nil
	}
	b := p.buf[:trailerSize]
	if err := p.readAt(b, p.size-trailerSize); err != nil {
		return err
	}
	out.HasTrailer = true
	out.CRC32 = binary.LittleEndian.Uint32(b)
	out.ISIZE = binary.LittleEndian.Uint32(b[4:])
	high, low := bits.Mul64(uint64(p.size-fixedHeader-trailerSize), MaxExpansion)
	if high != 0 {
		low = math.MaxUint64
	}
	out.Bound = low
	out.ProvablyForged = low <= math.MaxUint32 && uint64(out.ISIZE) > low
	return nil
}
