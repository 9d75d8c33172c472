package corpus

import (
	"io"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/forge/msgpack"
)

// in returns content in one gzip layer, runs shortened.
func in(content io.WriterTo) forge.Gzip { return forge.Gzip{Body: forge.Runs(content)} }

// gzipLayers are gzip in gzip.
func gzipLayers() []Case {
	return []Case{
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
		{
			ID:      "gzip/layers-json",
			Chain:   "gzip+gzip+json",
			Story:   "A document in two layers, as the default allows.",
			Kind:    Benign,
			Verdict: Clean,
			Payload: in(in(forge.Bytes(`{"greeting":"hello"}`))),
		},
		{
			ID:      "gzip/layers-json-depth",
			Chain:   "gzip+gzip+json",
			Story:   "10 000 000 opening brackets, two layers down: 10 MB, 10 KB, 150 bytes.",
			Costs:   "a stack frame for each bracket",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"json/depth"},
			CWE:     []int{674, 409},
			Payload: in(in(forge.Fill{Byte: '[', N: 10_000_000})),
		},
		{
			ID:       "gzip/layers-msgpack-array-4g",
			Chain:    "gzip+gzip+msgpack",
			Story:    "Five bytes that promise 4 294 967 295 values, two layers down, where no length is known that they could be compared with.",
			Declares: "4294967295 values",
			Costs:    "64 GiB where the decoder allocates what is promised",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"msgpack/array-length"},
			CWE:      []int{789},
			Payload:  in(in(msgpack.Array32.Of(0xffffffff))),
		},
		{
			ID:       "gzip/layers-isize-inside",
			Chain:    "gzip+gzip",
			Story:    "An honest member around one whose trailer claims 4 GiB.",
			Declares: "4294967295 bytes in the inner trailer",
			Costs:    "4 GiB of memory",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"gzip/isize-forged"},
			CWE:      []int{789, 130},
			Payload:  in(forge.Gzip{Body: forge.Text(greeting), Trailer: claims(0xffffffff)}),
		},
		{
			ID:      "gzip/layers-crc-inside",
			Chain:   "gzip+gzip",
			Story:   "An honest member around one whose CRC is wrong.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/crc-mismatch"},
			CWE:     []int{354},
			Payload: in(forge.Gzip{Body: forge.Text(greeting), Trailer: func(t *forge.Trailer) { t.CRC ^= 1 }}),
		},
		{
			ID:      "gzip/layers-cut-inside",
			Chain:   "gzip+gzip",
			Story:   "An honest member around one that was cut: a download that broke off and was compressed.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/truncated"},
			Payload: in(forge.Gzip{Body: forge.Text(greeting), Trailer: misses(5)}),
		},
		{
			ID:      "gzip/layers-nothing",
			Chain:   "gzip+gzip",
			Story:   "A member around a member around nothing.",
			Kind:    Benign,
			Verdict: Clean,
			Payload: in(forge.Gzip{}),
		},
		{
			ID:      "gzip/layers-members-inside",
			Chain:   "gzip+gzip",
			Story:   "A member around two members.",
			Kind:    Benign,
			Verdict: Clean,
			Rules:   []string{"gzip/multi-member"},
			Payload: in(forge.Sequence{forge.Gzip{Body: forge.Text(greeting)}, forge.Gzip{Body: forge.Text(greeting)}}),
		},
		{
			ID:      "gzip/layers-blocks-inside",
			Chain:   "gzip+gzip",
			Story:   "100 000 dynamic blocks around nothing, one layer down.",
			Costs:   "two Huffman tables for every 11 bytes of the inner layer",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"gzip/work"},
			CWE:     []int{400, 407},
			Large:   true,
			Payload: in(forge.Gzip{Body: blocks(100_000, emptyDynamic)}),
		},
		{
			ID:      "gzip/layers-names-inside",
			Chain:   "gzip+gzip",
			Story:   "A path as the file name of the inner member, for tools that unpack all the way.",
			Kind:    Hostile,
			Verdict: Clean,
			Rules:   []string{"gzip/name-unsafe"},
			CWE:     []int{22},
			Payload: in(forge.Gzip{Name: "../../evil", Body: forge.Text(greeting)}),
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
