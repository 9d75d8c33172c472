package corpus

import (
	"strings"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/forge/json"
	"github.com/harden-input/harden/internal/forge/msgpack"
)

// gzipJSON are gzip around JSON.
func gzipJSON() []Case {
	document := forge.Bytes(`{"greeting":"hello","to":["world"]}`)
	return []Case{
		{
			ID:      "gzip/json",
			Chain:   "gzip+json",
			Story:   "An honest document in an honest member.",
			Kind:    Benign,
			Verdict: Clean,
			Payload: in(document),
		},
		{
			ID:      "gzip/json-depth",
			Chain:   "gzip+json",
			Story:   "100 000 opening brackets in less than 300 bytes: the limit on input lets them in, the parser recurses.",
			Costs:   "a stack frame for each bracket",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"json/depth"},
			CWE:     []int{674},
			Payload: in(forge.Fill{Byte: '[', N: 100_000}),
		},
		{
			ID:      "gzip/json-string-100m",
			Chain:   "gzip+json",
			Story:   "One string of 100 MiB in 100 KB.",
			Costs:   "100 MiB, twice while it is copied",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"json/string-length"},
			CWE:     []int{409, 770},
			Large:   true,
			Payload: in(json.String('a', 100<<20)),
		},
		{
			ID:      "gzip/json-not",
			Chain:   "gzip+json",
			Story:   "The name says JSON, the content is text.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"json/syntax"},
			Payload: in(forge.Bytes(greeting)),
		},
		{
			ID:      "gzip/json-nothing",
			Chain:   "gzip+json",
			Story:   "A member around nothing under a name that says JSON. Nothing is not JSON.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"json/truncated"},
			Payload: forge.Gzip{},
		},
		{
			ID:      "gzip/json-plain",
			Chain:   "gzip+json",
			Story:   "A JSON document that was never compressed, under a name that says it was.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"input/format-mismatch"},
			CWE:     []int{436},
			Payload: document,
		},
		{
			ID:         "gzip/json-isize-4g",
			Chain:      "gzip+json",
			Story:      "An honest document whose trailer claims 4 GiB: the request body that exhausted a policy server.",
			Declares:   "4294967295 bytes",
			Costs:      "as much memory as the server's limit allows, for 55 bytes",
			Kind:       Hostile,
			Verdict:    Rejected,
			Rules:      []string{"gzip/isize-forged"},
			CWE:        []int{789, 130},
			References: []string{opa8132},
			Payload:    forge.Gzip{Body: forge.Literals(document), Trailer: claims(0xffffffff)},
		},
		{
			ID:      "gzip/json-two-members",
			Chain:   "gzip+json",
			Story:   "One document in two members: where one ends says nothing about the other.",
			Kind:    Benign,
			Verdict: Clean,
			Rules:   []string{"gzip/multi-member"},
			Payload: forge.Sequence{forge.Gzip{Body: forge.Text(`{"greeting":"hel`)}, forge.Gzip{Body: forge.Text(`lo"}`)}},
		},
		{
			ID:      "gzip/json-flushed",
			Chain:   "gzip+json",
			Story:   "A document that is flushed in the middle of a string, as a server does while it writes one.",
			Kind:    Benign,
			Verdict: Clean,
			Payload: forge.Gzip{Body: func(d *forge.Deflate) {
				d.Fixed(forge.More)
				d.WriteString(`{"greeting":"hel`)
				d.EndBlock()
				d.SyncFlush()
				d.Fixed(forge.Final)
				d.WriteString(`lo"}`)
				d.EndBlock()
			}},
		},
		{
			ID:      "gzip/json-bom",
			Chain:   "gzip+json",
			Story:   "A document with a byte order mark, one layer down.",
			Kind:    Benign,
			Verdict: Clean,
			Rules:   []string{"json/bom"},
			Payload: in(forge.Bytes("\ufeff[1]")),
		},
		{
			ID:      "gzip/json-array-1m",
			Chain:   "gzip+json",
			Story:   "An honest array of a million zeros in 2 KB.",
			Kind:    Benign,
			Verdict: Clean,
			Payload: repeats("[0", ",0", 999_999, "]"),
		},
		{
			ID:      "gzip/json-documents",
			Chain:   "gzip+json",
			Story:   "Two members with a document each: readers of one member see one, all others see two.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/multi-member", "json/trailing-data"},
			CWE:     []int{436},
			Payload: forge.Sequence{forge.Gzip{Body: forge.Literals(document)}, forge.Gzip{Body: forge.Literals(document)}},
		},
		{
			ID:      "gzip/json-member-cut",
			Chain:   "gzip+json",
			Story:   "A whole document in a member without trailer: a streaming reader has acted on it before it notices.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/truncated"},
			CWE:     []int{354},
			Payload: forge.Gzip{Body: forge.Literals(document), Trailer: misses(8)},
		},
		{
			ID:      "gzip/json-cut",
			Chain:   "gzip+json",
			Story:   "A document that ends too early in a member that is whole: it was compressed after it was cut.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"json/truncated"},
			Payload: in(forge.Bytes(`{"greeting":"hel`)),
		},
		{
			ID:      "gzip/json-crc-wrong",
			Chain:   "gzip+json",
			Story:   "A document that was changed in its member: the JSON is good, the CRC is not.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/crc-mismatch"},
			CWE:     []int{354},
			Payload: forge.Gzip{Body: forge.Literals(document), Trailer: func(t *forge.Trailer) { t.CRC ^= 1 }},
		},
		{
			ID:      "gzip/json-msgpack",
			Chain:   "gzip+json",
			Story:   "MessagePack in a member under a name that says JSON.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"json/syntax"},
			Payload: in(msgpack.Map(msgpack.Str("a"), msgpack.Int(1))),
		},
		{
			ID:      "gzip/json-name-twice",
			Chain:   "gzip+json",
			Story:   "A name twice, where only those who inflate can see it.",
			Kind:    Hostile,
			Verdict: Clean,
			Rules:   []string{"json/duplicate-key"},
			CWE:     []int{436},
			Payload: in(forge.Bytes(`{"role":"user","role":"admin"}`)),
		},
		{
			ID:      "gzip/json-exponent",
			Chain:   "gzip+json",
			Story:   "A billion digits in eleven bytes, one layer down.",
			Costs:   "400 MB of integer in a big-number parser",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"json/exponent"},
			CWE:     []int{1176},
			Payload: in(forge.Bytes("1e999999999")),
		},
		{
			ID:      "gzip/json-number-100m",
			Chain:   "gzip+json",
			Story:   "One integer of 100 000 000 digits in 100 KB.",
			Costs:   "hours, where the time grows with the square of the digits",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"json/number-length"},
			CWE:     []int{409, 407},
			Large:   true,
			Payload: in(json.Integer(100_000_000)),
		},
		{
			ID:      "gzip/json-spaces-100m",
			Chain:   "gzip+json",
			Story:   "100 MiB of spaces in front of a small document: within every limit, and read in full by whoever looks for the first byte.",
			Costs:   "100 MiB of reading for 100 KB",
			Kind:    Hostile,
			Verdict: Clean,
			CWE:     []int{409},
			Large:   true,
			Payload: in(forge.Sequence{forge.Fill{Byte: ' ', N: 100 << 20}, document}),
		},
		{
			ID:      "gzip/json-objects-of-one",
			Chain:   "gzip+json",
			Story:   "4 000 000 objects of one member each in 40 KB.",
			Costs:   "1.5 GB of hash tables: 35 000 bytes of memory for every byte sent",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"json/decoded-size"},
			CWE:     []int{409, 770},
			Large:   true,
			Payload: repeats(`[{"":0}`, `,{"":0}`, 3_999_999, "]"),
		},
		{
			ID:      "gzip/json-depth-objects",
			Chain:   "gzip+json",
			Story:   "10 000 objects in arrays in objects in 120 bytes.",
			Costs:   "a stack frame for each",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"json/depth"},
			CWE:     []int{674},
			Payload: repeats("", `[{"":`, 10_000, ""),
		},
	}
}

// repeats returns a member around first, n times pattern, and last, at a ratio
// of up to 1032: what repeats takes two or three bits for 258 bytes. A pattern
// has 1 to 8 bytes.
func repeats(first, pattern string, n uint64, last string) forge.Gzip {
	// The distance symbols of 1 to 8 bytes (RFC 1951 section 3.2.5).
	distance := [...]uint{1: 0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 4, 7: 5, 8: 5}[len(pattern)]
	used := symbols(257, 285)
	for b := range uint(256) {
		if strings.Contains(first+pattern+last, string([]byte{byte(b)})) {
			used = append(used, b)
		}
	}
	codes := forge.CodesFor(used, []uint{distance})
	// Length 258 gets half of all bit patterns, so the others one bit more.
	for s, bits := range codes.LitLen {
		if bits > 0 {
			codes.LitLen[s]++
		}
	}
	codes.LitLen = append(codes.LitLen, 1)
	return forge.Gzip{Body: func(d *forge.Deflate) {
		d.Dynamic(forge.Final, codes)
		d.WriteString(first)
		d.Run([]byte(pattern), n*uint64(len(pattern)))
		d.WriteString(last)
		d.EndBlock()
	}}
}
