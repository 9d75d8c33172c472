package corpus

import "github.com/harden-input/harden/internal/forge"

const samSpec = "https://samtools.github.io/hts-specs/SAMv1.pdf"

// gzipMembers are files of several members.
func gzipMembers() []Case {
	one := forge.Gzip{Body: forge.Text(greeting)}
	return []Case{
		{
			ID:       "gzip/members-two",
			Story:    "Two members are one stream (RFC 1952 section 2.2), but the trailer at the end counts the second only.",
			Declares: "13 of 26 bytes in the last trailer",
			Kind:     Benign,
			Verdict:  Clean,
			Rules:    []string{"gzip/multi-member"},
			Payload:  forge.Sequence{one, one},
		},
		{
			ID:       "gzip/member-empty-last",
			Story:    "An empty member at the end hides the size of all others from whoever reads the last 4 bytes.",
			Declares: "0 bytes in the last trailer",
			Kind:     Hostile,
			Verdict:  Clean,
			Rules:    []string{"gzip/multi-member"},
			CWE:      []int{130},
			Payload:  forge.Sequence{one, forge.Gzip{}},
		},
		{
			ID:      "gzip/member-empty-first",
			Story:   "An empty member in front, as a writer leaves it that flushes before it writes.",
			Kind:    Benign,
			Verdict: Clean,
			Rules:   []string{"gzip/multi-member"},
			Payload: forge.Sequence{forge.Gzip{}, one},
		},
		{
			ID:      "gzip/members-of-every-header",
			Story:   "Three members with different optional fields: concatenated files keep their names.",
			Kind:    Benign,
			Verdict: Clean,
			Rules:   []string{"gzip/multi-member"},
			Payload: forge.Sequence{
				forge.Gzip{Name: "a.txt", Body: forge.Text(greeting)},
				forge.Gzip{Comment: "the second", HeaderCRC: true, Body: forge.Text(greeting)},
				one,
			},
		},
		{
			ID:      "gzip/member-second-broken",
			Story:   "The second of two members has a block type that is reserved: what is before it has been delivered.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/deflate-malformed", "gzip/multi-member"},
			Payload: forge.Sequence{one, forge.Gzip{Body: func(d *forge.Deflate) { d.BlockHeader(forge.Final, forge.BlockReserved) }}},
		},
		{
			ID:      "gzip/member-second-method",
			Story:   "The second of two members names compression method 9.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/header-malformed"},
			Payload: forge.Sequence{one, forge.Gzip{Method: 9, Body: forge.Text(greeting)}},
		},
		{
			ID:         "gzip/bgzf-1000",
			Story:      "A thousand blocks of blocked gzip and its empty last member: many members are no attack.",
			Kind:       Benign,
			Verdict:    Clean,
			Rules:      []string{"gzip/multi-member"},
			References: []string{samSpec},
			Large:      true,
			Payload:    forge.Sequence{forge.Repeat{Payload: forge.BGZF(forge.Text(greeting), 0), N: 1000}, forge.BGZFEnd()},
		},
		{
			ID:      "gzip/member-second-cut",
			Story:   "The second of two members ends in its content; readers of one member are content.",
			Kind:    Malformed,
			Verdict: Rejected,
			Rules:   []string{"gzip/multi-member", "gzip/truncated"},
			Payload: forge.Sequence{one, forge.Head{Payload: one, N: 15}},
		},
		{
			ID:      "gzip/member-reaches-back",
			Story:   "The second member's first match points into the first member. A decoder that keeps its window across members leaks what was there.",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"gzip/deflate-malformed", "gzip/multi-member"},
			CWE:     []int{125},
			Payload: forge.Sequence{one, forge.Gzip{Body: func(d *forge.Deflate) {
				d.Fixed(forge.Final)
				d.Match(5, 13)
				d.EndBlock()
			}}},
		},
		{
			ID:         "gzip/members-empty-50k",
			Story:      "50 000 members around nothing: 1 MB that inflates to 0 bytes. Recursive readers ran out of stack; this many stay within the default budget for work.",
			Costs:      "a header parsed and a trailer checked for every 20 bytes",
			Kind:       Hostile,
			Verdict:    Clean,
			Rules:      []string{"gzip/multi-member"},
			CWE:        []int{674, 400},
			References: []string{"https://nvd.nist.gov/vuln/detail/CVE-2022-30631"},
			Large:      true,
			Payload:    forge.Repeat{Payload: forge.Gzip{}, N: 50_000},
		},
		{
			ID:         "gzip/members-empty-100k",
			Story:      "100 000 members around nothing: no limit on the output ever fires.",
			Costs:      "a header parsed and a trailer checked for every 20 bytes",
			Kind:       Hostile,
			Verdict:    Rejected,
			Rules:      []string{"gzip/multi-member", "gzip/work"},
			CWE:        []int{674, 400},
			References: []string{"https://nvd.nist.gov/vuln/detail/CVE-2022-30631"},
			Large:      true,
			Payload:    forge.Repeat{Payload: forge.Gzip{}, N: 100_000},
		},
		{
			ID:      "gzip/members-limit",
			Story:   "262145 members of 16 bytes, one more than the default allows.",
			Kind:    Hostile,
			Verdict: Rejected,
			Rules:   []string{"gzip/members", "gzip/multi-member"},
			CWE:     []int{770},
			Large:   true,
			Payload: forge.Repeat{Payload: forge.Gzip{Body: forge.Text("sixteen bytes..\n")}, N: 262_145},
		},
		{
			ID:         "gzip/bgzf",
			Story:      "Blocked gzip as genomics uses it: members that state their own length, and an empty one at the end.",
			Kind:       Benign,
			Verdict:    Clean,
			Rules:      []string{"gzip/multi-member"},
			References: []string{samSpec},
			Payload:    forge.Sequence{forge.BGZF(forge.Text(greeting), 0), forge.BGZF(forge.Text(greeting), 0), forge.BGZFEnd()},
		},
		{
			ID:         "gzip/bgzf-no-eof",
			Story:      "Blocked gzip without its empty last member: a transfer was probably cut between two blocks.",
			Kind:       Malformed,
			Verdict:    Clean,
			Rules:      []string{"gzip/bgzf-no-eof", "gzip/multi-member"},
			References: []string{samSpec},
			Payload:    forge.Sequence{forge.BGZF(forge.Text(greeting), 0), forge.BGZF(forge.Text(greeting), 0)},
		},
		{
			ID:         "gzip/bgzf-bsize-wrong",
			Story:      "A block states one byte more than it has: readers that jump by BSIZE lose their way, all others see an honest file.",
			Declares:   "one byte more than the member has",
			Kind:       Malformed,
			Verdict:    Clean,
			Rules:      []string{"gzip/multi-member"},
			CWE:        []int{130},
			References: []string{samSpec},
			Payload:    forge.Sequence{forge.BGZF(forge.Text(greeting), 1), forge.BGZFEnd()},
		},
	}
}
