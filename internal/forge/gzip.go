package forge

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

// A Gzip is one gzip member (RFC 1952). The zero Gzip is an honest member around
// nothing: method deflate, no header fields, true trailer.
type Gzip struct {
	// Method is CM; 0 stands for 8, deflate.
	Method byte
	// Text sets FTEXT.
	Text bool
	// ReservedFlags are added to FLG: 0x20, 0x40 and 0x80 must be zero.
	ReservedFlags byte
	// ModTime is MTIME, ExtraFlags is XFL, OS is OS, as on the wire.
	ModTime        uint32
	ExtraFlags, OS byte
	// Extra are the subfields of FEXTRA; RawExtra follows them. FEXTRA is
	// present where either is not nil. Together at most 65535 bytes, which is
	// an error otherwise.
	Extra    []Subfield
	RawExtra []byte
	// Name and Comment are FNAME and FCOMMENT, without the zero at their end.
	// Either is present where it is not empty.
	Name, Comment string
	// HeaderCRC adds FHCRC; WrongHeaderCRC adds one that is not true.
	HeaderCRC, WrongHeaderCRC bool
	// Body writes the deflate stream; nil writes one empty fixed block.
	Body Body
	// Trailer, where not nil, changes the trailer from true to something else.
	Trailer func(t *Trailer)
}

// A Body writes a whole deflate stream.
type Body func(d *Deflate)

// A Subfield is one entry of FEXTRA (RFC 1952 section 2.3.1.1).
type Subfield struct {
	ID   [2]byte
	Data []byte
	// Declares, where not nil, is LEN instead of the length of Data.
	Declares *uint16
}

// A Trailer is what follows the deflate stream of a member.
type Trailer struct {
	CRC   uint32
	ISIZE uint32
	// Missing is how many of the 8 bytes are left out at the end: 0 to 8.
	Missing int
}

// Bits of FLG (RFC 1952 section 2.3.1).
const (
	flagText    = 1 << 0
	flagHCRC    = 1 << 1
	flagExtra   = 1 << 2
	flagName    = 1 << 3
	flagComment = 1 << 4
)

// WriteTo writes the member.
func (g Gzip) WriteTo(w io.Writer) (int64, error) {
	if extra := len(g.extra()); extra > 65535 {
		return 0, fmt.Errorf("forge: an extra field of %d bytes: at most 65535", extra)
	}
	header := g.header()
	n, err := w.Write(header)
	if err != nil {
		return int64(n), err
	}
	d := NewDeflate(w)
	if g.Body != nil {
		g.Body(d)
	} else {
		d.Fixed(Final)
		d.EndBlock()
	}
	d.Align()
	t := Trailer{CRC: d.CRC(), ISIZE: uint32(d.Length())}
	if g.Trailer != nil {
		g.Trailer(&t)
	}
	var trailer [8]byte
	binary.LittleEndian.PutUint32(trailer[:], t.CRC)
	binary.LittleEndian.PutUint32(trailer[4:], t.ISIZE)
	d.Bytes(trailer[:8-min(max(t.Missing, 0), 8)])
	err = d.Flush()
	return int64(n) + d.Written(), err
}

// header returns everything in front of the deflate stream.
func (g Gzip) header() []byte {
	method := g.Method
	if method == 0 {
		method = 8
	}
	h := []byte{0x1f, 0x8b, method, g.ReservedFlags}
	h = binary.LittleEndian.AppendUint32(h, g.ModTime)
	h = append(h, g.ExtraFlags, g.OS)
	if g.Text {
		h[3] |= flagText
	}
	if g.Extra != nil || g.RawExtra != nil {
		h[3] |= flagExtra
		extra := g.extra()
		h = binary.LittleEndian.AppendUint16(h, uint16(len(extra)))
		h = append(h, extra...)
	}
	if g.Name != "" {
		h[3] |= flagName
		h = append(append(h, g.Name...), 0)
	}
	if g.Comment != "" {
		h[3] |= flagComment
		h = append(append(h, g.Comment...), 0)
	}
	if g.HeaderCRC || g.WrongHeaderCRC {
		h[3] |= flagHCRC
		sum := uint16(crc32.ChecksumIEEE(h))
		if g.WrongHeaderCRC {
			sum = ^sum
		}
		h = binary.LittleEndian.AppendUint16(h, sum)
	}
	return h
}

// extra returns the content of FEXTRA.
func (g Gzip) extra() []byte {
	var b []byte
	for _, s := range g.Extra {
		length := uint16(len(s.Data))
		if s.Declares != nil {
			length = *s.Declares
		}
		b = append(b, s.ID[:]...)
		b = binary.LittleEndian.AppendUint16(b, length)
		b = append(b, s.Data...)
	}
	return append(b, g.RawExtra...)
}

// Literals returns a Body of one fixed block that spells content out.
func Literals(content io.WriterTo) Body {
	return func(d *Deflate) {
		d.Fixed(Final)
		if _, err := content.WriteTo(d); err != nil {
			d.fail("writing the content: %w", err)
		}
		d.EndBlock()
	}
}

// Text returns a Body of one fixed block that spells s out.
func Text(s string) Body { return Literals(Bytes(s)) }

// StoredBlocks returns a Body that holds p in stored blocks.
func StoredBlocks(p []byte) Body {
	return func(d *Deflate) { d.Stored(Final, p) }
}

// Zeros returns a Body that inflates to n zero bytes at the best ratio deflate
// has: one dynamic block whose matches of length 258 take 2 bits, 1032 : 1.
func Zeros(n uint64) Body {
	return func(d *Deflate) {
		d.Dynamic(Final, CodesFor([]uint{285, 0, EndOfBlock}, []uint{0}))
		if n > 0 {
			d.Write([]byte{0})
			d.Matches(258, 1, (n-1)/258)
			for range (n - 1) % 258 {
				d.Write([]byte{0})
			}
		}
		d.EndBlock()
	}
}

// Runs returns a Body of one dynamic block in which every run of one byte in
// content is written as matches. A run costs 2 bits for 258 bytes, any other
// byte 9 or 10 bits, so that layers around a [Bomb] shrink as it did.
func Runs(content io.WriterTo) Body {
	return func(d *Deflate) {
		d.Dynamic(Final, runCodes())
		r := &runWriter{d: d}
		if _, err := content.WriteTo(r); err != nil {
			d.fail("writing the content: %w", err)
		}
		r.end()
		d.EndBlock()
	}
}

// runCodes gives length 258 one bit and all other symbols the other half of
// the code space.
func runCodes() Codes {
	var others []uint
	for s := range uint(285) {
		others = append(others, s)
	}
	litlen := balanced(others)
	for i := range litlen {
		litlen[i]++
	}
	return Codes{append(litlen, 1), []uint8{1}}
}

// A runWriter holds the last byte and how often it came in a row.
type runWriter struct {
	d    *Deflate
	last byte
	n    uint64
}

func (r *runWriter) Write(p []byte) (int, error) {
	for _, b := range p {
		if b != r.last {
			r.end()
		}
		r.last = b
		r.n++
	}
	return len(p), r.d.err
}

func (r *runWriter) end() {
	if r.n > 0 {
		r.d.Run([]byte{r.last}, r.n)
	}
	r.n = 0
}

// Bomb returns a member that inflates to n zero bytes and claims isize of them.
// See [Zeros].
func Bomb(n uint64, isize uint32) Gzip {
	return Gzip{Body: Zeros(n), Trailer: func(t *Trailer) { t.ISIZE = isize }}
}
