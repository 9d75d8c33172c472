package report

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/forge"
)

// corpusReport is the report on every case of the corpus that fits in memory,
// as harden would write it, and on streams of records.
func corpusReport(t *testing.T) *inspect.Report {
	t.Helper()
	ins, err := inspect.New(inspect.Config{Limits: inspect.DefaultLimits()})
	require.NoError(t, err)
	r := inspect.NewReport()
	for _, c := range corpus.All() {
		if c.Large {
			continue
		}
		in := c.Open()
		data, err := io.ReadAll(in)
		require.NoError(t, err)
		require.NoError(t, in.Close())
		ins.InspectInto(context.Background(), inspect.Bytes(c.FileName(), data), r)
	}
	ins.InspectInto(context.Background(), inspect.Stream("log.ndjson", strings.NewReader("{}\n[[[\n\"é\" 1\n")), r)
	var packed bytes.Buffer
	_, err = forge.Gzip{Body: forge.Text("[[[\n")}.WriteTo(&packed)
	require.NoError(t, err)
	ins.InspectInto(context.Background(), inspect.Bytes("log.ndjson.gz", packed.Bytes()), r)
	require.Equal(t, 1, r.Payloads[len(r.Payloads)-1].StreamLayer)
	r.Summary.Skipped["unrecognised"] = 3
	require.NotZero(t, r.Summary.Clean)
	require.NotZero(t, r.Summary.Rejected)
	require.NotZero(t, r.Summary.Undecided)
	return r
}

// rendered is r in the format with this name.
func rendered(t *testing.T, name string, r *inspect.Report, o Options) []byte {
	t.Helper()
	f, ok := FormatNamed(name)
	require.True(t, ok, name)
	var b bytes.Buffer
	require.NoError(t, f.Write(&b, r, o))
	return b.Bytes()
}

// oneViolation is a report on one rejected payload.
func oneViolation(name string, layers int, v inspect.Violation) *inspect.Report {
	p := inspect.Payload{Name: name, Verdict: inspect.Rejected, Layers: make([]inspect.Layer, layers),
		Violations: []inspect.Violation{v}, ViolationCounts: map[string]uint64{v.Rule: 1}}
	for i := range p.Layers {
		p.Layers[i] = inspect.Layer{Format: "gzip", DetectedBy: "magic", Checked: []string{}}
	}
	r := inspect.NewReport()
	r.Add(p)
	return r
}
