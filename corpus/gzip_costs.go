package corpus

import "github.com/harden-input/harden/internal/forge"

// blocks returns a body of n blocks, each written by block, and a last one
// around nothing.
func blocks(n int, block forge.Body) forge.Body {
	return func(d *forge.Deflate) {
		for range n {
			block(d)
		}
		d.Fixed(forge.Final)
		d.EndBlock()
	}
}

// emptyDynamic writes a dynamic block around nothing, whose only code ends it.
func emptyDynamic(d *forge.Deflate) {
	d.Dynamic(forge.More, forge.CodesFor(nil, nil))
	d.EndBlock()
}

// gzipCosts are well-formed members that cost more than they weigh.
func gzipCosts() []Case {
	return []Case{
		{
			ID:       "gzip/bomb-2m",
			Story:    "2 MiB of zeros at deflate's best ratio, two bits for 258 bytes: a small bomb within all limits.",
			Declares: "2097152 bytes",
			Costs:    "about 1000 bytes of output for each byte of input",
			Kind:     Benign,
			Verdict:  Clean,
			CWE:      []int{409},
			Payload:  forge.Gzip{Body: forge.Zeros(2 << 20)},
		},
		{
			ID:       "gzip/bomb-128m",
			Story:    "128 MiB of zeros: exactly what the default limit allows.",
			Declares: "134217728 bytes",
			Costs:    "128 MiB",
			Kind:     Benign,
			Verdict:  Clean,
			CWE:      []int{409},
			Large:    true,
			Payload:  forge.Gzip{Body: forge.Zeros(128 << 20)},
		},
		{
			ID:       "gzip/bomb-128m-and-1",
			Story:    "One byte more than the default limit allows.",
			Declares: "134217729 bytes",
			Costs:    "128 MiB",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"gzip/decompressed-size"},
			CWE:      []int{409},
			Large:    true,
			Payload:  forge.Gzip{Body: forge.Zeros(128<<20 + 1)},
		},
		{
			ID:       "gzip/bomb-10g",
			Story:    "10 GiB of zeros in 10 MB, the bomb of every tutorial. ISIZE wraps to 2 GiB.",
			Declares: "2147483648 bytes",
			Costs:    "10 GiB",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"gzip/decompressed-size"},
			CWE:      []int{409},
			Large:    true,
			Payload:  forge.Gzip{Body: forge.Zeros(10 << 30)},
		},
		{
			ID:       "gzip/bomb-64g",
			Story:    "64 GiB of zeros in 66 MB. ISIZE wraps to 0.",
			Declares: "0 bytes",
			Costs:    "64 GiB",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"gzip/decompressed-size"},
			CWE:      []int{409},
			Large:    true,
			Payload:  forge.Gzip{Body: forge.Zeros(64 << 30)},
		},
		{
			ID:       "gzip/bomb-1t",
			Story:    "1 TiB of zeros in 1 GB, more than the default takes as input.",
			Declares: "0 bytes",
			Costs:    "1 TiB",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"input/size"},
			CWE:      []int{409},
			Large:    true,
			Payload:  forge.Gzip{Body: forge.Zeros(1 << 40)},
		},
		{
			ID:      "gzip/bomb-fixed",
			Story:   "256 MiB of one letter in fixed blocks: 159 to 1, for those who refuse a ratio of a thousand only.",
			Costs:   "256 MiB",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"gzip/decompressed-size"},
			CWE:     []int{409},
			Large:   true,
			Payload: forge.Gzip{Body: func(d *forge.Deflate) {
				d.Fixed(forge.Final)
				d.Run([]byte("a"), 256<<20)
				d.EndBlock()
			}},
		},
		{
			ID:      "gzip/bomb-ratio-45",
			Story:   "256 MiB at 45 to 1: between its matches lie stored blocks, so that no limit on the ratio fires that honest logs would pass.",
			Costs:   "256 MiB",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"gzip/decompressed-size"},
			CWE:     []int{409},
			Large:   true,
			Payload: forge.Gzip{Body: blocks(256<<20/2064, func(d *forge.Deflate) {
				d.Stored(forge.More, make([]byte, 27))
				d.Fixed(forge.More)
				d.Matches(258, 1, 8)
				d.EndBlock()
			})},
		},
		{
			ID:       "gzip/bomb-second-member",
			Story:    "13 bytes of text in one member and 1 GiB of zeros in the next, for those who judge the first only.",
			Declares: "13 bytes in the first trailer",
			Costs:    "1 GiB",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"gzip/decompressed-size", "gzip/multi-member"},
			CWE:      []int{409},
			Large:    true,
			Payload:  forge.Sequence{forge.Gzip{Body: forge.Text(greeting)}, forge.Gzip{Body: forge.Zeros(1 << 30)}},
		},
		{
			ID:      "gzip/bomb-in-members",
			Story:   "1000 members of 1 MiB each: no member is large.",
			Costs:   "1000 MiB",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"gzip/decompressed-size", "gzip/multi-member"},
			CWE:     []int{409},
			Large:   true,
			Payload: forge.Repeat{Payload: forge.Gzip{Body: forge.Zeros(1 << 20)}, N: 1000},
		},
		{
			ID:      "gzip/blocks-dynamic-empty",
			Story:   "100 000 dynamic blocks around nothing: each makes a decoder build its tables, and no byte comes out.",
			Costs:   "two Huffman tables for every 11 bytes; decoders fall to a few MB of input a second",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"gzip/work"},
			CWE:     []int{400, 407},
			Large:   true,
			Payload: forge.Gzip{Body: blocks(100_000, emptyDynamic)},
		},
		{
			ID:      "gzip/blocks-dynamic-one-literal",
			Story:   "100 000 dynamic blocks of one byte each, for those who count empty blocks only.",
			Costs:   "two Huffman tables for every byte of output",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"gzip/work"},
			CWE:     []int{400, 407},
			Large:   true,
			Payload: forge.Gzip{Body: blocks(100_000, func(d *forge.Deflate) {
				d.Dynamic(forge.More, forge.CodesFor([]uint{'a'}, nil))
				d.WriteString("a")
				d.EndBlock()
			})},
		},
		{
			ID:      "gzip/blocks-dynamic-15-bit",
			Story:   "25 000 dynamic blocks around nothing whose codes are as long as codes can be, so that tables take their second level.",
			Costs:   "two Huffman tables of two levels for every block",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"gzip/work"},
			CWE:     []int{400, 407},
			Large:   true,
			Payload: forge.Gzip{Body: blocks(25_000, func(d *forge.Deflate) {
				d.Dynamic(forge.More, longCodes())
				d.EndBlock()
			})},
		},
		{
			ID:      "gzip/blocks-dynamic-budget",
			Story:   "16383 dynamic blocks around nothing: within the default budget for work, to the block.",
			Costs:   "two Huffman tables for every 11 bytes",
			Kind:    Benign,
			Verdict: Clean,
			Large:   true,
			Payload: forge.Gzip{Body: blocks(16_383, emptyDynamic)},
		},
		{
			ID:      "gzip/blocks-fixed-empty",
			Story:   "800 000 fixed blocks around nothing: 1 MB, no output, and a decoder that sets up its tables anew for each takes half a second.",
			Costs:   "a block header for every 10 bits",
			Kind:    Hostile,
			Verdict: Clean,
			CWE:     []int{400},
			Large:   true,
			Payload: forge.Gzip{Body: blocks(800_000, func(d *forge.Deflate) {
				d.Fixed(forge.More)
				d.EndBlock()
			})},
		},
		{
			ID:      "gzip/blocks-stored-empty",
			Story:   "100 000 stored blocks around nothing.",
			Costs:   "a block header for every 5 bytes",
			Kind:    Hostile,
			Verdict: Clean,
			CWE:     []int{400},
			Large:   true,
			Payload: forge.Gzip{Body: blocks(100_000, func(d *forge.Deflate) { d.SyncFlush() })},
		},
	}
}

// longCodes gives one symbol each 1 to 14 bits and two symbols 15, in both
// alphabets.
func longCodes() forge.Codes {
	litlen := make([]uint8, forge.EndOfBlock+1)
	for i := range 15 {
		litlen['a'+i] = uint8(i + 1)
	}
	litlen[forge.EndOfBlock] = 15
	distance := make([]uint8, 16)
	for i := range 15 {
		distance[i] = uint8(i + 1)
	}
	distance[15] = 15
	return forge.Codes{LitLen: litlen, Distance: distance}
}
