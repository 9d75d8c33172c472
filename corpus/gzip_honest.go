package corpus

import (
	"bytes"

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

// memberInText returns text around a gzip member.
func memberInText() []byte {
	var b bytes.Buffer
	b.WriteString("before\n")
	forge.Gzip{Body: forge.Text(greeting)}.WriteTo(&b)
	b.WriteString("after\n")
	return b.Bytes()
}
