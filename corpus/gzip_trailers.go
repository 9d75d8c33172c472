package corpus

import "github.com/harden-input/harden/internal/forge"

// greeting is content that is neither JSON nor MessagePack.
const greeting = "hello, world\n"

const (
	rfc1952 = "https://www.rfc-editor.org/rfc/rfc1952"
	rfc1951 = "https://www.rfc-editor.org/rfc/rfc1951"
	opa8132 = "https://github.com/open-policy-agent/opa/pull/8132"
)

// claims returns a trailer change that sets ISIZE.
func claims(isize uint32) func(*forge.Trailer) {
	return func(t *forge.Trailer) { t.ISIZE = isize }
}

// misses returns a trailer change that leaves out the last n bytes.
func misses(n int) func(*forge.Trailer) {
	return func(t *forge.Trailer) { t.Missing = n }
}

// gzipTrailers are members whose trailer does not tell the truth, or not all of it.
func gzipTrailers() []Case {
	return []Case{
		{
			ID:         "gzip/isize-4g",
			Story:      "13 bytes of text whose trailer claims the largest size it can: readers that allocate what ISIZE says fall over before they read a byte.",
			Declares:   "4294967295 bytes",
			Costs:      "4 GiB of memory for 33 bytes",
			Kind:       Hostile,
			Verdict:    Rejected,
			Rules:      []string{"gzip/isize-forged"},
			CWE:        []int{789, 130},
			References: []string{opa8132},
			Payload:    forge.Gzip{Body: forge.Text(greeting), Trailer: claims(0xffffffff)},
		},
		{
			ID:         "gzip/isize-512m",
			Story:      "A claim that stays just within a server's limit of 512 MiB, so that comparing ISIZE with the limit does not help.",
			Declares:   "536870912 bytes",
			Costs:      "512 MiB of memory for each request",
			Kind:       Hostile,
			Verdict:    Rejected,
			Rules:      []string{"gzip/isize-forged"},
			CWE:        []int{789, 130},
			References: []string{opa8132},
			Payload:    forge.Gzip{Body: forge.Text(greeting), Trailer: claims(512 << 20)},
		},
		{
			ID:       "gzip/isize-zero",
			Story:    "The trailer claims nothing: a reader that takes ISIZE bytes and stops sees an empty body, and what it forwards is another.",
			Declares: "0 bytes",
			Costs:    "13 bytes that no check of the declared content has seen",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"gzip/isize-forged"},
			CWE:      []int{130, 436},
			Payload:  forge.Gzip{Body: forge.Text(greeting), Trailer: claims(0)},
		},
		{
			ID:       "gzip/isize-short",
			Story:    "The trailer claims 5 of 13 bytes: the content is cut where a reader believes it.",
			Declares: "5 bytes",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"gzip/isize-forged"},
			CWE:      []int{130, 436},
			Payload:  forge.Gzip{Body: forge.Text(greeting), Trailer: claims(5)},
		},
		{
			ID:       "gzip/isize-plausible",
			Story:    "The largest claim that deflate could keep in a body of this size, 1032 times its length: nothing but counting tells that it is a lie.",
			Declares: "15480 bytes",
			Costs:    "15 KB, and as much for every byte of a longer one",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"gzip/isize-forged"},
			CWE:      []int{789, 130},
			Payload:  forge.Gzip{Body: forge.Text(greeting), Trailer: claims(15 * 1032)},
		},
		{
			ID:       "gzip/isize-negative",
			Story:    "2 GiB, which is negative to whoever reads ISIZE as a signed number: a check against a limit passes, and an allocation panics.",
			Declares: "2147483648 bytes",
			Costs:    "the process",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"gzip/isize-forged"},
			CWE:      []int{195, 130},
			Payload:  forge.Gzip{Body: forge.Text(greeting), Trailer: claims(1 << 31)},
		},
		{
			ID:       "gzip/isize-first-member",
			Story:    "Two members, and only the trailer of the first lies: those who read the last 4 bytes never see it.",
			Declares: "4294967295 bytes in the first trailer",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"gzip/isize-forged", "gzip/multi-member"},
			CWE:      []int{130},
			Payload: forge.Sequence{
				forge.Gzip{Body: forge.Text(greeting), Trailer: claims(0xffffffff)},
				forge.Gzip{Body: forge.Text(greeting)},
			},
		},
		{
			ID:       "gzip/isize-sum",
			Story:    "The last of two trailers states the length of both, as a writer may think it should.",
			Declares: "26 bytes",
			Kind:     Malformed,
			Verdict:  Rejected,
			Rules:    []string{"gzip/isize-forged", "gzip/multi-member"},
			CWE:      []int{130},
			Payload: forge.Sequence{
				forge.Gzip{Body: forge.Text(greeting)},
				forge.Gzip{Body: forge.Text(greeting), Trailer: claims(2 * uint32(len(greeting)))},
			},
		},
		{
			ID:       "gzip/isize-of-nothing",
			Story:    "A member around nothing that claims 1 MiB.",
			Declares: "1048576 bytes",
			Costs:    "1 MiB for 20 bytes",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"gzip/isize-forged"},
			CWE:      []int{789, 130},
			Payload:  forge.Gzip{Trailer: claims(1 << 20)},
		},
		{
			ID:       "gzip/isize-one-more",
			Story:    "ISIZE is one too large, the lie that an estimate cannot see.",
			Declares: "14 bytes",
			Kind:     Malformed,
			Verdict:  Rejected,
			Rules:    []string{"gzip/isize-forged"},
			CWE:      []int{130},
			Payload:  forge.Gzip{Body: forge.Text(greeting), Trailer: claims(uint32(len(greeting)) + 1)},
		},
		{
			ID:       "gzip/isize-second-member",
			Story:    "Two members, and only the trailer of the second lies. Readers that look at the first member only never see it; readers that look at the last 4 bytes believe it.",
			Declares: "4294967295 bytes in the second trailer",
			Costs:    "4 GiB of memory",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"gzip/isize-forged", "gzip/multi-member"},
			CWE:      []int{789, 130},
			Payload: forge.Sequence{
				forge.Gzip{Body: forge.Text(greeting)},
				forge.Gzip{Body: forge.Text(greeting), Trailer: claims(0xffffffff)},
			},
		},
		{
			ID:       "gzip/isize-of-bomb",
			Story:    "64 MiB of zeros that claim to be 10 bytes, for those who refuse bombs by what their trailer says.",
			Declares: "10 bytes",
			Costs:    "64 MiB",
			Kind:     Hostile,
			Verdict:  Rejected,
			Rules:    []string{"gzip/isize-forged"},
			CWE:      []int{409, 130},
			Large:    true,
			Payload:  forge.Bomb(64<<20, 10),
		},
		{
			ID:         "gzip/isize-wrapped",
			Story:      "4 GiB and 26 bytes of zeros. ISIZE counts modulo 2^32, so the trailer is true and says 26.",
			Declares:   "26 bytes",
			Costs:      "4 GiB",
			Kind:       Hostile,
			Verdict:    Rejected,
			Rules:      []string{"gzip/decompressed-size"},
			CWE:        []int{409},
			References: []string{rfc1952 + "#section-2.3.1"},
			Large:      true,
			Payload:    forge.Gzip{Body: forge.Zeros(4<<30 + 26)},
		},
		{
			ID:      "gzip/crc-wrong",
			Story:   "The content was changed, the length was not.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/crc-mismatch"},
			CWE:     []int{354},
			Payload: forge.Gzip{Body: forge.Text(greeting), Trailer: func(t *forge.Trailer) { t.CRC ^= 1 }},
		},
		{
			ID:      "gzip/crc-second-member",
			Story:   "Only the second member's CRC is wrong: readers of one member accept the file.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/crc-mismatch", "gzip/multi-member"},
			CWE:     []int{354},
			Payload: forge.Sequence{
				forge.Gzip{Body: forge.Text(greeting)},
				forge.Gzip{Body: forge.Text(greeting), Trailer: func(t *forge.Trailer) { t.CRC ^= 1 }},
			},
		},
		{
			ID:      "gzip/trailer-missing",
			Story:   "All of the content and nothing after it. Streaming readers have delivered everything before they notice.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/truncated"},
			CWE:     []int{354},
			Payload: forge.Gzip{Body: forge.Text(greeting), Trailer: misses(8)},
		},
		{
			ID:      "gzip/trailer-without-isize",
			Story:   "The trailer ends after the CRC: the last 4 bytes of the file, taken for ISIZE, are the CRC.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/truncated"},
			CWE:     []int{130, 354},
			Payload: forge.Gzip{Body: forge.Text(greeting), Trailer: misses(4)},
		},
		{
			ID:      "gzip/trailer-one-byte-short",
			Story:   "One byte is missing at the very end.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/truncated"},
			CWE:     []int{354},
			Payload: forge.Gzip{Body: forge.Text(greeting), Trailer: misses(1)},
		},
		{
			ID:      "gzip/trailing-garbage",
			Story:   "Text after the member. Some tools warn, some refuse, some do not see it: a place to hide bytes from one of two readers.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/trailing-garbage"},
			CWE:     []int{436},
			Payload: forge.Sequence{forge.Gzip{Body: forge.Text(greeting)}, forge.Bytes("trailing")},
		},
		{
			ID:      "gzip/trailing-half-magic",
			Story:   "A single 1f after the member: the first byte of another one, or garbage that looks like it.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/truncated"},
			Payload: forge.Sequence{forge.Gzip{Body: forge.Text(greeting)}, forge.Bytes{0x1f}},
		},
		{
			ID:      "gzip/trailing-newline",
			Story:   "A line break after the member, as a text-mode transfer leaves it.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/trailing-garbage"},
			Payload: forge.Sequence{forge.Gzip{Body: forge.Text(greeting)}, forge.Bytes("\n")},
		},
		{
			ID:      "gzip/trailing-zero-then-text",
			Story:   "Zeros, then text: padding to one reader, garbage to another.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/trailing-garbage"},
			CWE:     []int{436},
			Payload: forge.Sequence{forge.Gzip{Body: forge.Text(greeting)}, forge.Fill{Byte: 0, N: 100}, forge.Bytes("x")},
		},
		{
			ID:      "gzip/trailing-member-header",
			Story:   "A second member that has a header and nothing else.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/multi-member", "gzip/truncated"},
			Payload: forge.Sequence{forge.Gzip{Body: forge.Text(greeting)}, forge.Head{Payload: forge.Gzip{}, N: 10}},
		},
		{
			ID:      "gzip/trailing-zeros",
			Story:   "Padded with zeros to a block of 512 bytes, as tapes and some stores do. gzip and zlib accept it, Go's reader does not.",
			Kind:    Benign,
			Verdict: Clean,
			Rules:   []string{"gzip/trailing-zeros"},
			CWE:     []int{436},
			Payload: forge.Sequence{forge.Gzip{Body: forge.Text(greeting)}, forge.Fill{Byte: 0, N: 512 - 33}},
		},
		{
			ID:      "gzip/zeros-between-members",
			Story:   "Zeros, then another member. Readers disagree on whether the second one is content.",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"gzip/trailing-garbage"},
			CWE:     []int{436},
			Payload: forge.Sequence{
				forge.Gzip{Body: forge.Text(greeting)},
				forge.Fill{Byte: 0, N: 16},
				forge.Gzip{Body: forge.Text("hidden\n")},
			},
		},
	}
}
