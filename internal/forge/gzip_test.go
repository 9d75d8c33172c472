package forge

import (
	"bytes"
	"compress/gzip"
	"io"
	"os/exec"
	"testing"

	kgzip "github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"
)

func bytesOf(t *testing.T, p io.WriterTo) []byte {
	t.Helper()
	var out bytes.Buffer
	n, err := p.WriteTo(&out)
	require.NoError(t, err)
	require.Equal(t, int64(out.Len()), n)
	return out.Bytes()
}

func gunzip(t *testing.T, b []byte) []byte {
	t.Helper()
	std, err := gzip.NewReader(bytes.NewReader(b))
	require.NoError(t, err)
	content, err := io.ReadAll(std)
	require.NoError(t, err)
	other, err := kgzip.NewReader(bytes.NewReader(b))
	require.NoError(t, err)
	again, err := io.ReadAll(other)
	require.NoError(t, err)
	require.True(t, bytes.Equal(content, again))
	return content
}

// honest are payloads that every decoder has to accept.
var honest = []struct {
	name    string
	payload io.WriterTo
	want    string
}{
	{"nothing", Gzip{}, ""},
	{"text", Gzip{Body: Text("hello")}, "hello"},
	{"stored", Gzip{Body: StoredBlocks([]byte("hello"))}, "hello"},
	{"every header field", Gzip{
		Text: true, ModTime: 1, ExtraFlags: 2, OS: 3,
		Extra: []Subfield{{ID: [2]byte{'A', 'B'}, Data: []byte("data")}},
		Name:  "name", Comment: "comment", HeaderCRC: true,
		Body: Text("hello"),
	}, "hello"},
	{"two members", Sequence{Gzip{Body: Text("one")}, Gzip{Body: Text("two")}}, "onetwo"},
	{"members repeated", Repeat{Gzip{Body: Text("x")}, 5}, "xxxxx"},
	{"bgzf", Sequence{BGZF(Text("one"), 0), BGZFEnd()}, "one"},
}

func TestGzipHonest(t *testing.T) {
	for _, tt := range honest {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, string(gunzip(t, bytesOf(t, tt.payload))))
		})
	}
}

func TestSystemGzipAgrees(t *testing.T) {
	path, err := exec.LookPath("gzip")
	if err != nil {
		t.Skip("gzip is not installed")
	}
	for _, tt := range honest {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.Command(path, "-dc")
			cmd.Stdin = bytes.NewReader(bytesOf(t, tt.payload))
			content, err := cmd.Output()
			require.NoError(t, err)
			require.Equal(t, tt.want, string(content))
		})
	}
}

func TestGzipHeaderFieldsAreRead(t *testing.T) {
	r, err := gzip.NewReader(bytes.NewReader(bytesOf(t, Gzip{
		ModTime: 7, OS: 3, Name: "a.txt", Comment: "why",
		Extra: []Subfield{{ID: [2]byte{'A', 'B'}, Data: []byte("data")}},
	})))
	require.NoError(t, err)
	require.Equal(t, "a.txt", r.Name)
	require.Equal(t, "why", r.Comment)
	require.Equal(t, "AB\x04\x00data", string(r.Extra))
	require.Equal(t, int64(7), r.ModTime.Unix())
	require.Equal(t, byte(3), r.OS)
}

func TestBGZFEndIsTheOneOfTheSpecification(t *testing.T) {
	want := []byte{
		0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0,
		'B', 'C', 2, 0, 0x1b, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	}
	require.Equal(t, want, bytesOf(t, BGZFEnd()))
}

func TestZeros(t *testing.T) {
	for _, n := range []uint64{0, 1, 2, 258, 259, 260, 517, 100 << 20} {
		b := bytesOf(t, Gzip{Body: Zeros(n)})
		require.True(t, bytes.Equal(make([]byte, n), gunzip(t, b)), "%d zeros", n)
	}
}

func TestTrailerForged(t *testing.T) {
	honest := bytesOf(t, Gzip{Body: Text("hello")})
	at := len(honest) - 8
	for _, tt := range []struct {
		name  string
		forge func(*Trailer)
		want  []byte
	}{
		{"isize", func(t *Trailer) { t.ISIZE = 0xfffffffe }, append(bytes.Clone(honest[:at+4]), 0xfe, 0xff, 0xff, 0xff)},
		{"crc", func(t *Trailer) { t.CRC = 0 }, append(append(bytes.Clone(honest[:at]), 0, 0, 0, 0), honest[at+4:]...)},
		{"cut", func(t *Trailer) { t.Missing = 3 }, honest[:len(honest)-3]},
		{"none", func(t *Trailer) { t.Missing = 8 }, honest[:at]},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, bytesOf(t, Gzip{Body: Text("hello"), Trailer: tt.forge}))
		})
	}
}

func TestExtraFieldTooLongIsAnError(t *testing.T) {
	_, err := Gzip{RawExtra: make([]byte, 65536)}.WriteTo(io.Discard)
	require.EqualError(t, err, "forge: an extra field of 65536 bytes: at most 65535")
}

func TestBGZFTooLongIsAnError(t *testing.T) {
	_, err := BGZF(StoredBlocks(make([]byte, 65536)), 0).WriteTo(io.Discard)
	require.ErrorContains(t, err, "at most 65536")
}
