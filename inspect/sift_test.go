package inspect

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
)

// sifted is one record as a test compares it.
type sifted struct {
	number, line uint64
	offset       int64
	text         string
	verdict      Verdict
}

func sift(t *testing.T, kind Records, r io.Reader, change func(*Config)) ([]sifted, *Report) {
	t.Helper()
	ins := newInspector(t, func(c *Config) {
		c.Records = kind
		if change != nil {
			change(c)
		}
	})
	rep := NewReport()
	var got []sifted
	require.NoError(t, ins.Sift(context.Background(), Stream("-", r), rep, func(r *Record) error {
		if r.Verdict == Clean {
			require.Equal(t, r.Length, uint64(len(r.Bytes)))
		}
		got = append(got, sifted{r.Number, r.Line, r.Offset, string(r.Bytes) + r.LineEnd, r.Verdict})
		return nil
	}))
	return got, rep
}

func TestSiftGivesTheBytesOfEveryRecord(t *testing.T) {
	long := `["` + strings.Repeat("x", 300<<10) + `"]`
	tooLong := `["` + strings.Repeat("x", 500<<10) + `"]`
	limit := func(c *Config) { c.Limits.Input.MaxRecordSize = 400 << 10 }
	for name, tt := range map[string]struct {
		kind Records
		in   string
		want []sifted
	}{
		"lines": {NDJSON, "{}\n\n [1] \r\n[\n2", []sifted{
			{1, 1, 0, "{}\n", Clean}, {2, 3, 4, " [1] \r\n", Clean}, {3, 4, 11, "[\n", Rejected}, {4, 5, 13, "2", Clean}}},
		"a line longer than the buffer": {NDJSON, "1\n" + long + "\n2\n", []sifted{
			{1, 1, 0, "1\n", Clean}, {2, 2, 2, long + "\n", Clean}, {3, 3, int64(len(long)) + 3, "2\n", Clean}}},
		"a long line without end": {NDJSON, long, []sifted{{1, 1, 0, long, Clean}}},
		"a line longer than allowed": {NDJSON, tooLong + "\n2\n", []sifted{
			{1, 1, 0, tooLong[:400<<10] + "\n", Rejected}, {2, 2, int64(len(tooLong)) + 1, "2\n", Clean}}},
		"msgpack": {MsgpackRecords, "\x01\x93\x01\x02\x03\xa1x", []sifted{
			{1, 0, 0, "\x01", Clean}, {2, 0, 1, "\x93\x01\x02\x03", Clean}, {3, 0, 5, "\xa1x", Clean}}},
		"msgpack behind malformed": {MsgpackRecords, "\x01\xc1\x01", []sifted{
			{1, 0, 0, "\x01", Clean}, {2, 0, 1, "", Rejected}}},
		"msgpack cut off": {MsgpackRecords, "\x01\x92\x01", []sifted{
			{1, 0, 0, "\x01", Clean}, {2, 0, 1, "\x92\x01", Rejected}}},
		"msgpack longer than the window": {MsgpackRecords, "\x01\xdb\x00\x04\xb0\x00" + strings.Repeat("x", 300<<10) + "\x02", []sifted{
			{1, 0, 0, "\x01", Clean},
			{2, 0, 1, "\xdb\x00\x04\xb0\x00" + strings.Repeat("x", 300<<10), Clean},
			{3, 0, 300<<10 + 6, "\x02", Clean}}},
		"msgpack longer than allowed": {MsgpackRecords, "\x01\xdb\x00\x0a\xf0\x00" + strings.Repeat("x", 700<<10) + "\x02\x03", []sifted{
			{1, 0, 0, "\x01", Clean},
			{2, 0, 1, "\xdb\x00\x0a\xf0\x00" + strings.Repeat("x", 64<<10-5), Rejected},
			{3, 0, 700<<10 + 6, "\x02", Clean}, {4, 0, 700<<10 + 7, "\x03", Clean}}},
	} {
		t.Run(name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{
				"at once": strings.NewReader(tt.in),
				"halves":  iotest.HalfReader(strings.NewReader(tt.in)),
				"pieces":  pieces{strings.NewReader(tt.in), 1000},
			} {
				got, _ := sift(t, tt.kind, r, limit)
				require.Len(t, got, len(tt.want), how)
				for i := range got { // long ones make a failure unreadable
					require.True(t, tt.want[i] == got[i], "%s: record %d: %s, %d bytes", how, i, got[i].verdict, len(got[i].text))
				}
			}
		})
	}
}

// pieces is a reader that gives at most n bytes at once.
type pieces struct {
	io.Reader
	n int
}

func (p pieces) Read(b []byte) (int, error) { return p.Reader.Read(b[:min(len(b), p.n)]) }

// A limit near the largest number must not wrap around where something is added
// to it.
func TestSiftKeepsRecordsWholeUnderHugeLimits(t *testing.T) {
	for _, limit := range []uint64{0, 1 << 62, math.MaxUint64} {
		for kind, record := range map[Records]string{
			NDJSON:         `"` + strings.Repeat("x", 300<<10) + `"`,
			MsgpackRecords: "\xdb\x00\x04\xb0\x00" + strings.Repeat("x", 300<<10),
		} {
			got, _ := sift(t, kind, strings.NewReader(record), func(c *Config) { c.Limits.Input.MaxRecordSize = limit })
			require.Len(t, got, 1)
			require.Equal(t, Clean, got[0].verdict)
			require.True(t, record == got[0].text, "limit %d", limit)
		}
	}
}

// Every record must be given before the next one is waited for.
func TestSiftGivesRecordsAtOnce(t *testing.T) {
	for kind, record := range map[Records]string{NDJSON: "{}\n", MsgpackRecords: "\x93\x01\x02\x03"} {
		r, w := io.Pipe()
		given := make(chan string)
		ins := newInspector(t, func(c *Config) { c.Records = kind })
		go func() {
			err := ins.Sift(context.Background(), Stream("-", r), NewReport(), func(r *Record) error {
				given <- string(r.Bytes) + r.LineEnd
				return nil
			})
			if err != nil {
				given <- err.Error()
			}
			close(given)
		}()
		for range 3 {
			_, err := w.Write([]byte(record))
			require.NoError(t, err)
			require.Equal(t, record, <-given)
		}
		require.NoError(t, w.Close())
		_, more := <-given
		require.False(t, more)
	}
}

// The time for a record once ran while nothing of it had come, which ended
// every stream of msgpack that paused.
func TestPauseBetweenRecordsCostsNoTime(t *testing.T) {
	for kind, records := range map[Records][2]string{NDJSON: {"{}\n", "[]\n"}, MsgpackRecords: {"\x80", "\x90"}} {
		pause := pausing{[]string{records[0], records[1]}, 60 * time.Millisecond}
		got, rep := sift(t, kind, &pause, func(c *Config) { c.Limits.Input.MaxTime = uint64(30 * time.Millisecond) })
		require.Len(t, got, 2)
		require.Equal(t, Summary{Clean: 2, Skipped: map[string]int{}}, rep.Summary)
	}
}

// pausing gives its pieces with a pause before each.
type pausing struct {
	pieces []string
	pause  time.Duration
}

func (p *pausing) Read(b []byte) (int, error) {
	time.Sleep(p.pause)
	if len(p.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.pieces[0])
	p.pieces = p.pieces[1:]
	return n, nil
}

func TestSiftEnds(t *testing.T) {
	enough := errors.New("enough")
	ins := newInspector(t, func(c *Config) { c.Records = NDJSON })
	rep := NewReport()
	require.ErrorIs(t, ins.Sift(context.Background(), Stream("-", strings.NewReader("1\n2\n")), rep, func(*Record) error { return enough }), enough)
	require.Equal(t, 1, rep.Summary.Clean)
	require.Zero(t, rep.Summary.Undecided)

	_, rep = sift(t, NDJSON, io.MultiReader(strings.NewReader("1\n2"), iotest.ErrReader(errors.New("gone"))), nil)
	require.Equal(t, 1, rep.Summary.Clean)
	require.Equal(t, 1, rep.Summary.Undecided)

	require.ErrorContains(t, newInspector(t, nil).Sift(context.Background(), Stream("-", strings.NewReader("1")), rep, nil), "no kind of records")
}

// endless repeats its records n times.
type endless struct {
	records string
	n       int
}

func (e *endless) Read(b []byte) (int, error) {
	if e.n--; e.n < 0 {
		return 0, io.EOF
	}
	return copy(b, e.records), nil
}

func TestSiftMemoryDoesNotGrow(t *testing.T) {
	for kind, record := range map[Records]string{NDJSON: "{\"a\":1}\n", MsgpackRecords: "\x81\xa1a\x01"} {
		ins := newInspector(t, func(c *Config) { c.Records = kind })
		records := strings.Repeat(record, 16)
		cost := func(n int) float64 {
			return testing.AllocsPerRun(1, func() {
				require.NoError(t, ins.Sift(context.Background(), Stream("-", &endless{records, n}), NewReport(), func(*Record) error { return nil }))
			})
		}
		require.InDelta(t, cost(100), cost(10_000), 64, string(kind))
	}
}

// A stream whose records somebody waits for was once read past the limit on its
// size, and past the time of a record.
func TestSiftHoldsLimitsOfTheWholeStream(t *testing.T) {
	for name, wrap := range map[string]func(io.Reader) io.Reader{"at once": func(r io.Reader) io.Reader { return r }, "byte by byte": iotest.OneByteReader} {
		t.Run(name, func(t *testing.T) {
			got, rep := sift(t, NDJSON, wrap(strings.NewReader("[1]\n[2]\n[3]\n")), func(c *Config) {
				c.Limits.Input.MaxSize = 9
				c.OnPurpose = []string{"input.max-size"}
			})
			require.LessOrEqual(t, len(got), 2)
			require.Equal(t, []string{"0:0 rejected input/size"}, brief(rep))
		})
	}
}

// A stream that stalled inside a record was once waited for without end: the
// time was only looked at once bytes had come.
func TestStalledRecordEndsInTime(t *testing.T) {
	for name, tt := range map[string]struct {
		kind  Records
		start string
	}{
		"line":                   {NDJSON, "{}\n[1,"},
		"line beyond the buffer": {NDJSON, "{}\n[\"" + strings.Repeat("x", 300<<10)},
		"msgpack":                {MsgpackRecords, "\x01\x92\x01"},
	} {
		t.Run(name, func(t *testing.T) {
			r, w := io.Pipe()
			defer w.Close()
			go func() { _, _ = io.WriteString(w, tt.start) }() // and nothing else
			got, rep := sift(t, tt.kind, r, func(c *Config) { c.Limits.Input.MaxTime = uint64(50 * time.Millisecond) })
			require.Len(t, got, 1)
			require.Equal(t, Clean, got[0].verdict)
			require.Equal(t, []string{"0:0 undecided input/time"}, brief(rep))
		})
	}
}

func TestTimeToHandOnIsNotTheRecords(t *testing.T) {
	ins := newInspector(t, func(c *Config) {
		c.Records = NDJSON
		c.Limits.Input.MaxTime = uint64(time.Second)
	})
	in := Stream("-", iotest.OneByteReader(strings.NewReader("[1,2,3]\n")))
	in.BeforeRead = func() error { time.Sleep(200 * time.Millisecond); return nil }
	rep := NewReport()
	require.NoError(t, ins.Sift(context.Background(), in, rep, func(*Record) error { return nil }))
	require.Equal(t, 1, rep.Summary.Clean)
	require.Empty(t, brief(rep))
}

func TestErrorBeforeReadEndsTheStream(t *testing.T) {
	ins := newInspector(t, func(c *Config) { c.Records = NDJSON })
	in := Stream("-", strings.NewReader("1\n"))
	in.BeforeRead = func() error { return errors.New("nobody listens") }
	rep := NewReport()
	require.NoError(t, ins.Sift(context.Background(), in, rep, func(*Record) error { return nil }))
	require.Equal(t, []string{"0:0 undecided input/unreadable"}, brief(rep))
}
