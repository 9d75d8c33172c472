package gzipcheck

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/rule"
)

func peek(src []byte) (Peeked, error) { return Peek(bytes.NewReader(src), int64(len(src))) }

func TestPeek(t *testing.T) {
	src := write(t, forge.Gzip{Name: "report.txt", Comment: "daily\x1b", RawExtra: []byte("xyz"), HeaderCRC: true,
		Body: forge.Text("hello"), Trailer: func(t *forge.Trailer) { t.CRC = 7 }})
	p, err := peek(src)
	require.NoError(t, err)
	require.Equal(t, Peeked{
		Name: "report.txt", Comment: `daily\x1b`, HeaderSize: 10 + 5 + 11 + 7 + 2,
		HasTrailer: true, CRC32: 7, ISIZE: 5, Bound: 1032 * uint64(len(src)-18),
	}, p)
}

func TestPeekProvesForgery(t *testing.T) {
	for _, tt := range []struct {
		name   string
		src    []byte
		forged bool
	}{
		{"50 bytes that claim 512 MiB", write(t, forge.Gzip{Body: forge.StoredBlocks(make([]byte, 27)), Trailer: isize(512 << 20)}), true},
		{"an honest bomb at deflate's best ratio", write(t, forge.Gzip{Body: forge.Zeros(64 << 20)}), false},
		{"a false length that deflate could reach", write(t, forge.Gzip{Body: forge.Text("hello"), Trailer: isize(4000)}), false},
		{"one above the bound", write(t, forge.Gzip{Trailer: isize(2*1032 + 1)}), true},
		{"at the bound", write(t, forge.Gzip{Trailer: isize(2 * 1032)}), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := peek(tt.src)
			require.NoError(t, err)
			require.Equal(t, tt.forged, p.ProvablyForged)
			if tt.forged {
				_, err := Measure(tt.src, Limits{})
				require.ErrorContains(t, err, "gzip/isize-forged", "what is provable is true")
			}
		})
	}
	t.Run("above 4 GiB nothing is provable", func(t *testing.T) {
		p, err := Peek(zeroTail{write(t, forge.Gzip{})}, 1<<23)
		require.NoError(t, err)
		require.False(t, p.ProvablyForged)
	})
}

// zeroTail is a header followed by 0xff to any length.
type zeroTail struct{ head []byte }

func (z zeroTail) ReadAt(p []byte, at int64) (int, error) {
	for i := range p {
		p[i] = 0xff
		if at+int64(i) < int64(len(z.head)) {
			p[i] = z.head[at+int64(i)]
		}
	}
	return len(p), nil
}

func TestPeekHostileHeaders(t *testing.T) {
	for _, tt := range []struct {
		name string
		src  []byte
		rule string
	}{
		{"nothing", nil, "gzip/truncated"},
		{"one byte", []byte{0x1f}, "gzip/truncated"},
		{"not gzip", []byte("0123456789"), "gzip/header-malformed"},
		{"reserved flags", write(t, forge.Gzip{ReservedFlags: 0x80}), "gzip/header-malformed"},
		{"ends in FEXTRA's length", []byte("\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\x00\xff"), "gzip/truncated"},
		{"FEXTRA beyond the end, then a name", []byte("\x1f\x8b\x08\x0c\x00\x00\x00\x00\x00\x00\xff\xff"), "gzip/truncated"},
		{"FEXTRA beyond the end, then nothing", []byte("\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\x00\xff\xff"), "gzip/truncated"},
		{"ends in FHCRC", []byte("\x1f\x8b\x08\x02\x00\x00\x00\x00\x00\x00\x1d"), "gzip/truncated"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := peek(tt.src)
			var v *rule.Violation
			require.ErrorAs(t, err, &v)
			require.Equal(t, tt.rule, v.Rule.ID)
		})
	}
	t.Run("a name without end is cut", func(t *testing.T) {
		p, err := peek(write(t, forge.Gzip{Name: strings.Repeat("a", 1000)}))
		require.NoError(t, err)
		require.Equal(t, strings.Repeat("a", 255)+"…", p.Name)
		require.Zero(t, p.HeaderSize)
	})
	t.Run("a file that shrank", func(t *testing.T) {
		src := write(t, member("hello"))
		_, err := Peek(bytes.NewReader(src[:15]), int64(len(src)))
		var s *SizeError
		require.True(t, errors.As(err, &s))
	})
}
