package corpus

import (
	"io"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/forge/msgpack"
)

const msgpackSpec = "https://github.com/msgpack/msgpack/blob/master/spec.md"

// msgpackPromises are headers that promise more than follows, or more than is good.
func msgpackPromises() []Case {
	// promise returns a case that a header makes impossible.
	promise := func(id, story, declares, costs string, payload io.WriterTo, references ...string) Case {
		return Case{
			ID: id, Story: story, Declares: declares, Costs: costs,
			Kind: Hostile, Verdict: Rejected, Rules: []string{"msgpack/header-oversized"},
			CWE: []int{789}, References: references, Payload: payload,
		}
	}
	const vmihailenco401 = "https://github.com/vmihailenco/msgpack/issues/401"
	// long returns a case that is honest and one byte above a default limit of 64 MiB.
	long := func(id, rule, story string, header io.WriterTo) Case {
		return Case{
			ID: id, Story: story, Declares: "67108865 bytes", Costs: "64 MiB",
			Kind: Hostile, Verdict: Rejected, Rules: []string{rule}, CWE: []int{770}, Large: true,
			Payload: forge.Sequence{header, forge.Fill{Byte: 'x', N: 64<<20 + 1}},
		}
	}
	return []Case{
		promise("msgpack/array32-4g", "Five bytes that promise the longest array there is.",
			"4294967295 values", "64 GiB of slots in a decoder that allocates what is promised",
			msgpack.Array32.Of(0xffffffff), vmihailenco401),
		promise("msgpack/array-fuzzer", "The five bytes that hung a Python decoder in 2014.",
			"4278190080 values", "32 GB of pointers",
			msgpack.Array32.Of(0xff000000), "https://github.com/msgpack/msgpack-python/issues/97"),
		promise("msgpack/map32-4g", "Five bytes that promise the largest map there is. Twice the count does not fit 32 bits.",
			"4294967295 pairs", "hash table space for 2^32 entries",
			msgpack.Map32.Of(0xffffffff)),
		promise("msgpack/map32-2g", "2^31 pairs: twice that is 0 in 32 bits, and a check that multiplies passes it.",
			"2147483648 pairs", "hash table space for 2^31 entries",
			msgpack.Map32.Of(1<<31)),
		promise("msgpack/str32-4g", "A string of 4 GiB of which no byte follows.",
			"4294967295 bytes", "4 GiB where a reader allocates before it reads",
			msgpack.Str32.Of(0xffffffff)),
		promise("msgpack/bin32-4g", "Binary data of 4 GiB of which no byte follows.",
			"4294967295 bytes", "4 GiB where a reader allocates before it reads",
			msgpack.Bin32.Of(0xffffffff)),
		promise("msgpack/ext32-4g", "An extension of 4 GiB: its length and its type byte together do not fit 32 bits.",
			"4294967295 bytes", "4 GiB where a reader allocates before it reads",
			forge.Sequence{msgpack.Ext32.Of(0xffffffff), forge.Bytes{5}}),
		promise("msgpack/array16-64k", "Three bytes that promise the longest array of the shorter form.",
			"65535 values", "1 MB of slots for 3 bytes, and again for every level of nesting",
			msgpack.Array16.Of(65535)),
		promise("msgpack/map16-64k", "Three bytes that promise the largest map of the shorter form.",
			"65535 pairs", "several MB of hash table for 3 bytes",
			msgpack.Map16.Of(65535)),
		promise("msgpack/str32-1m", "A string of 1 MiB, within every limit on strings, of which no byte follows.",
			"1048576 bytes", "1 MiB where a reader allocates before it reads",
			msgpack.Str32.Of(1<<20)),
		promise("msgpack/bin32-64m", "Binary data of exactly the default limit, of which no byte follows.",
			"67108864 bytes", "64 MiB where only the limit is looked at",
			msgpack.Bin32.Of(64<<20)),
		promise("msgpack/array-negative", "A count that is negative to whoever keeps it in 31 bits and a sign.",
			"2147483648 values", "an index out of range, or a loop that never starts",
			msgpack.Array32.Of(1<<31)),
		promise("msgpack/array-one-short", "An array promises two values and one byte follows.",
			"2 values", "", forge.Sequence{msgpack.ArrayOf(2), msgpack.Int(1)}),
		promise("msgpack/nested-4096", "1000 nested headers that promise 4096 values each, just what decoders preallocate without a second thought.",
			"4 096 000 values in 3000 bytes", "65 MB, 20 000 times the input, where preallocation is capped for each array alone",
			forge.Repeat{Payload: msgpack.Array16.Of(4096), N: 1000}),
		large(promise("msgpack/nested-24000", "24 000 nested headers that promise 65535 values each, for decoders that compare each with the bytes left.",
			"1 572 840 000 values in 72 000 bytes", "more than a gigabyte",
			forge.Repeat{Payload: msgpack.Array16.Of(65535), N: 24_000}, "https://github.com/kriszyp/msgpackr/pull/200")),
		promise("msgpack/nested-maps", "500 nested maps that promise 4096 pairs each.",
			"2 048 000 pairs in 2000 bytes", "more than 100 MB of hash tables",
			forge.Repeat{Payload: forge.Sequence{msgpack.Map16.Of(4096), msgpack.Int(1)}, N: 500}),
		promise("msgpack/nested-short", "Two arrays of two, the one first in the other, and three values are owed where two follow: no header alone promises more than follows it.",
			"3 values where 2 can follow", "",
			forge.Sequence{msgpack.ArrayOf(2), msgpack.ArrayOf(2), msgpack.Int(1), msgpack.Int(2)}),
		promise("msgpack/nested-fits-alone", "100 nested headers that promise 768 values each, and 768 values. Each header has as many bytes left as it promises; all together promise a hundred times as many.",
			"76 800 values in 1068 bytes", "memory that grows with the square of the input, where every header is checked on its own",
			forge.Sequence{
				forge.Repeat{Payload: msgpack.Array16.Of(768), N: 100},
				forge.Repeat{Payload: msgpack.Nil, N: 768},
			}),
		promise("msgpack/nested-exact", "Two arrays in one another, each promising exactly what is left.",
			"2005 values in 1007 bytes", "twice what either alone would cost",
			forge.Sequence{
				msgpack.ArrayOf(1004),
				msgpack.ArrayOf(1001),
				forge.Repeat{Payload: msgpack.Nil, N: 1001},
			}),
		long("msgpack/str-64m-and-1", "msgpack/str-length", "An honest string of one byte more than the default allows.",
			msgpack.Str32.Of(64<<20+1)),
		long("msgpack/bin-64m-and-1", "msgpack/bin-length", "Honest binary data of one byte more than the default allows.",
			msgpack.Bin32.Of(64<<20+1)),
		long("msgpack/ext-64m-and-1", "msgpack/ext-length", "An honest extension of one byte more than the default allows.",
			forge.Sequence{msgpack.Ext32.Of(64<<20 + 1), forge.Bytes{5}}),
		{
			ID:      "msgpack/depth-129",
			Story:   "129 arrays in one another, one more than the default allows.",
			Costs:   "a stack frame for each",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"msgpack/depth"},
			CWE:     []int{674},
			Payload: forge.Sequence{forge.Repeat{Payload: msgpack.ArrayOf(1), N: 129}, msgpack.Nil},
		},
		{
			ID:         "msgpack/depth-2m",
			Story:      "2 000 000 arrays in one another. Decoders that recurse without a limit do not return an error, they end the process.",
			Costs:      "1 GB of stack",
			Kind:       Hostile,
			Verdict:    Rejected,
			Rules:      []string{"msgpack/depth"},
			CWE:        []int{674},
			References: []string{"https://github.com/msgpack/msgpack-java/issues/1015"},
			Large:      true,
			Payload:    forge.Sequence{forge.Repeat{Payload: msgpack.ArrayOf(1), N: 2_000_000}, msgpack.Nil},
		},
		{
			ID:      "msgpack/depth-maps",
			Story:   "500 maps in one another, each the value of the only key of the next.",
			Costs:   "a stack frame and a hash table for each",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"msgpack/depth"},
			CWE:     []int{674},
			Payload: forge.Sequence{
				forge.Repeat{Payload: forge.Sequence{msgpack.MapOf(1), msgpack.Str("")}, N: 500},
				msgpack.Nil,
			},
		},
		{
			ID:      "msgpack/depth-keys",
			Story:   "500 maps in one another, each the key of the next: nesting where few look for it.",
			Costs:   "a stack frame and a hash table for each",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"msgpack/depth", "msgpack/key-type"},
			CWE:     []int{674},
			Payload: forge.Sequence{
				forge.Repeat{Payload: msgpack.MapOf(1), N: 500},
				forge.Repeat{Payload: msgpack.Nil, N: 501},
			},
		},
		{
			ID:       "msgpack/array-10m-and-1",
			Story:    "An honest array of one value more than the default allows.",
			Declares: "10000001 values",
			Costs:    "16 bytes of memory for every byte of input",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"msgpack/array-length"},
			CWE:      []int{770},
			Large:    true,
			Payload: forge.Sequence{
				msgpack.Array32.Of(10_000_001),
				forge.Repeat{Payload: msgpack.Nil, N: 10_000_001},
			},
		},
		{
			ID:       "msgpack/map-262145",
			Story:    "A map of one pair more than the default allows.",
			Declares: "262145 pairs",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"msgpack/map-length"},
			CWE:      []int{770},
			Large:    true,
			Payload: forge.Sequence{
				msgpack.Map32.Of(262_145),
				forge.Repeat{Payload: forge.Sequence{msgpack.Str("a"), msgpack.Nil}, N: 262_145},
			},
		},
		{
			ID:      "msgpack/values-10m",
			Story:   "1000 arrays of 10 001 nils: no array is long, all together hold more values than the default allows.",
			Costs:   "160 MB of slots",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"msgpack/values"},
			CWE:     []int{770},
			Large:   true,
			Payload: forge.Sequence{
				msgpack.ArrayOf(1000),
				forge.Repeat{
					Payload: forge.Sequence{msgpack.ArrayOf(10_001), forge.Repeat{Payload: msgpack.Nil, N: 10_001}},
					N:       1000,
				},
			},
		},
		{
			ID:      "msgpack/keys-untracked",
			Story:   "A map of 200 000 pairs inside another of as many: more keys at once than the check for duplicates remembers.",
			Costs:   "a set of all keys where duplicates are looked for",
			Kind:    Hostile,
			Verdict: Clean,
			Rules:   []string{"msgpack/duplicate-unchecked"},
			CWE:     []int{770},
			Large:   true,
			Payload: forge.Sequence{
				msgpack.MapOf(200_001), keys(200_000),
				msgpack.Str("inner"), msgpack.MapOf(200_000), keys(200_000),
			},
		},
		{
			ID:      "msgpack/maps-of-one",
			Story:   "3 000 000 maps of one pair each: 3 bytes of input become a hash table.",
			Costs:   "about 100 bytes of memory for every byte of input",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"msgpack/decoded-size"},
			CWE:     []int{770},
			Large:   true,
			Payload: forge.Sequence{
				msgpack.ArrayOf(3_000_000),
				forge.Repeat{Payload: msgpack.Map(msgpack.Str(""), msgpack.Nil), N: 3_000_000},
			},
		},
	}
}
