package corpus

import "github.com/harden-input/harden/internal/forge"

// gzipCuts are members that end too early, each in another place.
func gzipCuts() []Case {
	cut := func(id, story string, member forge.Gzip, n uint64) Case {
		return Case{
			ID: id, Story: story, Kind: Malformed, Verdict: Rejected,
			Rules: []string{"gzip/truncated"}, Payload: forge.Head{Payload: member, N: n},
		}
	}
	dynamic := forge.Gzip{Body: func(d *forge.Deflate) {
		d.Dynamic(forge.Final, forge.CodesFor([]uint{'a', 'b', 284}, []uint{0, 29}))
		d.WriteString("abba")
		d.Match(230, 1)
		d.EndBlock()
	}}
	distant := forge.Gzip{Body: func(d *forge.Deflate) {
		d.Fixed(forge.Final)
		d.Run([]byte("a"), 32768)
		d.Match(230, 30000)
		d.EndBlock()
	}}
	return []Case{
		{
			ID:      "gzip/cut-in-magic",
			Story:   "The first of the two bytes that say gzip: it could be anything.",
			Kind:    Malformed,
			Verdict: Undecided,
			Rules:   []string{"input/unrecognised"},
			Payload: forge.Head{Payload: forge.Gzip{}, N: 1},
		},
		cut("gzip/cut-in-time", "The header ends in the time.", forge.Gzip{}, 6),
		cut("gzip/cut-in-extra-length", "The header ends in the length of its extra field.", forge.Gzip{RawExtra: []byte("extra")}, 11),
		cut("gzip/cut-in-comment", "The header ends in its comment.", forge.Gzip{Comment: "a greeting", Body: forge.Text(greeting)}, 15),
		cut("gzip/cut-in-header-crc", "The header ends in its own CRC.", forge.Gzip{HeaderCRC: true, Body: forge.Text(greeting)}, 11),
		cut("gzip/cut-in-stored-length", "A stored block ends in its length.", forge.Gzip{Body: forge.StoredBlocks([]byte(greeting))}, 13),
		cut("gzip/cut-in-code-count", "A dynamic block ends in the numbers of its codes.", dynamic, 11),
		cut("gzip/cut-in-code-length-codes", "A dynamic block ends in the lengths of its code-length codes.", dynamic, 14),
		cut("gzip/cut-in-code-lengths", "A dynamic block ends in its code lengths.", dynamic, 20),
		cut("gzip/cut-in-distance", "The stream ends in the extra bits of a distance.", distant, 222),
	}
}
