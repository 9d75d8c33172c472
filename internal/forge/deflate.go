package forge

import "io"

// BFINAL of a block header (RFC 1951 section 3.2.3).
const (
	// Final marks the last block of a stream.
	Final = true
	// More marks a block that another one follows.
	More = false
)

// BTYPE of a block header (RFC 1951 section 3.2.3).
const (
	BlockStored   = 0
	BlockFixed    = 1
	BlockDynamic  = 2
	BlockReserved = 3
)

// EndOfBlock is the literal/length symbol that ends a block.
const EndOfBlock = 256

// A Deflate writes a raw DEFLATE stream (RFC 1951). Blocks are opened with
// [Deflate.Fixed] or [Deflate.Dynamic], filled with literals and matches, and
// closed with [Deflate.EndBlock]; a stored block is one call. Nothing is
// compressed: what is called is what is written. The embedded BitWriter gives
// raw access for streams that no encoder would write.
//
// Length and CRC of what a decoder makes of the stream are kept, whatever the
// trailer around it may claim. Symbols and bits written raw do not count.
type Deflate struct {
	*BitWriter
	out    output
	litlen []code
	dist   []code
	fixed  bool // litlen and dist are those of fixedSets, shared and not to be written to
}

// NewDeflate returns a Deflate that writes to w.
func NewDeflate(w io.Writer) *Deflate {
	return &Deflate{BitWriter: NewBitWriter(w)}
}

// Length returns how many bytes the stream so far inflates to.
func (d *Deflate) Length() uint64 { return d.out.length }

// CRC returns the CRC-32 of the bytes the stream so far inflates to.
func (d *Deflate) CRC() uint32 { return d.out.crc }

// BlockHeader writes BFINAL and BTYPE.
func (d *Deflate) BlockHeader(final bool, btype uint) {
	var bfinal uint64
	if final {
		bfinal = 1
	}
	d.Bits(bfinal|uint64(btype)<<1, 3)
}

// Stored writes p in stored blocks of at most 65535 bytes, at least one; the
// last has BFINAL final.
func (d *Deflate) Stored(final bool, p []byte) {
	const most = 1<<16 - 1
	for len(p) > most {
		d.StoredAs(More, most, ^uint16(most), p[:most])
		p = p[most:]
	}
	d.StoredAs(final, uint16(len(p)), ^uint16(len(p)), p)
}

// StoredAs writes one stored block with the given LEN and NLEN in front of p.
func (d *Deflate) StoredAs(final bool, length, complement uint16, p []byte) {
	d.BlockHeader(final, BlockStored)
	d.Align()
	d.Bits(uint64(length), 16)
	d.Bits(uint64(complement), 16)
	d.Bytes(p)
	d.out.literal(p)
}

// SyncFlush writes the empty stored block that zlib's Z_SYNC_FLUSH writes.
func (d *Deflate) SyncFlush() { d.Stored(More, nil) }

// Fixed opens a block with the fixed codes.
func (d *Deflate) Fixed(final bool) {
	d.BlockHeader(final, BlockFixed)
	if !d.fixed {
		sets := fixedSets()
		d.litlen, d.dist, d.fixed = sets.litlen, sets.dist, true
	}
}

// Dynamic opens a block with the given codes and a header that states them.
func (d *Deflate) Dynamic(final bool, codes Codes) {
	d.DynamicAs(final, codes.Header())
	d.Use(codes)
}

// DynamicAs opens a block with a header that may state anything. Symbols that
// follow need [Deflate.Use] to know their codes.
func (d *Deflate) DynamicAs(final bool, h Header) {
	d.BlockHeader(final, BlockDynamic)
	h.write(d.BitWriter)
}

// Use sets the codes of the symbols to come without writing anything.
func (d *Deflate) Use(codes Codes) {
	if d.fixed {
		d.litlen, d.dist = nil, nil
	}
	d.litlen = appendCanonical(d.litlen[:0], codes.LitLen)
	d.dist = appendCanonical(d.dist[:0], codes.Distance)
	d.fixed = false
}

// Write writes p as literals of the open block.
func (d *Deflate) Write(p []byte) (int, error) {
	for _, b := range p {
		d.Symbol(uint(b))
	}
	d.out.literal(p)
	return len(p), d.err
}

// WriteString writes s as literals of the open block.
func (d *Deflate) WriteString(s string) (int, error) { return d.Write([]byte(s)) }

// Symbol writes a literal/length symbol, 0 to 287, and nothing after it.
func (d *Deflate) Symbol(n uint) {
	if c, ok := d.code("literal/length", d.litlen, n); ok {
		d.Bits(c.bits, c.n)
	}
}

// DistanceSymbol writes a distance symbol, 0 to 31, and nothing after it.
func (d *Deflate) DistanceSymbol(n uint) {
	if c, ok := d.code("distance", d.dist, n); ok {
		d.Bits(c.bits, c.n)
	}
}

// Match writes one match: length 3 to 258, distance 1 to 32768, which may lie
// before the start of the output.
func (d *Deflate) Match(length, distance int) { d.Matches(length, distance, 1) }

// Matches writes the same match times over, in constant memory.
func (d *Deflate) Matches(length, distance int, times uint64) {
	if length < 3 || length > 258 || distance < 1 || distance > windowSize {
		d.fail("no match has length %d and distance %d", length, distance)
		return
	}
	l, x := lengthSymbol(length), distanceSymbol(distance)
	lc, ok := d.code("literal/length", d.litlen, l.symbol)
	if !ok {
		return
	}
	xc, ok := d.code("distance", d.dist, x.symbol)
	if !ok {
		return
	}
	token := lc
	token = token.then(l.extra)
	token = token.then(xc)
	token = token.then(x.extra)
	d.RepeatBits(token.bits, token.n, times)
	d.out.repeat(distance, uint64(length)*times)
}

// Run writes n bytes that repeat pattern: once as literals, then as matches
// while at least 3 bytes are missing, the rest as literals again. The pattern
// has 1 to 32768 bytes. The open block needs codes for what that takes.
func (d *Deflate) Run(pattern []byte, n uint64) {
	if len(pattern) < 1 || len(pattern) > windowSize {
		d.fail("a run cannot repeat %d bytes", len(pattern))
		return
	}
	first := min(n, uint64(len(pattern)))
	d.Write(pattern[:first])
	rest := n - first
	d.Matches(258, len(pattern), rest/258)
	rest %= 258
	if rest >= 3 {
		d.Match(int(rest), len(pattern))
		rest = 0
	}
	for i := n - rest; i < n; i++ {
		at := i % uint64(len(pattern))
		d.Write(pattern[at : at+1])
	}
}

// Produced counts n bytes of output, each equal to the one distance before it:
// what a match comes to that was written raw.
func (d *Deflate) Produced(distance int, n uint64) { d.out.repeat(distance, n) }

// EndBlock writes the end-of-block symbol.
func (d *Deflate) EndBlock() { d.Symbol(EndOfBlock) }

// code finds the code of a symbol, or keeps an error.
func (d *Deflate) code(alphabet string, codes []code, n uint) (code, bool) {
	if n < uint(len(codes)) && codes[n].n > 0 {
		return codes[n], true
	}
	d.fail("the block has no code for %s symbol %d", alphabet, n)
	return code{}, false
}
