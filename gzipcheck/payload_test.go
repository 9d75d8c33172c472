package gzipcheck

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/rule"
)

// A payloadCase is a payload and what every entry point must say of it under
// the default limits.
type payloadCase struct {
	name    string
	payload io.WriterTo
	rules   []string // in order of the input
	offset  int64    // of the first
	length  uint64   // decompressed, where the payload is complete
	text    string   // part of the first violation's error
}

func member(content string) forge.Gzip { return forge.Gzip{Body: forge.Text(content)} }

func isize(n uint32) func(*forge.Trailer) { return func(t *forge.Trailer) { t.ISIZE = n } }

// payloadCases are payloads without limits in play, but for the defaults.
func payloadCases() []payloadCase {
	hello := member("hello")
	return []payloadCase{
		{name: "one member", payload: hello, length: 5},
		{name: "empty member", payload: forge.Gzip{}, length: 0},
		{name: "stored block", payload: forge.Gzip{Body: forge.StoredBlocks([]byte("stored"))}, length: 6},
		{name: "two members", payload: forge.Sequence{hello, member("world!")}, length: 11,
			rules: []string{"gzip/multi-member"}, offset: 25},
		{name: "member and an empty member that hides its size", payload: forge.Sequence{hello, forge.Gzip{}}, length: 5,
			rules: []string{"gzip/multi-member"}, offset: 25},

		{name: "ISIZE zero", payload: forge.Gzip{Body: forge.Text("hello"), Trailer: isize(0)}, length: 5,
			rules: []string{"gzip/isize-forged"}, offset: 21,
			text: "gzip/isize-forged at byte 21: trailer declares 0 bytes, member holds 5"},
		{name: "ISIZE 4 GiB", payload: forge.Gzip{Body: forge.Text("hello"), Trailer: isize(math.MaxUint32)}, length: 5,
			rules: []string{"gzip/isize-forged"}, offset: 21, text: "trailer declares 4294967295 bytes, member holds 5"},
		{name: "ISIZE of the second member only", length: 10,
			payload: forge.Sequence{hello, forge.Gzip{Body: forge.Text("world"), Trailer: isize(6)}},
			rules:   []string{"gzip/multi-member", "gzip/isize-forged"}, offset: 25},
		{name: "ISIZE is the length of both members", length: 10,
			payload: forge.Sequence{hello, forge.Gzip{Body: forge.Text("world"), Trailer: isize(10)}},
			rules:   []string{"gzip/multi-member", "gzip/isize-forged"}, offset: 25},

		{name: "nothing", payload: forge.Bytes(nil), rules: []string{"gzip/truncated"}},
		{name: "one byte", payload: forge.Bytes{0x1f}, rules: []string{"gzip/truncated"}, offset: 1},
		{name: "magic only", payload: forge.Bytes{0x1f, 0x8b}, rules: []string{"gzip/truncated"}, offset: 2},
		{name: "header only", payload: forge.Head{Payload: hello, N: 10}, rules: []string{"gzip/truncated"}, offset: 10},
		{name: "cut in the body", payload: forge.Head{Payload: hello, N: 13}, rules: []string{"gzip/truncated"}, offset: 13,
			text: "input ends inside a member's compressed data"},
		{name: "no trailer", payload: forge.Head{Payload: hello, N: 17}, rules: []string{"gzip/truncated"}, offset: 17,
			text: "input ends inside a member's trailer"},
		{name: "half a trailer", payload: forge.Head{Payload: hello, N: 21}, rules: []string{"gzip/truncated"}, offset: 21},
		{name: "second member cut after its first byte", payload: forge.Sequence{hello, forge.Bytes{0x1f}},
			rules: []string{"gzip/truncated"}, offset: 26},
		{name: "FNAME without end", payload: forge.Head{Payload: forge.Gzip{Name: "a.txt"}, N: 15},
			rules: []string{"gzip/truncated"}, offset: 15, text: "inside a member's header"},

		{name: "not gzip", payload: forge.Bytes("hello"), rules: []string{"gzip/header-malformed"}, offset: 0,
			text: "byte 68 where gzip's magic 1f 8b should be"},
		{name: "compress's magic", payload: forge.Bytes{0x1f, 0x9d, 0x90}, rules: []string{"gzip/header-malformed"}, offset: 1},
		{name: "method 7", payload: forge.Gzip{Method: 7}, rules: []string{"gzip/header-malformed"}, offset: 2,
			text: "compression method 07, only 08 (deflate) exists"},
		{name: "reserved flag 0x20", payload: forge.Gzip{ReservedFlags: 0x20}, rules: []string{"gzip/header-malformed"}, offset: 3},
		{name: "reserved flag 0x80", payload: forge.Gzip{ReservedFlags: 0x80}, rules: []string{"gzip/header-malformed"}, offset: 3},
		{name: "FHCRC", payload: forge.Gzip{HeaderCRC: true, Name: "a"}},
		{name: "FHCRC over every field", payload: forge.Gzip{HeaderCRC: true, Name: "a", Comment: "b", RawExtra: []byte("xyz")}},
		{name: "wrong FHCRC", payload: forge.Gzip{WrongHeaderCRC: true, Name: "a"}, rules: []string{"gzip/header-malformed"}, offset: 12},
		{name: "reserved flags in the second member", payload: forge.Sequence{hello, forge.Gzip{ReservedFlags: 0x40}},
			rules: []string{"gzip/header-malformed"}, offset: 28},
		{name: "extreme but legal header", payload: forge.Gzip{Text: true, ModTime: math.MaxUint32, ExtraFlags: 255, OS: 255}},
		{name: "FEXTRA of 65535 bytes", payload: forge.Gzip{RawExtra: make([]byte, 65535)}},

		{name: "plain name", payload: forge.Gzip{Name: "report.txt"}},
		{name: "Japanese name in UTF-8", payload: forge.Gzip{Name: "報告.txt"}},
		{name: "Latin-1 name", payload: forge.Gzip{Name: "caf\xe9.txt"}},
		{name: "two dots inside a name", payload: forge.Gzip{Name: "a..b"}},
		{name: "comment with a link", payload: forge.Gzip{Comment: "from https://example.org/"}},
		{name: "name that climbs", payload: forge.Gzip{Name: "../../etc/passwd"}, rules: []string{"gzip/name-unsafe"}, offset: 10},
		{name: "name that is the parent folder", payload: forge.Gzip{Name: ".."}, rules: []string{"gzip/name-unsafe"}, offset: 10},
		{name: "name with a backslash", payload: forge.Gzip{Name: `a\b`}, rules: []string{"gzip/name-unsafe"}, offset: 10},
		{name: "name that colours a terminal", payload: forge.Gzip{Name: "a\x1b[31m"}, rules: []string{"gzip/name-unsafe"},
			offset: 10, text: `a\x1b[31m`},
		{name: "name with a Latin-1 control", payload: forge.Gzip{Name: "a\x9b31m"}, rules: []string{"gzip/name-unsafe"}, offset: 10},
		{name: "name that writes backwards", payload: forge.Gzip{Name: "a\u202etxt.exe"}, rules: []string{"gzip/name-unsafe"},
			offset: 10, text: `a\u{202e}txt.exe`},
		{name: "comment with a line feed", payload: forge.Gzip{Name: "a", Comment: "x\ny"}, rules: []string{"gzip/name-unsafe"}, offset: 12},
		{name: "control behind the 255 bytes that are kept", payload: forge.Gzip{Name: strings.Repeat("a", 300) + "\n"},
			rules: []string{"gzip/name-unsafe"}, offset: 10},
		{name: "cut through a character at the 255th byte", payload: forge.Gzip{Name: strings.Repeat("é", 200)}},

		{name: "zero padding", payload: forge.Sequence{hello, forge.Fill{N: 512}}, length: 5,
			rules: []string{"gzip/trailing-zeros"}, offset: 25, text: "512 zero bytes follow the last member"},
		{name: "one zero", payload: forge.Sequence{hello, forge.Fill{N: 1}}, length: 5, rules: []string{"gzip/trailing-zeros"}, offset: 25},
		{name: "text behind", payload: forge.Sequence{hello, forge.Bytes("garbage")}, rules: []string{"gzip/trailing-garbage"}, offset: 25},
		{name: "1f and no 8b behind", payload: forge.Sequence{hello, forge.Bytes{0x1f, 0x8c}}, rules: []string{"gzip/trailing-garbage"}, offset: 25},
		{name: "zeros and a member behind", payload: forge.Sequence{hello, forge.Fill{N: 10}, hello},
			rules: []string{"gzip/trailing-garbage"}, offset: 25},

		{name: "BGZF", payload: forge.Sequence{forge.BGZF(forge.Text("a"), 0), forge.BGZFEnd()}, length: 1,
			rules: []string{"gzip/multi-member"}, offset: 29},
		{name: "BGZF without its end", payload: forge.BGZF(forge.Text("a"), 0), length: 1,
			rules: []string{"gzip/bgzf-no-eof"}, offset: 29},
		// The end was once missed where the zeros ended, or where a read did.
		{name: "BGZF without its end, padded", payload: forge.Sequence{forge.BGZF(forge.Text("a"), 0), forge.Fill{N: 200}}, length: 1,
			rules: []string{"gzip/trailing-zeros", "gzip/bgzf-no-eof"}, offset: 29},
		{name: "BGZF with an end that is no BGZF", payload: forge.Sequence{forge.BGZF(forge.Text("a"), 0), forge.Gzip{}}, length: 1,
			rules: []string{"gzip/multi-member", "gzip/bgzf-no-eof"}, offset: 29},
		{name: "FEXTRA whose subfield claims more than there is", payload: forge.Gzip{RawExtra: []byte{'B', 'X', 255, 255}}},

		{name: "block type 3", payload: forge.Gzip{Body: func(d *forge.Deflate) { d.BlockHeader(true, 3) }},
			rules: []string{"gzip/deflate-malformed"}, offset: 10},
		{name: "distance beyond the start", payload: forge.Gzip{Body: func(d *forge.Deflate) {
			d.Fixed(true)
			d.Write([]byte("ab"))
			d.Match(3, 3)
			d.EndBlock()
		}}, rules: []string{"gzip/deflate-malformed"}, offset: 12, text: "a match reaches 3 bytes back where the member has 2"},
		{name: "distance into the member before", payload: forge.Sequence{hello, forge.Gzip{Body: func(d *forge.Deflate) {
			d.Fixed(true)
			d.Write([]byte("x"))
			d.Match(3, 2)
			d.EndBlock()
		}}}, rules: []string{"gzip/multi-member", "gzip/deflate-malformed"}, offset: 25},
		{name: "stored length and its complement differ", payload: forge.Gzip{Body: func(d *forge.Deflate) {
			d.StoredAs(true, 5, 5, []byte("hello"))
		}}, rules: []string{"gzip/deflate-malformed"}, offset: 10},
	}
}

// write makes a payload.
func write(t testing.TB, p io.WriterTo) []byte {
	t.Helper()
	var b bytes.Buffer
	_, err := p.WriteTo(&b)
	require.NoError(t, err)
	return b.Bytes()
}

// ids lists the rules of the violations that were kept.
func ids(l *rule.List) []string {
	var all []string
	for _, v := range l.Kept() {
		all = append(all, v.Rule.ID)
	}
	return all
}

func TestEveryRuleHasACase(t *testing.T) {
	raised := map[string]bool{
		"gzip/isize-wrapped":     true, // TestISIZEWraps
		"gzip/crc-mismatch":      true, // TestCRCMismatch
		"gzip/decompressed-size": true, // TestLimits, as all that follow
		"gzip/members":           true,
		"gzip/header-size":       true,
		"gzip/ratio":             true,
		"gzip/work":              true,
	}
	for _, c := range payloadCases() {
		for _, id := range c.rules {
			raised[id] = true
		}
	}
	for _, r := range Rules {
		require.True(t, raised[r.ID], r.ID)
	}
	require.Len(t, raised, len(Rules))
}
