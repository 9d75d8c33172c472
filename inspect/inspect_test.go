package inspect

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/rule"
)

func newInspector(t testing.TB, change func(*Config)) *Inspector {
	t.Helper()
	cfg := Config{Limits: DefaultLimits()}
	if change != nil {
		change(&cfg)
	}
	ins, err := New(cfg)
	require.NoError(t, err)
	return ins
}

func write(t testing.TB, p io.WriterTo) []byte {
	t.Helper()
	var b bytes.Buffer
	_, err := p.WriteTo(&b)
	require.NoError(t, err)
	return b.Bytes()
}

func text(s string) forge.Gzip { return forge.Gzip{Body: forge.Text(s)} }

// layered is n layers of gzip around text.
func layered(n int) io.WriterTo {
	if n == 1 {
		return text("hello")
	}
	return forge.Gzip{Body: forge.Literals(layered(n - 1))}
}

// longer is a gzip payload of more than the 8 MiB of a stream that are held.
func longer(change func(*forge.Trailer)) forge.Gzip {
	return forge.Gzip{Trailer: change, Body: func(d *forge.Deflate) {
		for i := range 9 * 16 {
			d.Stored(i == 9*16-1, make([]byte, 65535))
		}
	}}
}

// The same payload in memory, as a file and as a stream in any pieces gets the
// same report.
func TestReportDoesNotDependOnTheSource(t *testing.T) {
	ins := newInspector(t, nil)
	ctx := context.Background()
	for _, c := range corpus.All() {
		if c.Large {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			src := write(t, c.Payload)
			want := ins.Inspect(ctx, Bytes(c.FileName(), src))
			require.Equal(t, want, ins.Inspect(ctx, File(c.FileName(), bytes.NewReader(src), int64(len(src)))))
			require.Equal(t, want, ins.Inspect(ctx, Stream(c.FileName(), bytes.NewReader(src))))
			require.Equal(t, want, ins.Inspect(ctx, Stream(c.FileName(), iotest.OneByteReader(bytes.NewReader(src)))))
		})
	}
}

func TestLongStreamsAreJudgedInOnePass(t *testing.T) {
	ctx := context.Background()
	for _, tt := range []struct {
		name    string
		payload io.WriterTo
		verdict Verdict
		rules   []string
	}{
		{"clean", longer(nil), Clean, nil},
		{"forged trailer", longer(func(t *forge.Trailer) { t.ISIZE = 5 }), Rejected, []string{"gzip/isize-forged"}},
		{"wrong checksum", longer(func(t *forge.Trailer) { t.CRC++ }), Rejected, []string{"gzip/crc-mismatch"}},
		{"cut", forge.Head{Payload: longer(nil), N: 9 << 20}, Rejected, []string{"gzip/truncated"}},
		{"garbage behind", forge.Sequence{longer(nil), forge.Bytes("x")}, Rejected, []string{"gzip/trailing-garbage"}},
		{"forged trailer and garbage", forge.Sequence{longer(func(t *forge.Trailer) { t.ISIZE = 5 }), forge.Bytes("x")}, Rejected,
			[]string{"gzip/isize-forged", "gzip/trailing-garbage"}},
		{"inside another layer", forge.Gzip{Body: func(d *forge.Deflate) {
			inner := forge.Func(func(w io.Writer) error { _, err := longer(nil).WriteTo(w); return err })
			forge.StoredBlocks(write(t, inner))(d)
		}}, Clean, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := write(t, tt.payload)
			require.Greater(t, len(src), maxHeld)
			p := newInspector(t, nil).Inspect(ctx, Stream("-", bytes.NewReader(src)))
			require.Equal(t, tt.verdict, p.Verdict, "%+v", p)
			require.Equal(t, tt.rules, rulesOf(p))
			again := newInspector(t, nil).Inspect(ctx, File("-", bytes.NewReader(src), int64(len(src))))
			require.Equal(t, again.Verdict, p.Verdict)
			require.Equal(t, rulesOf(again), rulesOf(p))
			require.Equal(t, again.Violations, p.Violations)
		})
	}
}

func TestUndecided(t *testing.T) {
	hello := write(t, text("hello"))
	broken := errors.New("connection reset")
	for _, tt := range []struct {
		name string
		in   Input
		rule string
	}{
		{"empty bytes", Bytes("a", nil), "input/empty"},
		{"empty stream", Stream("a", bytes.NewReader(nil)), "input/empty"},
		{"empty file", File("a", bytes.NewReader(nil), 0), "input/empty"},
		{"text", Bytes("a.txt", []byte("just text")), "input/unrecognised"},
		{"a stream that fails at once", Stream("a", iotest.ErrReader(broken)), "input/unreadable"},
		{"a stream that fails half way", Stream("a", io.MultiReader(bytes.NewReader(hello[:20]), iotest.ErrReader(broken))), "input/unreadable"},
		{"unexpected EOF of a stream", Stream("a", io.MultiReader(bytes.NewReader(hello), iotest.ErrReader(io.ErrUnexpectedEOF))), "input/unreadable"},
		{"a file that shrank", File("a", bytes.NewReader(hello[:20]), int64(len(hello))), "input/unreadable"},
		{"a stream that makes no progress", Stream("a", io.MultiReader(bytes.NewReader(hello), stuck{})), "input/unreadable"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newInspector(t, nil).Inspect(context.Background(), tt.in)
			require.Equal(t, Undecided, p.Verdict, "%+v", p)
			require.Equal(t, []string{tt.rule}, rulesOf(p))
		})
	}
}

// stuck is a reader that never returns anything.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// A stream that fails after 8 MiB fails in the middle of the one pass.
func TestLongStreamThatFails(t *testing.T) {
	src := write(t, longer(nil))
	broken := errors.New("connection reset")
	p := newInspector(t, nil).Inspect(context.Background(),
		Stream("a", io.MultiReader(bytes.NewReader(src[:9<<20]), iotest.ErrReader(broken))))
	require.Equal(t, Undecided, p.Verdict)
	require.Equal(t, []string{"input/unreadable"}, rulesOf(p))
	require.Contains(t, p.Violations[0].Message, "connection reset")
}

// What was found before a failure still rejects.
func TestRejectedOutranksUndecided(t *testing.T) {
	src := write(t, forge.Sequence{text("hello"), longer(nil)})
	src[21]++ // the first member's ISIZE
	p := newInspector(t, nil).Inspect(context.Background(),
		Stream("a", io.MultiReader(bytes.NewReader(src[:9<<20]), iotest.ErrReader(io.ErrUnexpectedEOF))))
	require.Equal(t, Rejected, p.Verdict)
	require.Equal(t, []string{"gzip/isize-forged", "gzip/multi-member", "input/unreadable"}, rulesOf(p))
}

func TestTimeRunsOut(t *testing.T) {
	endless := forge.Gzip{Body: forge.Zeros(1 << 50)}
	for _, shallow := range []bool{false, true} {
		ins := newInspector(t, func(c *Config) {
			c.Limits = Limits{Input: InputLimits{MaxTime: uint64(50 * time.Millisecond)}}
			c.Shallow = shallow
		})
		r, w := io.Pipe()
		go func() { _, _ = endless.WriteTo(w) }()
		p := ins.Inspect(context.Background(), Stream("a", r))
		_ = r.Close()
		require.Equal(t, Undecided, p.Verdict)
		require.Equal(t, []string{"input/time"}, rulesOf(p))
		require.Equal(t, "input.max-time", p.Violations[0].LimitKey)
	}
}

func TestContextEndsTheInspection(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := newInspector(t, nil).Inspect(ctx, Bytes("a", write(t, text("hello"))))
	require.Equal(t, Undecided, p.Verdict)
	require.Equal(t, []string{"input/time"}, rulesOf(p))
	require.Contains(t, p.Violations[0].Message, "stopped from outside")
}

func TestLayers(t *testing.T) {
	ctx := context.Background()
	for depth := 1; depth <= 18; depth++ {
		src := write(t, layered(depth))
		for _, limit := range []uint64{0, 1, 2, 3, 16, 100} {
			ins := newInspector(t, func(c *Config) { c.Limits.Input.MaxLayers = limit })
			p := ins.Inspect(ctx, Bytes("a", src))
			allowed := limit
			if limit == 0 || limit > maxLayers {
				allowed = maxLayers
			}
			if uint64(depth) <= allowed {
				require.Equal(t, Clean, p.Verdict, "%d layers under a limit of %d", depth, limit)
				require.Len(t, p.Layers, depth)
				continue
			}
			require.Equal(t, Rejected, p.Verdict, "%d layers under a limit of %d", depth, limit)
			require.Equal(t, []string{"input/layers"}, rulesOf(p))
			require.Equal(t, int(allowed), p.Violations[0].Layer)
		}
	}
}

func TestOutputOfAllLayersTogether(t *testing.T) {
	// 4 KiB in the outer layer, 1 MiB in the inner one.
	src := write(t, forge.Gzip{Body: forge.Literals(forge.Gzip{Body: forge.Zeros(1 << 20)})})
	ctx := context.Background()
	first := newInspector(t, nil).Inspect(ctx, Bytes("a", src))
	require.Equal(t, Clean, first.Verdict)
	outer, _ := first.Layers[0].Decompressed.Get()
	total := outer + 1<<20
	for _, tt := range []struct {
		limit   uint64
		verdict Verdict
	}{{total, Clean}, {total - 1, Rejected}, {outer, Rejected}, {outer - 1, Rejected}} {
		ins := newInspector(t, func(c *Config) { c.Limits.Input.MaxDecompressedSize = tt.limit })
		p := ins.Inspect(ctx, Bytes("a", src))
		require.Equal(t, tt.verdict, p.Verdict, "limit %d of %d", tt.limit, total)
		if tt.verdict == Rejected {
			require.Equal(t, []string{"input/decompressed-size"}, rulesOf(p))
		}
	}
}

func TestWorkInAnInnerLayer(t *testing.T) {
	flood := forge.Gzip{Body: func(d *forge.Deflate) {
		codes := forge.CodesFor([]uint{'x', forge.EndOfBlock}, nil)
		for i := range 100_000 {
			d.Dynamic(i == 100_000-1, codes)
			d.Write([]byte("x"))
			d.EndBlock()
		}
	}}
	src := write(t, forge.Gzip{Body: forge.StoredBlocks(write(t, forge.Gzip{Body: forge.StoredBlocks(write(t, flood))}))})
	ins := newInspector(t, func(c *Config) { c.Limits.Input.MaxLayers = 3 })
	p := ins.Inspect(context.Background(), Bytes("a", src))
	require.Equal(t, Rejected, p.Verdict)
	require.Equal(t, []string{"gzip/work"}, rulesOf(p))
	require.Equal(t, 2, p.Violations[0].Layer)
	require.Less(t, p.Violations[0].Offset, int64(1<<20), "within 1 MiB of that layer")
}

func TestWalkedFilesAreSkippedOrJudged(t *testing.T) {
	ins := newInspector(t, nil)
	walked := func(name string, data []byte) Payload {
		in := Bytes(name, data)
		in.Walked = true
		return ins.Inspect(context.Background(), in)
	}
	p := walked("main.go", []byte("package main"))
	require.Equal(t, Skipped, p.Verdict)
	require.Equal(t, "unrecognised", p.SkipReason)
	require.Equal(t, Rejected, walked("a", write(t, forge.Gzip{ReservedFlags: 0x80})).Verdict)
	require.Equal(t, Undecided, walked("a.gz", nil).Verdict, "an empty file that claims a format is never skipped")
	require.Equal(t, Undecided, walked("a.json", nil).Verdict, "an empty file that claims a format is never skipped")
	require.Equal(t, "empty", walked(".gitkeep", nil).SkipReason)

	r := NewReport()
	r.Add(p)
	require.Equal(t, map[string]int{"unrecognised": 1}, r.Summary.Skipped)
	require.Empty(t, r.Payloads)
}

func TestUnknownPolicy(t *testing.T) {
	ins := newInspector(t, nil)
	for _, tt := range []struct {
		name    string
		data    string
		walked  bool
		unknown Unknown
		want    Verdict
	}{
		{"named", "text", false, UnknownByName, Undecided},
		{"walked", "text", true, UnknownByName, Skipped},
		{"named, to skip", "text", false, UnknownSkipped, Skipped},
		{"walked, to be undecided", "text", true, UnknownUndecided, Undecided},
		{"named, empty, to skip", "", false, UnknownSkipped, Undecided},
		{"walked, empty, to be undecided", "", true, UnknownUndecided, Undecided},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, in := range []Input{Bytes("a", []byte(tt.data)), Stream("a", strings.NewReader(tt.data)), File("a", strings.NewReader(tt.data), int64(len(tt.data)))} {
				in.Walked, in.Unknown = tt.walked, tt.unknown
				require.Equal(t, tt.want, ins.Inspect(context.Background(), in).Verdict)
			}
		})
	}
}

// A file that became shorter once was judged as one that is cut off.
func TestFileThatShrankIsUndecided(t *testing.T) {
	src := write(t, forge.Gzip{Body: forge.Text("hello")})
	p := newInspector(t, nil).Inspect(context.Background(), File("a", bytes.NewReader(src[:20]), int64(len(src))))
	require.Equal(t, Undecided, p.Verdict)
	require.Equal(t, []string{"input/unreadable"}, rulesOf(p))
	require.Contains(t, p.Violations[0].Message, "changed while it was read")
}

// A stream whose sender fell silent once held the inspection for ever.
func TestSilentStreamRunsOutOfTime(t *testing.T) {
	silent, sender := io.Pipe()
	defer sender.Close()
	ins := newInspector(t, func(c *Config) { c.Limits.Input.MaxTime = uint64(10 * time.Millisecond) })
	p := ins.Inspect(context.Background(), Stream("a", silent))
	require.Equal(t, Undecided, p.Verdict)
	require.Equal(t, []string{"input/time"}, rulesOf(p))

	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, cancel)
	p = newInspector(t, nil).Inspect(ctx, Stream("a", silent))
	require.Equal(t, []string{"input/time"}, rulesOf(p))
}

func TestMergeAddsEverything(t *testing.T) {
	part := &Report{Payloads: []Payload{{Name: "a"}}, Summary: Summary{Clean: 1, Rejected: 2, Undecided: 3, Ignored: 4, Unlisted: 5, Skipped: map[string]int{"empty": 6}}}
	r := NewReport()
	r.Merge(part)
	r.Merge(part)
	require.Len(t, r.Payloads, 2)
	require.Equal(t, Summary{Clean: 2, Rejected: 4, Undecided: 6, Ignored: 8, Unlisted: 10, Skipped: map[string]int{"empty": 12}}, r.Summary)
}

func TestNewRefusesWhatMakesNoSense(t *testing.T) {
	for _, tt := range []struct {
		name string
		id   string
		to   rule.Severity
		want string
	}{
		{"unknown rule", "gzip/nope", rule.Error, `unknown rule "gzip/nope"`},
		{"a limit that stops", "gzip/members", rule.Warning, "raise gzip.max-members instead"},
		{"a break of the format that stops", "gzip/truncated", rule.Off, "cannot be below error"},
		{"no judgement", "input/unreadable", rule.Off, "cannot be changed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(Config{Severities: map[string]rule.Severity{tt.id: tt.to}})
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestProfilesAreValid(t *testing.T) {
	for _, p := range Profiles() {
		_, err := New(Config{Limits: p.Limits, Severities: p.Severities, Defaults: p.Defaults})
		require.NoError(t, err, p.Name)
		again, ok := ProfileNamed(p.Name)
		require.True(t, ok)
		require.Equal(t, p, again)
	}
	_, ok := ProfileNamed("nope")
	require.False(t, ok)
}

func TestInspectorIsSafeForConcurrentUse(t *testing.T) {
	ins := newInspector(t, nil)
	ctx := context.Background()
	var want []Payload
	var cases []corpus.Case
	for _, c := range corpus.All() {
		if !c.Large {
			cases = append(cases, c)
			want = append(want, ins.Inspect(ctx, Bytes(c.FileName(), write(t, c.Payload))))
		}
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, c := range cases {
				got := ins.Inspect(ctx, Bytes(c.FileName(), write(t, c.Payload)))
				if got.Verdict != want[i].Verdict {
					t.Errorf("%s: %s, alone it was %s", c.ID, got.Verdict, want[i].Verdict)
				}
			}
		})
	}
	wg.Wait()
}

// A file that is cut between the two passes over it.
func TestFileChangesBetweenThePasses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.gz")
	src := write(t, longer(nil))
	require.NoError(t, os.WriteFile(path, src, 0o644))
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	p := newInspector(t, nil).Inspect(context.Background(), File("a.gz", &shrinking{f: f, path: path, after: int64(len(src)) - 1}, int64(len(src))))
	require.Equal(t, Undecided, p.Verdict)
	require.Equal(t, []string{"input/unreadable"}, rulesOf(p))
	require.Contains(t, p.Violations[0].Message, "changed while it was read")
}

// shrinking truncates its file once its last byte was read.
type shrinking struct {
	f     *os.File
	path  string
	after int64
}

func (s *shrinking) ReadAt(p []byte, at int64) (int, error) {
	n, err := s.f.ReadAt(p, at)
	if at+int64(n) > s.after {
		_ = os.Truncate(s.path, 5<<20)
	}
	return n, err
}

// A large binary in a tree was once rejected for its size, where a small one of
// the same kind is passed over.
func TestWalkedFileInNoFormatIsPassedOverWhateverItsSize(t *testing.T) {
	for name, tt := range map[string]struct {
		file, content string
		walked        bool
		want          Verdict
	}{
		"binary":               {"program", "\x7fELF", true, Skipped},
		"binary that is named": {"program", "\x7fELF", false, Rejected},
		"JSON":                 {"data", `{"a":1,`, true, Rejected},
		"gzip":                 {"data", "\x1f\x8b", true, Rejected},
		"claims a format":      {"data.json", "\x7fELF", true, Rejected},
		"claims gzip":          {"data.gz", "\x7fELF", true, Rejected},
	} {
		t.Run(name, func(t *testing.T) {
			ins := newInspector(t, func(c *Config) { c.Limits.Input.MaxSize = 100 })
			in := Bytes(tt.file, []byte(tt.content+strings.Repeat(" ", 100)))
			in.Walked = tt.walked
			require.Equal(t, tt.want, ins.Inspect(context.Background(), in).Verdict)
		})
	}
}
