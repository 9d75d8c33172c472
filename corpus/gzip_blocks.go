package corpus

import "github.com/harden-input/harden/internal/forge"

// malformed returns a case whose deflate stream breaks RFC 1951 section.
func malformed(id, section, story string, body forge.Body) Case {
	return Case{
		ID:         id,
		Story:      story,
		Kind:       Malformed,
		Verdict:    Rejected,
		Rules:      []string{"gzip/deflate-malformed"},
		References: []string{rfc1951 + "#section-" + section},
		Payload:    forge.Gzip{Body: body},
	}
}

// gzipBlocks are deflate streams that break off or go wrong between code sets.
func gzipBlocks() []Case {
	return []Case{
		malformed("gzip/block-reserved", "3.2.3", "Block type 3, which is reserved.", func(d *forge.Deflate) {
			d.BlockHeader(forge.Final, forge.BlockReserved)
		}),
		malformed("gzip/stored-length", "3.2.4", "LEN and its complement do not agree.", func(d *forge.Deflate) {
			d.StoredAs(forge.Final, 13, 13, []byte(greeting))
		}),
		malformed("gzip/distance-too-far", "3.2.3", "A match that points before the first byte: decoders that do not look read what lies in front of their window.", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.WriteString("abc")
			d.Match(3, 4)
			d.EndBlock()
		}),
		malformed("gzip/distance-at-start", "3.2.3", "The very first symbol is a match.", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.Match(258, 32768)
			d.EndBlock()
		}),
		malformed("gzip/distance-symbol-30", "3.2.6", "Distance symbol 30, which has a code in fixed blocks and no meaning.", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.WriteString("abc")
			d.Symbol(257)
			d.DistanceSymbol(30)
			d.EndBlock()
		}),
		malformed("gzip/length-symbol-286", "3.2.6", "Literal/length symbol 286, which has a code in fixed blocks and no meaning.", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.WriteString("abc")
			d.Symbol(286)
			d.DistanceSymbol(0)
			d.EndBlock()
		}),
		malformed("gzip/distance-symbol-31", "3.2.6", "Distance symbol 31, the last that has a code in fixed blocks and no meaning.", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.WriteString("abc")
			d.Symbol(257)
			d.DistanceSymbol(31)
			d.EndBlock()
		}),
		malformed("gzip/length-symbol-287", "3.2.6", "Literal/length symbol 287, the last that has a code in fixed blocks and no meaning.", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.WriteString("abc")
			d.Symbol(287)
			d.EndBlock()
		}),
		malformed("gzip/distance-bits-unassigned", "3.2.7", "A single distance code of one bit is 0, and the match says 1.", func(d *forge.Deflate) {
			d.Dynamic(forge.Final, forge.CodesFor([]uint{'a', 257}, []uint{0}))
			d.WriteString("aaa")
			d.Symbol(257)
			d.Bits(1, 1)
			d.EndBlock()
		}),
		malformed("gzip/distance-one-too-far", "3.2.3", "32 767 bytes, and a match that starts 32 768 bytes back.", func(d *forge.Deflate) {
			d.Fixed(forge.Final)
			d.Run([]byte("a"), 32767)
			d.Match(3, 32768)
			d.EndBlock()
		}),
		malformed("gzip/distance-too-far-long-after", "3.2.3", "A match that points before the first byte, in a dynamic block that began with thousands of good tokens.", func(d *forge.Deflate) {
			d.Dynamic(forge.Final, forge.CodesFor([]uint{'a', 'b', 257}, []uint{0, 28}))
			for range 4000 {
				d.WriteString("ab")
			}
			d.Match(3, 16385)
			d.EndBlock()
		}),
		malformed("gzip/stored-length-later", "3.2.4", "LEN and its complement do not agree in the second of two blocks, when the first has been delivered.", func(d *forge.Deflate) {
			d.Stored(forge.More, []byte(greeting))
			d.StoredAs(forge.Final, 13, 0, []byte(greeting))
		}),
		malformed("gzip/block-reserved-later", "3.2.3", "Block type 3 after a whole block.", func(d *forge.Deflate) {
			d.Fixed(forge.More)
			d.WriteString(greeting)
			d.EndBlock()
			d.BlockHeader(forge.Final, forge.BlockReserved)
		}),
		malformed("gzip/distance-without-code", "3.2.7", "A match in a block that has no distance codes.", func(d *forge.Deflate) {
			d.Dynamic(forge.Final, forge.CodesFor([]uint{'a', 257}, nil))
			d.WriteString("aaa")
			d.Symbol(257)
			d.Bits(0, 1)
			d.EndBlock()
		}),
		{
			ID:      "gzip/deflate-cut",
			Story:   "The stream ends in the middle of a block.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/truncated"},
			Payload: forge.Head{Payload: forge.Gzip{Body: forge.Text(greeting)}, N: 16},
		},
		{
			ID:      "gzip/no-final-block",
			Story:   "A whole block that says another one follows, and the end of the file.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/truncated"},
			Payload: forge.Gzip{
				Body:    func(d *forge.Deflate) { d.Stored(forge.More, []byte(greeting)) },
				Trailer: misses(8),
			},
		},
		{
			ID:       "gzip/stored-cut",
			Story:    "A stored block promises 65535 bytes and 13 are there.",
			Declares: "65535 bytes",
			Costs:    "64 KiB where a reader allocates them",
			Kind:     Malformed,
			Verdict:  Rejected,
			Rules:    []string{"gzip/truncated"},
			CWE:      []int{130},
			Payload: forge.Gzip{
				Body:    func(d *forge.Deflate) { d.StoredAs(forge.Final, 65535, 0, []byte(greeting)) },
				Trailer: misses(8),
			},
		},
	}
}
