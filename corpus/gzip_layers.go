package corpus

import (
	"io"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/forge/json"
	"github.com/harden-input/harden/internal/forge/msgpack"
)

// in returns content in one gzip layer, runs shortened.
func in(content io.WriterTo) forge.Gzip { return forge.Gzip{Body: forge.Runs(content)} }

// gzipLayers are gzip around JSON, MessagePack and gzip.
func gzipLayers() []Case {
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
			ID:      "gzip/msgpack",
			Chain:   "gzip+msgpack",
			Story:   "An honest map in an honest member.",
			Kind:    Benign,
			Verdict: Clean,
			Payload: in(msgpack.Map(msgpack.Str("greeting"), msgpack.Str("hello"))),
		},
		{
			ID:       "gzip/msgpack-array-4g",
			Chain:    "gzip+msgpack",
			Story:    "Five bytes that promise 4 294 967 295 values, one layer down.",
			Declares: "4294967295 values",
			Costs:    "64 GiB where the decoder allocates what is promised",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"msgpack/header-oversized"},
			CWE:      []int{789},
			Payload:  in(msgpack.Array32.Of(0xffffffff)),
		},
		{
			ID:       "gzip/msgpack-nested-promises",
			Chain:    "gzip+msgpack",
			Story:    "1000 nested headers that promise 65535 values each, and 65535 values: every header could be kept alone, together they cannot.",
			Declares: "65 535 000 values in 68 535 bytes",
			Costs:    "1 GB where every header is checked on its own",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"msgpack/header-oversized"},
			CWE:      []int{789},
			Payload: in(forge.Sequence{
				forge.Repeat{Payload: msgpack.Array16.Of(65535), N: 1000},
				forge.Repeat{Payload: msgpack.Nil, N: 65535},
			}),
		},
		{
			ID:      "gzip/msgpack-nil-10m",
			Chain:   "gzip+msgpack",
			Story:   "10 000 000 honest nils in less than 100 KB of gzip: the array itself, without any content, is 160 MB.",
			Costs:   "16 bytes of memory for each",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"msgpack/values"},
			CWE:     []int{409, 770},
			Large:   true,
			Payload: in(forge.Sequence{
				msgpack.Array32.Of(10_000_000),
				forge.Repeat{Payload: msgpack.Nil, N: 10_000_000},
			}),
		},
		{
			ID:      "gzip/layers-two",
			Chain:   "gzip+gzip",
			Story:   "A member in a member, as a proxy makes it that compresses a .gz download.",
			Kind:    Benign,
			Verdict: Clean,
			Payload: in(in(forge.Bytes(greeting))),
		},
		{
			ID:      "gzip/layers-three",
			Chain:   "gzip+gzip+gzip",
			Story:   "One layer more than the default allows.",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"input/layers"},
			CWE:     []int{409, 674},
			Payload: in(in(in(forge.Bytes(greeting)))),
		},
		{
			ID:      "gzip/layers-bomb-1g",
			Chain:   "gzip+gzip",
			Story:   "1 GiB in two layers: 1 MB in the outer one, about 1200 bytes on the wire. Every layer multiplies the ratio by a thousand.",
			Costs:   "1 GiB for readers that open layer after layer",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"gzip/decompressed-size"},
			CWE:     []int{409},
			Payload: in(forge.Gzip{Body: forge.Zeros(1 << 30)}),
		},
		{
			ID:      "gzip/layers-sixteen",
			Chain:   "gzip+gzip+gzip+gzip+gzip+gzip+gzip+gzip+gzip+gzip+gzip+gzip+gzip+gzip+gzip+gzip",
			Story:   "Sixteen members in one another: Content-Encoding chains of this length were accepted by HTTP clients.",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"input/layers"},
			CWE:     []int{674},
			References: []string{
				"https://nvd.nist.gov/vuln/detail/CVE-2025-66418",
				"https://nvd.nist.gov/vuln/detail/CVE-2026-22036",
			},
			Payload: manyLayers(16),
		},
	}
}

// manyLayers returns text in n members around one another.
func manyLayers(n int) io.WriterTo {
	var content io.WriterTo = forge.Bytes(greeting)
	for range n {
		content = forge.Gzip{Body: forge.Literals(content)}
	}
	return content
}
