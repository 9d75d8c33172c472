package inspect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
)

func inspectRecords(t testing.TB, kind Records, in Input, change func(*Config)) *Report {
	t.Helper()
	ins := newInspector(t, func(c *Config) {
		c.Records = kind
		if change != nil {
			change(c)
		}
	})
	r := NewReport()
	ins.InspectInto(context.Background(), in, r)
	return r
}

// brief lists the payloads of a report as "record:line verdict rules".
func brief(r *Report) []string {
	out := []string{}
	for _, p := range r.Payloads {
		out = append(out, fmt.Sprintf("%d:%d %s %s", p.Record, p.Line, p.Verdict, strings.Join(rulesOf(p), " ")))
	}
	return out
}

func TestNDJSON(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", 300<<10) + `"}`
	for _, tt := range []struct {
		name  string
		text  string
		clean int
		want  []string
	}{
		{"clean", "{}\n[]\n1\n", 3, []string{}},
		{"no line end after the last", "{}\n[]", 2, []string{}},
		{"carriage returns", "{}\r\n[]\r\n", 2, []string{}},
		{"blank lines are no records, but count as lines", "{}\n\n  \t\r\n]\n", 1, []string{"2:4 rejected json/syntax"}},
		{"one bad record does not hide the next", "{\n{}\n[1,]\n{}\n", 2, []string{"1:1 rejected json/truncated", "3:3 rejected json/syntax"}},
		{"two texts in a line", "{} {}\n[]\n", 1, []string{"1:1 rejected json/trailing-data"}},
		{"a line longer than the buffer", "1\n" + long + "\n2\n", 3, []string{}},
		{"a bad line longer than the buffer", "1\n" + long + "x\n2\n", 2, []string{"2:2 rejected json/trailing-data"}},
		{"a line that breaks at its start and goes on", "1\n}" + long + "\n2\n", 2, []string{"2:2 rejected json/syntax"}},
		{"a last number may be cut off", "1\n42", 2, []string{"2:2 clean "}},
		{"a long last line without line end", "1\n" + long, 2, []string{}},
		{"nothing", "", 0, []string{"0:0 undecided input/empty"}},
		{"blank lines only", "\n\n \n", 0, []string{"0:0 undecided input/empty"}},
		{"a warning is no reason to list a record", `{"a":1,"a":2}` + "\n", 1, []string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sources := map[string]Input{
				"bytes":  Bytes("a", []byte(tt.text)),
				"stream": Stream("a", strings.NewReader(tt.text)),
				"halves": Stream("a", iotest.HalfReader(strings.NewReader(tt.text))),
			}
			if len(tt.text) < 1000 {
				sources["one byte a read"] = Stream("a", iotest.OneByteReader(strings.NewReader(tt.text)))
			}
			for name, in := range sources {
				r := inspectRecords(t, NDJSON, in, nil)
				require.Equal(t, tt.want, brief(r), name)
				require.Equal(t, tt.clean, r.Summary.Clean, name)
			}
			whole := newInspector(t, func(c *Config) { c.Records = NDJSON }).Inspect(context.Background(), Bytes("a", []byte(tt.text)))
			switch {
			case strings.Contains(strings.Join(tt.want, " "), "rejected"):
				require.Equal(t, Rejected, whole.Verdict, "the stream as a whole")
			case tt.clean == 0:
				require.Equal(t, Undecided, whole.Verdict)
			default:
				require.Equal(t, Clean, whole.Verdict)
			}
		})
	}
}

func TestRecordsByName(t *testing.T) {
	lines := []byte("{}\n{}\n")
	for _, name := range []string{"a.ndjson", "a.jsonl", "dir/A.NDJSON"} {
		r := NewReport()
		newInspector(t, nil).InspectInto(context.Background(), Bytes(name, lines), r)
		require.Equal(t, 2, r.Summary.Clean, name)
	}
	r := NewReport()
	newInspector(t, nil).InspectInto(context.Background(), Bytes("a.jsonl.gz", write(t, forge.Gzip{Body: forge.Text("{}\n[\n")})), r)
	require.Equal(t, []string{"2:2 rejected json/truncated"}, brief(r))
	require.Equal(t, int64(4), r.Payloads[0].Violations[0].Offset, "offsets count in the layer, not in the record")

	r = NewReport()
	newInspector(t, nil).InspectInto(context.Background(), Bytes("a.json", lines), r)
	require.Equal(t, []string{"0:0 rejected json/trailing-data"}, brief(r))
}

func TestMsgpackRecords(t *testing.T) {
	r := inspectRecords(t, MsgpackRecords, Bytes("a", []byte("\x01\x92\x01\x02\xa1a")), nil)
	require.Equal(t, 3, r.Summary.Clean)
	require.Empty(t, r.Payloads)

	r = inspectRecords(t, MsgpackRecords, Bytes("a", []byte("\x01\xd4\xff\x00\x02\xc1\x01")), nil)
	require.Equal(t, []string{"2:0 rejected msgpack/timestamp", "4:0 rejected msgpack/reserved-byte"}, brief(r))
	require.Contains(t, r.Payloads[1].Layers[0].Note, "nothing behind it was judged")
	require.Equal(t, int64(5), r.Payloads[1].Violations[0].Offset)

	r = inspectRecords(t, MsgpackRecords, Bytes("a", []byte("\x01\xdd\xff\xff\xff\xff")), nil)
	require.Equal(t, []string{"2:0 rejected msgpack/header-oversized"}, brief(r))
}

func TestRecordSize(t *testing.T) {
	change := func(c *Config) { c.Limits.Input.MaxRecordSize = 5 }
	r := inspectRecords(t, NDJSON, Bytes("a", []byte("12345\n123456\n{}\n")), change)
	require.Equal(t, []string{"2:2 rejected input/record-size"}, brief(r))
	require.Equal(t, 2, r.Summary.Clean)

	// The rest of a long line is dropped, whatever it holds.
	endless := io.MultiReader(strings.NewReader("1\n\""), io.LimitReader(letters{}, 20<<20), strings.NewReader("\n2\n"))
	r = inspectRecords(t, NDJSON, Stream("a", endless), nil)
	require.Equal(t, []string{"2:2 rejected input/record-size"}, brief(r))
	require.Equal(t, 2, r.Summary.Clean)

	r = inspectRecords(t, MsgpackRecords, Bytes("a", []byte("\xa4abcd\xa5abcde\x01")), change)
	require.Equal(t, []string{"2:0 rejected input/record-size"}, brief(r))
	require.Equal(t, 2, r.Summary.Clean)
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestStreamLimitsHoldOnlyOnPurpose(t *testing.T) {
	lines := strings.Repeat("{}\n", 1000)
	gz := write(t, forge.Gzip{Body: forge.StoredBlocks([]byte(lines))})
	small := func(c *Config) {
		c.Limits.Input.MaxSize = 100
		c.Limits.Input.MaxDecompressedSize = 100
		c.Limits.Gzip.MaxDecompressedSize = 100
	}
	ins := newInspector(t, small)
	r := NewReport()
	ins.InspectInto(context.Background(), Bytes("a.ndjson.gz", gz), r)
	require.Equal(t, 1000, r.Summary.Clean)
	require.Empty(t, r.Payloads)
	for key, id := range map[string]string{
		"input.max-size": "input/size", "input.max-decompressed-size": "input/decompressed-size",
		"gzip.max-decompressed-size": "gzip/decompressed-size",
	} {
		ins := newInspector(t, func(c *Config) { small(c); c.OnPurpose = []string{key} })
		r := NewReport()
		ins.InspectInto(context.Background(), Bytes("a.ndjson.gz", gz), r)
		require.Equal(t, []string{"0:0 rejected " + id}, brief(r))
	}
}

// What is wrong with the container is said once, after its records.
func TestRecordsInABrokenContainer(t *testing.T) {
	for _, tt := range []struct {
		name    string
		payload io.WriterTo
		want    []string
	}{
		{"wrong checksum", forge.Gzip{Body: forge.Text("{}\n]\n"), Trailer: func(t *forge.Trailer) { t.CRC++ }},
			[]string{"2:2 rejected json/syntax", "0:0 rejected gzip/crc-mismatch"}},
		{"forged trailer, so nothing is inflated", forge.Gzip{Body: forge.Text("{}\n]\n"), Trailer: func(t *forge.Trailer) { t.ISIZE++ }},
			[]string{"0:0 rejected gzip/isize-forged"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := NewReport()
			newInspector(t, nil).InspectInto(context.Background(), Bytes("a.ndjson.gz", write(t, tt.payload)), r)
			require.Equal(t, tt.want, brief(r))
		})
	}
	broken := errors.New("connection reset")
	r := inspectRecords(t, NDJSON, Stream("a", io.MultiReader(strings.NewReader("{}\n[\n{\"a"), iotest.ErrReader(broken))), nil)
	require.Equal(t, []string{"0:0 undecided input/unreadable"}, brief(r), "a short stream is read before it is judged")

	long := strings.Repeat("{}\n", 9<<20/3)
	r = inspectRecords(t, NDJSON, Stream("a", io.MultiReader(strings.NewReader(long+"[\n{\"a"), iotest.ErrReader(broken))), nil)
	require.Equal(t, []string{fmt.Sprintf("%d:%d rejected json/truncated", 9<<20/3+1, 9<<20/3+1), "0:0 undecided input/unreadable"}, brief(r))
}

func TestManyBadRecordsAreCounted(t *testing.T) {
	r := inspectRecords(t, NDJSON, Bytes("a", bytes.Repeat([]byte("]\n"), maxListed+500)), nil)
	require.Len(t, r.Payloads, maxListed)
	require.Equal(t, maxListed+500, r.Summary.Rejected)
	require.Equal(t, 500, r.Summary.Unlisted)
}

func TestTimeRunsForEachRecord(t *testing.T) {
	slow := func(pause time.Duration, parts ...string) io.Reader {
		r, w := io.Pipe()
		go func() {
			for _, p := range parts {
				_, _ = io.WriteString(w, p)
				time.Sleep(pause)
			}
			_ = w.Close()
		}()
		return r
	}
	allow := func(d time.Duration) func(*Config) {
		return func(c *Config) { c.Limits.Input.MaxTime = uint64(d) }
	}
	// Streams that are long enough to be judged while they are read.
	head := strings.Repeat("{}\n", maxHeld/3+1)
	records := append([]string{head}, slices.Repeat([]string{"{}\n"}, 12)...)
	r := inspectRecords(t, NDJSON, Stream("a", slow(100*time.Millisecond, records...)), allow(time.Second))
	require.Empty(t, brief(r), "no record takes long, all together do")

	r = inspectRecords(t, NDJSON, Stream("a", slow(60*time.Millisecond, head, "[1", ",2", ",3", ",4", ",5", ",6", "]\n")), allow(100*time.Millisecond))
	require.Equal(t, []string{"0:0 undecided input/time"}, brief(r))
}

func TestRecordsAndChainMustAgree(t *testing.T) {
	chain, err := ParseChain("gzip+json")
	require.NoError(t, err)
	_, err = New(Config{Records: NDJSON, Chain: chain})
	require.NoError(t, err)
	_, err = New(Config{Records: MsgpackRecords, Chain: chain})
	require.ErrorContains(t, err, `records are msgpack, so the format chain must end in msgpack: "gzip+json" does not`)
	_, err = ParseRecords("csv")
	require.ErrorContains(t, err, "use ndjson or msgpack")
}
