package corpus

import (
	"bytes"
	"hash/crc32"

	"github.com/harden-input/harden/internal/forge"
)

// gzipHonest are members that look odd and must be accepted.
func gzipHonest() []Case {
	// benign returns a clean case around a deflate stream.
	benign := func(id, story string, body forge.Body) Case {
		return Case{ID: id, Story: story, Kind: Benign, Verdict: Clean, Payload: forge.Gzip{Body: body}}
	}
	return []Case{
		benign("gzip/empty-fixed", "Nothing, in one fixed block: what most encoders write for it.", nil),
		benign("gzip/empty-stored", "Nothing, in one stored block.", forge.StoredBlocks(nil)),
		benign("gzip/fixed", "Text in one fixed block.", forge.Text(greeting)),
		benign("gzip/stored", "Text in one stored block.", forge.StoredBlocks([]byte(greeting))),
		benign("gzip/sync-flush", "An empty stored block between two others, as Z_SYNC_FLUSH leaves it in HTTP and SSH streams.", func(d *forge.Deflate) {
			d.Fixed(forge.More)
			d.WriteString("hello, ")
			d.EndBlock()
			d.SyncFlush()
			d.Fixed(forge.Final)
			d.WriteString("world\n")
			d.EndBlock()
		}),
		benign("gzip/rsyncable", "Many short blocks with a flush after each, as gzip --rsyncable cuts its input.", func(d *forge.Deflate) {
			for range 20 {
				d.Fixed(forge.More)
				d.WriteString(greeting)
				d.EndBlock()
				d.SyncFlush()
			}
			d.Stored(forge.Final, nil)
		}),
		benign("gzip/end-of-block-alone", "A dynamic block whose only code is end of block: an incomplete code set that is allowed.", func(d *forge.Deflate) {
			d.Dynamic(forge.Final, forge.CodesFor(nil, nil))
			d.EndBlock()
		}),
		benign("gzip/literals-alone", "A dynamic block of literals without distance codes.", func(d *forge.Deflate) {
			d.Dynamic(forge.Final, forge.CodesFor([]uint{'a', 'b'}, nil))
			d.WriteString("abba")
			d.EndBlock()
		}),
		benign("gzip/distance-code-alone", "A dynamic block with a single distance code of one bit: an incomplete code set that is allowed.", func(d *forge.Deflate) {
			d.Dynamic(forge.Final, forge.CodesFor([]uint{'a', 257}, []uint{0}))
			d.WriteString("a")
			d.Match(3, 1)
			d.EndBlock()
		}),
		benign("gzip/distance-codes-unused", "Distance codes for matches that never come.", func(d *forge.Deflate) {
			d.Dynamic(forge.Final, forge.CodesFor([]uint{'a'}, []uint{0, 29}))
			d.WriteString("aaa")
			d.EndBlock()
		}),
		benign("gzip/codes-15-bit", "Codes of every length up to 15 bits.", func(d *forge.Deflate) {
			d.Dynamic(forge.Final, longCodes())
			d.WriteString("abcdefghijklmno")
			d.EndBlock()
		}),
		benign("gzip/match-overlap", "A match longer than its distance repeats what it has just written.", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.WriteString("abc")
			d.Match(258, 3)
			d.EndBlock()
		}),
		benign("gzip/match-across-blocks", "A match that reaches into the block before.", func(d *forge.Deflate) {
			d.Stored(forge.More, []byte(greeting))
			d.Fixed(forge.Final)
			d.Match(13, 13)
			d.EndBlock()
		}),
		benign("gzip/distance-32768", "The longest distance there is, to the first byte of the output.", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.Run([]byte("a"), 32768)
			d.Match(258, 32768)
			d.EndBlock()
		}),
		benign("gzip/length-258-long-form", "Length 258 as symbol 284 with all extra bits set, which has a shorter form and is still valid to zlib.", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.WriteString("a")
			d.Symbol(284)
			d.Bits(31, 5)
			d.DistanceSymbol(0)
			d.Produced(1, 258)
			d.EndBlock()
		}),
		benign("gzip/bits-after-final-block", "The unused bits of the last byte of the stream are ones. Nothing gives them a meaning.", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.WriteString("ab")
			d.EndBlock()
			d.Bits(0x7f, 4)
		}),
		benign("gzip/content-looks-like-member", "Content that holds a whole gzip member, trailer and all: searching for magic numbers finds two.", forge.StoredBlocks(memberInText())),
		benign("gzip/partial-flush", "An empty fixed block between two others, as Z_PARTIAL_FLUSH leaves it in SSH streams.", func(d *forge.Deflate) {
			d.Fixed(forge.More)
			d.WriteString("hello, ")
			d.EndBlock()
			d.Fixed(forge.More)
			d.EndBlock()
			d.Fixed(forge.Final)
			d.WriteString("world\n")
			d.EndBlock()
		}),
		benign("gzip/blocks-of-every-type", "A stored, a fixed and a dynamic block, each with a match into the one before.", func(d *forge.Deflate) {
			d.Stored(forge.More, []byte("abcabc"))
			d.Fixed(forge.More)
			d.Match(6, 3)
			d.EndBlock()
			d.Dynamic(forge.Final, forge.CodesFor([]uint{'a', 260}, []uint{4}))
			d.WriteString("a")
			d.Match(6, 6)
			d.EndBlock()
		}),
		{
			ID:      "gzip/stored-padding",
			Story:   "The bits between a stored block's header and its length are ones. They are skipped, whatever they are.",
			Kind:    Benign,
			Verdict: Clean,
			Payload: forge.Gzip{
				Body: func(d *forge.Deflate) {
					d.BlockHeader(forge.Final, forge.BlockStored)
					d.Bits(0x1f, 5)
					d.Bits(3, 16)
					d.Bits(0xffff-3, 16)
					d.Bytes([]byte("abc"))
				},
				Trailer: func(t *forge.Trailer) { t.ISIZE, t.CRC = 3, crc32.ChecksumIEEE([]byte("abc")) },
			},
		},
		benign("gzip/literals-all", "Every byte there is as a literal of a fixed block: eight bits for some, nine for others.", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			for b := range 256 {
				d.Write([]byte{byte(b)})
			}
			d.EndBlock()
		}),
		benign("gzip/lengths-all", "A match of every length, 3 to 258.", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.WriteString("a")
			for length := 3; length <= 258; length++ {
				d.Match(length, 1)
			}
			d.EndBlock()
		}),
		benign("gzip/distances-all", "A match at the nearest and the farthest distance of every distance symbol.", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.Run([]byte("ab"), 32768)
			for distance := 1; distance <= 16384; distance *= 2 {
				for _, at := range []int{distance, distance + 1, distance + distance/2, distance * 2} {
					d.Match(3, at)
				}
			}
			d.EndBlock()
		}),
		benign("gzip/codes-all", "A dynamic block with a code for every symbol of both alphabets.", func(d *forge.Deflate) {
			d.Dynamic(forge.Final, forge.CodesFor(symbols(0, 286), symbols(0, 30)))
			d.WriteString(greeting)
			d.Match(258, 1)
			d.EndBlock()
		}),
		benign("gzip/codes-of-eight-bits", "256 literal/length codes of eight bits each: a code set without a short code.", func(d *forge.Deflate) {
			d.Dynamic(forge.Final, forge.CodesFor(symbols(0, 255), nil))
			d.WriteString(greeting)
			d.EndBlock()
		}),
		benign("gzip/repeat-across-alphabets", "A run of code lengths that starts in one alphabet and ends in the other: the two are one sequence (RFC 1951 section 3.2.7).", func(d *forge.Deflate) {
			codes := forge.Codes{LitLen: append(make([]uint8, 255), 2, 2, 2, 2), Distance: []uint8{2, 2, 2, 2}}
			h := codes.Header()
			h.Symbols = []forge.LengthToken{
				{Symbol: forge.ZerosLong, Extra: 127}, {Symbol: forge.ZerosLong, Extra: 106},
				{Symbol: 2}, {Symbol: forge.CopyPrevious, Extra: 3}, {Symbol: 2},
			}
			h.Recode()
			d.DynamicAs(forge.Final, h)
			d.Use(codes)
			d.Write([]byte{255})
			d.Match(3, 1)
			d.EndBlock()
		}),
		benign("gzip/match-whole-window", "A match that ends where it began: length and distance are equal.", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.WriteString(greeting)
			d.Match(len(greeting), len(greeting))
			d.EndBlock()
		}),
		{
			ID:      "gzip/log-flushed",
			Story:   "20 000 log lines with a flush after each, as a server compresses what it streams. Their output pays for their blocks.",
			Kind:    Benign,
			Verdict: Clean,
			Large:   true,
			Payload: forge.Gzip{Body: blocks(20_000, func(d *forge.Deflate) {
				d.Fixed(forge.More)
				d.WriteString("level=info msg=\"request served\" status=200\n")
				d.EndBlock()
				d.SyncFlush()
			})},
		},
		{
			ID:      "gzip/blocks-dynamic-full",
			Story:   "20 000 dynamic blocks of 1000 bytes each: many tables, and enough output for them.",
			Kind:    Benign,
			Verdict: Clean,
			Large:   true,
			Payload: forge.Gzip{Body: blocks(20_000, func(d *forge.Deflate) {
				d.Dynamic(forge.More, forge.CodesFor([]uint{'a', 'b', 285, 283}, []uint{0, 1}))
				d.Run([]byte("ab"), 1000)
				d.EndBlock()
			})},
		},
		{
			ID:      "gzip/text-1m",
			Story:   "1 MiB in one dynamic block of literals and matches at many distances, as a compressor finds them in text.",
			Kind:    Benign,
			Verdict: Clean,
			Large:   true,
			Payload: forge.Gzip{Body: prose},
		},
		{
			ID:      "gzip/stored-65535",
			Story:   "The longest stored block there is.",
			Kind:    Benign,
			Verdict: Clean,
			Large:   true,
			Payload: forge.Gzip{Body: forge.StoredBlocks(bytes.Repeat([]byte("a"), 65535))},
		},
		{
			ID:      "gzip/stored-65536",
			Story:   "Content that needs two stored blocks.",
			Kind:    Benign,
			Verdict: Clean,
			Large:   true,
			Payload: forge.Gzip{Body: forge.StoredBlocks(bytes.Repeat([]byte("a"), 65536))},
		},
	}
}

// symbols lists the symbols from first to below end.
func symbols(first, end uint) []uint {
	var list []uint
	for s := first; s < end; s++ {
		list = append(list, s)
	}
	return list
}

// prose writes 1 MiB of literals and of matches at many lengths and distances,
// always the same.
func prose(d *forge.Deflate) {
	d.Dynamic(forge.Final, forge.CodesFor(append(symbols('a', 'z'+1), symbols(257, 286)...), symbols(0, 30)))
	state := uint32(1)
	below := func(n uint32) uint32 { // a pseudo-random number, by xorshift
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		return state % n
	}
	for d.Length() < 1<<20 {
		for range 1 + below(4) {
			d.Write([]byte{byte('a' + below(26))})
		}
		if d.Length() > 258 {
			d.Match(int(3+below(60)), int(1+below(uint32(min(d.Length(), 32768)))))
		}
	}
	d.EndBlock()
}

// memberInText returns text around a gzip member.
func memberInText() []byte {
	var b bytes.Buffer
	b.WriteString("before\n")
	forge.Gzip{Body: forge.Text(greeting)}.WriteTo(&b)
	b.WriteString("after\n")
	return b.Bytes()
}
