package mutate

import (
	"encoding/binary"

	"github.com/harden-input/harden/internal/forge"
)

// A token is a literal, or a match where length is not 0.
type token struct {
	literal          byte
	length, distance int
}

// A block is one DEFLATE block as it was read. The bytes of a stored one are
// literals, so that it can become one of another type.
type block struct {
	kind   int // forge.BlockStored, BlockFixed or BlockDynamic
	tokens []token
	// Of a dynamic block: how many of its symbols have codes of 1, 2, 3, … bits,
	// whether these are the highest symbols, and symbols that have codes and do
	// not occur.
	skew     int
	reversed bool
	unused   []uint
}

// What of a seed is read at most, so that a mutant costs little.
const (
	maxTokens  = 2048
	maxBlocks  = 64
	maxMembers = 16
)

// RFC 1951, section 3.2.5.
var (
	lengthBase    = [29]int{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthExtra   = [29]int{8: 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distanceBase  = [30]int{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distanceExtra = [30]int{4: 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}
	codeOrder     = [19]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
)

// symbolOf returns the last symbol of a base table that is not above n.
func symbolOf(base []int, n int) int {
	for i := len(base) - 1; ; i-- {
		if base[i] <= n {
			return i
		}
	}
}

// An inflater reads the blocks of a stream as tokens, and stops at whatever it
// cannot read. It is made to be short, and reads a bit at a time.
type inflater struct {
	src    []byte
	bit    int // position
	failed bool
	tokens int
}

func (in *inflater) bits(n int) (v int) {
	for i := range n {
		if in.bit>>3 >= len(in.src) {
			in.failed = true
			return 0
		}
		v |= int(in.src[in.bit>>3]>>(in.bit&7)&1) << i
		in.bit++
	}
	return v
}

// blocks reads a stream up to its end or to what is wrong with it.
func (in *inflater) blocks() (all []block) {
	for final := false; !final && !in.failed && len(all) < maxBlocks; {
		final = in.bits(1) == 1
		b := block{kind: in.bits(2)}
		switch b.kind {
		case forge.BlockStored:
			in.stored(&b)
		case forge.BlockFixed:
			fixed := forge.FixedCodes()
			in.compressed(&b, newCode(fixed.LitLen), newCode(fixed.Distance))
		case forge.BlockDynamic:
			in.dynamic(&b)
		default:
			in.failed = true
		}
		if !in.failed || len(b.tokens) > 0 {
			all = append(all, b)
		}
	}
	return all
}

func (in *inflater) stored(b *block) {
	in.bit = (in.bit + 7) &^ 7
	n, complement := in.bits(16), in.bits(16)
	in.failed = in.failed || n != complement^0xffff
	for ; n > 0 && !in.failed; n-- {
		in.add(b, token{literal: byte(in.bits(8))})
	}
}

func (in *inflater) add(b *block, t token) {
	if in.tokens++; in.tokens > maxTokens {
		in.failed = true
	}
	if !in.failed {
		b.tokens = append(b.tokens, t)
	}
}

func (in *inflater) dynamic(b *block) {
	litlen, distances, lengths := in.bits(5)+257, in.bits(5)+1, in.bits(4)+4
	var codeLengths [19]byte
	for _, symbol := range codeOrder[:lengths] {
		codeLengths[symbol] = byte(in.bits(3))
	}
	code := newCode(codeLengths[:])
	var all []byte
	for len(all) < litlen+distances && !in.failed {
		symbol, repeat, of := in.symbol(code), 1, byte(0)
		switch {
		case symbol < forge.CopyPrevious:
			of = byte(symbol)
		case symbol == forge.CopyPrevious && len(all) > 0:
			repeat, of = 3+in.bits(2), all[len(all)-1]
		case symbol == forge.ZerosShort:
			repeat = 3 + in.bits(3)
		case symbol == forge.ZerosLong:
			repeat = 11 + in.bits(7)
		default:
			in.failed = true
		}
		for range repeat {
			all = append(all, of)
		}
	}
	if in.failed {
		return
	}
	in.compressed(b, newCode(all[:litlen]), newCode(all[litlen:litlen+distances]))
}

func (in *inflater) compressed(b *block, litlen, distances code) {
	for !in.failed {
		symbol := in.symbol(litlen)
		switch {
		case in.failed || symbol > 285:
			in.failed = true
		case symbol == forge.EndOfBlock:
			return
		case symbol < forge.EndOfBlock:
			in.add(b, token{literal: byte(symbol)})
		default:
			length := lengthBase[symbol-257] + in.bits(lengthExtra[symbol-257])
			d := in.symbol(distances)
			if d >= len(distanceBase) {
				in.failed = true
				return
			}
			in.add(b, token{length: length, distance: distanceBase[d] + in.bits(distanceExtra[d])})
		}
	}
}

// A code is a canonical Huffman code: how many symbols have codes of each
// length, and the symbols in the order of their codes.
type code struct {
	count   [16]int
	symbols []int
}

func newCode(lengths []byte) code {
	var c code
	for length := byte(1); length <= 15; length++ {
		for symbol, l := range lengths {
			if l == length {
				c.count[length]++
				c.symbols = append(c.symbols, symbol)
			}
		}
	}
	return c
}

// symbol reads one code. It fails where the bits are no code.
func (in *inflater) symbol(c code) int {
	value, first, index := 0, 0, 0
	for _, n := range c.count[1:] {
		value |= in.bits(1)
		if value-first < n && !in.failed {
			if at := index + value - first; at >= 0 && at < len(c.symbols) {
				return c.symbols[at]
			}
			break
		}
		index += n
		first = (first + n) << 1
		value <<= 1
	}
	in.failed = true
	return 0
}

// A member is one gzip member as it was read.
type member struct {
	text, headerCRC bool
	extra           []byte // nil: no FEXTRA
	name, comment   string
	blocks          []block
}

// readGzip reads members up to the first byte that it cannot read, and returns
// where that is.
func readGzip(data []byte) (members []member, end int) {
	for len(members) < maxMembers {
		rest := data[end:]
		if len(rest) < 10 || rest[0] != 0x1f || rest[1] != 0x8b {
			return members, end
		}
		var m member
		at := m.readHeader(rest)
		in := inflater{src: rest[at:]}
		m.blocks = in.blocks()
		members = append(members, m)
		end += at + (in.bit+7)>>3
		if in.failed {
			return members, end
		}
		end = min(end+8, len(data))
	}
	return members, end
}

// readHeader reads the fields of a header, as far as they are there, and returns
// its length.
func (m *member) readHeader(src []byte) int {
	flags, at := src[3], 10
	text := func() string {
		for i, c := range src[at:] {
			if c == 0 {
				s := string(src[at : at+i])
				at += i + 1
				return s
			}
		}
		return ""
	}
	m.text = flags&1 != 0
	if flags&4 != 0 && at+2 <= len(src) {
		n := int(binary.LittleEndian.Uint16(src[at:]))
		at += 2
		m.extra = append([]byte{}, src[at:min(at+n, len(src))]...)
		at += len(m.extra)
	}
	if flags&8 != 0 {
		m.name = text()
	}
	if flags&16 != 0 {
		m.comment = text()
	}
	if m.headerCRC = flags&2 != 0; m.headerCRC {
		at = min(at+2, len(src))
	}
	return at
}
