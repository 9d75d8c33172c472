package gzipcheck

import "github.com/harden-input/harden/rule"

// Rules lists every rule of this package, in the order of documentation. It is
// data: do not change it.
var Rules = []rule.Rule{
	isizeForged, isizeWrapped, crcMismatch, truncated, headerMalformed,
	deflateMalformed, decompressedSize, memberCount, headerSize, ratio,
	work, nameUnsafe, multiMember, bgzfNoEOF, trailingZeros, trailingGarbage,
}

const (
	rfcHeader  = "RFC 1952, section 2.3"
	rfcTrailer = "RFC 1952, section 2.3.1"
	rfcDeflate = "RFC 1951, section 3.2"
)

var (
	isizeForged = rule.Rule{
		ID: "gzip/isize-forged", Default: rule.Error, Kind: rule.Forged,
		Title: "a member's trailer declares a length that is not its length",
		Why: "ISIZE, the last four bytes of a member, is the sender's own statement. Readers that allocate by it " +
			"can be made to reserve 4 GiB by a file of thirty bytes; readers that stop at it hand on truncated " +
			"data as if it were whole.",
		Fix: "Refuse the payload. If it came from a writer you trust, the file is damaged: make it again. In your own " +
			"reader, never use ISIZE as a size or as an end; measure first, or read through a limit.",
		CWE:        []int{789, 130, 770},
		References: []string{rfcTrailer, "https://github.com/open-policy-agent/opa/pull/8132", "https://github.com/oven-sh/bun/pull/31522"},
	}
	isizeWrapped = rule.Rule{
		ID: "gzip/isize-wrapped", Default: rule.Warning, Kind: rule.Suspicious,
		Title: "a member is 4 GiB or longer, so ISIZE cannot tell its length",
		Why: "ISIZE holds the length modulo 2^32. A member of 4 GiB and 26 bytes says 26, truthfully. Readers that " +
			"take ISIZE for the length cut the data or pass a size check they should fail.",
		Fix:        "Check that every consumer counts what it inflates instead of reading ISIZE.",
		CWE:        []int{190},
		References: []string{rfcTrailer, "https://github.com/nodejs/node/issues/60809"},
	}
	crcMismatch = rule.Rule{
		ID: "gzip/crc-mismatch", Default: rule.Error, Kind: rule.Malformed,
		Title: "the content does not have the checksum that the trailer states",
		Why: "The bytes were damaged or changed after they were compressed. Readers that stop before the trailer, " +
			"because a length or a limit was reached, never notice.",
		Fix:        "Refuse the payload and fetch it again.",
		CWE:        []int{354},
		References: []string{rfcTrailer},
	}
	truncated = rule.Rule{
		ID: "gzip/truncated", Default: rule.Error, Kind: rule.Truncated, Stops: true,
		Title:      "the input ends inside a member",
		Why:        "A cut-off download looks like shorter data to readers that do not insist on the trailer.",
		Fix:        "Fetch the payload again; check that the writer closes its gzip stream.",
		CWE:        []int{1284},
		References: []string{rfcHeader},
	}
	headerMalformed = rule.Rule{
		ID: "gzip/header-malformed", Default: rule.Error, Kind: rule.Malformed, Stops: true,
		Title: "a member's header breaks RFC 1952",
		Why: "Wrong magic or method, reserved flags, or a header checksum that does not fit. Readers differ in " +
			"what they let pass here, so two of them can see different content in one file.",
		Fix:        "Refuse the payload.",
		CWE:        []int{20, 436},
		References: []string{rfcHeader},
	}
	deflateMalformed = rule.Rule{
		ID: "gzip/deflate-malformed", Default: rule.Error, Kind: rule.Malformed, Stops: true,
		Title: "the compressed data breaks RFC 1951",
		Why: "An impossible block type, code set, symbol, distance or stored length. Lenient or unchecked decoders " +
			"have read and written outside their buffers on such data.",
		Fix:        "Refuse the payload.",
		CWE:        []int{20, 119},
		References: []string{rfcDeflate},
	}
	decompressedSize = rule.Rule{
		ID: "gzip/decompressed-size", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: "gzip.max-decompressed-size",
		Title: "the content is longer than allowed",
		Why: "DEFLATE reaches 1032 bytes of output for one of input, so a megabyte can fill a gigabyte of memory or " +
			"disk: a decompression bomb.",
		Fix:        "Refuse the payload, or raise gzip.max-decompressed-size to what the consumer can really hold.",
		CWE:        []int{409},
		References: []string{"https://cwe.mitre.org/data/definitions/409.html"},
	}
	memberCount = rule.Rule{
		ID: "gzip/members", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: "gzip.max-members",
		Title: "the payload has more members than allowed",
		Why: "Twenty bytes make an empty member. Readers that recurse for each member have exhausted their stack; " +
			"others spend CPU time without producing a byte that a size limit could count.",
		Fix:        "Refuse the payload, or raise gzip.max-members for formats such as BGZF that have many by design.",
		CWE:        []int{674, 400},
		References: []string{"CVE-2022-30631"},
	}
	headerSize = rule.Rule{
		ID: "gzip/header-size", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: "gzip.max-header-size",
		Title: "the optional header fields of a member are longer than allowed",
		Why: "FNAME and FCOMMENT have no length field: a reader that keeps them can be fed for ever. Readers also " +
			"disagree on how much they accept, which lets one pass what another refuses.",
		Fix:        "Refuse the payload, or raise gzip.max-header-size.",
		CWE:        []int{770},
		References: []string{rfcHeader},
	}
	ratio = rule.Rule{
		ID: "gzip/ratio", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: "gzip.max-ratio",
		Title: "the content is larger, for the size of the input, than allowed",
		Why: "Proxies use the ratio as a sign of a bomb. It is off by default: honest logs and sparse files reach " +
			"several hundred, and a size limit protects better.",
		Fix:        "Prefer gzip.max-decompressed-size; raise gzip.max-ratio where honest data is refused.",
		CWE:        []int{409},
		References: []string{"CVE-2022-29225", "CVE-2014-0118"},
	}
	work = rule.Rule{
		ID: "gzip/work", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: "gzip.max-work",
		Title: "the payload costs more CPU time than its output can justify",
		Why: "Every dynamic block makes the decoder build code tables, whether or not it holds data. A stream of " +
			"empty blocks keeps common decoders below 10 MB/s of input while no output limit ever counts a byte.",
		Fix:        "Refuse the payload, or raise gzip.max-work where a writer you trust flushes all the time.",
		CWE:        []int{400, 407},
		References: []string{rfcDeflate},
	}
	nameUnsafe = rule.Rule{
		ID: "gzip/name-unsafe", Default: rule.Warning, Kind: rule.Suspicious,
		Title: "the stored file name or comment is unsafe to use or to print",
		Why: "Tools that restore FNAME can be led to another folder, tools that print it can be made to send control " +
			"sequences to a terminal.",
		Fix:        "Name the output yourself; never use or print FNAME and FCOMMENT unescaped.",
		CWE:        []int{22, 150},
		References: []string{rfcHeader},
	}
	multiMember = rule.Rule{
		ID: "gzip/multi-member", Default: rule.Note, Kind: rule.Suspicious,
		Title: "the payload has more than one member",
		Why: "Legal, and common in logs. The trailer at the end of the file covers the last member only, and some " +
			"readers stop after the first: a check and its consumer can see different content.",
		Fix:        "Make sure that the consumer reads all members. Refuse them where one member is all you expect.",
		CWE:        []int{436},
		References: []string{"RFC 1952, section 2.2"},
	}
	bgzfNoEOF = rule.Rule{
		ID: "gzip/bgzf-no-eof", Default: rule.Warning, Kind: rule.Suspicious,
		Title:      "BGZF members without the empty member that ends a BGZF file",
		Why:        "Every BGZF writer ends with an empty member. Without it the file was probably cut at a member's end.",
		Fix:        "Fetch or make the file again.",
		CWE:        []int{1284},
		References: []string{"SAM/BAM format specification, section 4.1.2"},
	}
	trailingZeros = rule.Rule{
		ID: "gzip/trailing-zeros", Default: rule.Warning, Kind: rule.Suspicious,
		Title: "zero bytes follow the last member to the end of the input",
		Why: "Padding from tapes and block devices. Some readers ignore it, others refuse the whole file, and ISIZE " +
			"read from the file's last four bytes is zero.",
		Fix:        "Cut the padding off.",
		CWE:        []int{436},
		References: []string{"RFC 1952, section 2.2"},
	}
	trailingGarbage = rule.Rule{
		ID: "gzip/trailing-garbage", Default: rule.Error, Kind: rule.Malformed, Stops: true,
		Title: "something that is not a member follows a member",
		Why: "Readers ignore it, warn, or fail, so what is hidden there reaches some consumers and not others; zeros " +
			"followed by another member make two readers see different content.",
		Fix:        "Refuse the payload.",
		CWE:        []int{436, 20},
		References: []string{"RFC 1952, section 2.2"},
	}
)
