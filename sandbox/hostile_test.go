package sandbox

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
)

// A hostile is a reactor whose engine a payload has taken over.
type hostile struct {
	abi byte
	// inspect is the body of harden_inspect_file, where it is not to return
	// the address and length of report.
	inspect []byte
	report  string
}

const (
	opUnreachable = 0x00
	typeI64       = 0x7e
)

// reportAt is where the report of a hostile lies, allocAt the address of all that
// it allocates.
const (
	reportAt = 1024
	allocAt  = 32 << 10
)

func (h hostile) module() []byte {
	if h.abi == 0 {
		h.abi = 1
	}
	body := h.inspect
	if body == nil {
		body = append([]byte{opConst64}, appendSigned(nil, reportAt<<32|int64(len(h.report)))...)
	}
	types := [][]byte{
		{0x60, 0, 1, typeI32},
		{0x60, 1, typeI32, 1, typeI32},
		{0x60, 6, typeI32, typeI32, typeI32, typeI32, typeI32, typeI32, 1, typeI64},
		{0x60, 0, 0},
	}
	export := func(name string, kind, index byte) []byte { return append(appendSized(nil, []byte(name)), kind, index) }
	code := func(body ...byte) []byte { return appendSized(nil, append(append([]byte{0}, body...), opEnd)) }
	m := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range []struct {
		id      byte
		entries [][]byte
	}{
		{1, types},
		{3, [][]byte{{0}, {1}, {2}, {3}}},
		{5, [][]byte{{0, 1}}}, // one page, and as many more as there are
		{7, [][]byte{export("memory", 2, 0), export(exportABI, 0, 0), export(exportAlloc, 0, 1), export(exportInspect, 0, 2), export("_initialize", 0, 3)}},
		{10, [][]byte{code(opConst32, h.abi), code(append([]byte{opConst32}, appendSigned(nil, allocAt)...)...), code(body...), code()}},
		{11, [][]byte{append(append(append([]byte{0, opConst32}, appendSigned(nil, reportAt)...), opEnd), appendSized(nil, []byte(h.report))...)}},
	} {
		content := []byte{byte(len(s.entries))}
		for _, e := range s.entries {
			content = append(content, e...)
		}
		m = append(append(m, s.id), appendSized(nil, content)...)
	}
	return m
}

func TestWhatBreaksAnInstanceIsUndecided(t *testing.T) {
	clean := inspect.NewReport()
	clean.Add(native(t, defaults()).Inspect(context.Background(), file("x", []byte(`{"a":1}`))))
	change := func(f func(*inspect.Report)) string {
		r := *clean
		r.Payloads = append([]inspect.Payload(nil), clean.Payloads...)
		f(&r)
		text, err := json.Marshal(r)
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, clean.Payloads[0], judged(t, hostile{report: change(func(*inspect.Report) {})}))
	for _, tt := range []struct {
		name    string
		hostile hostile
		want    string
	}{
		{"trap", hostile{inspect: []byte{opUnreachable}}, "the instance trapped: wasm error: unreachable"},
		{"more memory than the cap", hostile{inspect: []byte{opConst32, 0x80, 0x20, opMemoryGrow, 0, opDrop, opUnreachable}}, "needs more memory than the 1048576 bytes"},
		{"a report outside memory", hostile{inspect: append([]byte{opConst64}, appendSigned(nil, 1<<40)...), report: "{}"}, "no report that makes sense"},
		{"a report that goes beyond memory", hostile{inspect: append([]byte{opConst64}, appendSigned(nil, reportAt<<32|1<<20)...)}, "outside its memory"},
		{"no report", hostile{}, "no report that makes sense"},
		{"no JSON", hostile{report: "clean"}, "no report that makes sense"},
		{"an error", hostile{report: `{"error":"boo"}`}, "no report that makes sense"},
		{"two reports", hostile{report: change(func(*inspect.Report) {}) + "{}"}, "something follows it"},
		{"another schema", hostile{report: change(func(r *inspect.Report) { r.Schema = "x" })}, "it is not a harden.report/v1"},
		{"a made-up verdict", hostile{report: change(func(r *inspect.Report) { r.Payloads[0].Verdict = "fine" })}, "a verdict is none"},
		{"nothing", hostile{report: change(func(r *inspect.Report) { *r = *inspect.NewReport() })}, "not about one payload"},
		{"two payloads", hostile{report: change(func(r *inspect.Report) { r.Add(r.Payloads[0]) })}, "not about one payload"},
		{"a rejected payload counted as clean", hostile{report: change(func(r *inspect.Report) { r.Payloads[0].Verdict = inspect.Rejected })}, "lists more than it counts"},
		{"counts below zero", hostile{report: change(func(r *inspect.Report) { r.Summary.Clean, r.Summary.Rejected = 2, -1 })}, "does not count"},
		{"a reason that steers a terminal", hostile{report: change(func(r *inspect.Report) { r.Summary.Skipped = map[string]int{"\x1b[2J": 1} })}, "its reason to skip is none"},
		{"lists that are missing", hostile{report: change(func(r *inspect.Report) { r.Payloads[0].Layers = nil })}, "a list is missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := judged(t, tt.hostile)
			require.Equal(t, inspect.Undecided, p.Verdict)
			require.Len(t, p.Violations, 1)
			require.Equal(t, "input/sandbox", p.Violations[0].Rule)
			require.Contains(t, p.Violations[0].Message, tt.want)
		})
	}
}

func judged(t *testing.T, h hostile) inspect.Payload {
	ins, err := open(t, h.module()).Inspector(defaults(), 1<<20)
	require.NoError(t, err)
	return ins.Inspect(context.Background(), file("x", []byte(`{"a":1}`)))
}

func TestAnInstanceThatNeverEndsIsEnded(t *testing.T) {
	cfg := defaults()
	cfg.Limits.Input.MaxTime = 1
	ins, err := open(t, hostile{inspect: []byte{opLoop, voidBlock, opBr, 0, opEnd, opUnreachable}}.module()).Inspector(cfg, 1<<20)
	require.NoError(t, err)
	begin := time.Now()
	p := ins.Inspect(context.Background(), file("x", []byte(`{"a":1}`)))
	require.Equal(t, inspect.Undecided, p.Verdict)
	require.Equal(t, "input/time", p.Violations[0].Rule)
	require.Less(t, time.Since(begin), 20*time.Second)
}
