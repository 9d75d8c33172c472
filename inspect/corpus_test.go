package inspect

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/internal/forge"
)

// rulesOf lists the rules that p violates, sorted, each once.
func rulesOf(p Payload) []string {
	return slices.Sorted(maps.Keys(p.ViolationCounts))
}

func payloadOf(t *testing.T, c corpus.Case) []byte {
	t.Helper()
	r := c.Open()
	defer r.Close()
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	return data
}

// Every case gets the verdict and the rules it states, from memory and from a
// stream. A large one is only streamed, as it is made.
func TestCorpusIsJudgedAsItStates(t *testing.T) {
	ins := newInspector(t, nil)
	judged := func(t *testing.T, c corpus.Case, in Input) {
		t.Helper()
		p := ins.Inspect(context.Background(), in)
		require.Equal(t, string(c.Verdict), string(p.Verdict), "%v", p.Violations)
		if c.Large && slices.Contains(c.Rules, "input/size") {
			return // only a file has its size before it is read
		}
		require.ElementsMatch(t, c.Rules, rulesOf(p))
	}
	for _, c := range corpus.All() {
		t.Run(c.ID, func(t *testing.T) {
			if !c.Large {
				judged(t, c, Bytes(c.FileName(), payloadOf(t, c)))
			}
			r := c.Open()
			defer r.Close()
			judged(t, c, Stream(c.FileName(), r))
		})
	}
}

// Every rule that a payload can violate has a case.
func TestCorpusHasEveryRule(t *testing.T) {
	without := map[string]string{
		"input/unreadable":        "is about the source, not the payload",
		"input/sandbox":           "is about the sandbox, not the payload",
		"input/time":              "is about the machine, not the payload",
		"input/record-size":       "is about a stream of records, not one payload",
		"input/decompressed-size": "two layers of 128 MiB are exactly its default",
		"gzip/isize-wrapped":      "needs more output than the default profile allows",
		"gzip/ratio":              "has no limit in the default profile",
		"json/array-elements":     "json/values has the same default, and counts the array too",
		"json/duplicate-key-fold": "is off in the default profile",
	}
	covered := make(map[string]bool)
	for _, c := range corpus.All() {
		for _, id := range c.Rules {
			covered[id] = true
		}
	}
	for _, r := range Rules() {
		require.NotEqual(t, covered[r.ID], without[r.ID] != "", r.ID)
	}
}

// underGzip are the rules of the cases that break others than they state once a
// member is around them.
var underGzip = map[string][]string{
	// What is named as a layer is not looked for: it is there or it is not.
	"gzip/compress-stream": {"input/format-mismatch"},
	"gzip/cut-in-magic":    {"input/format-mismatch"},
	"gzip/zlib-stream":     {"input/format-mismatch"},
	"gzip/empty-file":      {"input/format-mismatch"},
	"json/empty-file":      {"json/truncated"},
	"msgpack/empty-file":   {"msgpack/truncated"},
	// Two layers down no length is known, and limits are what is left.
	"gzip/msgpack-array-4g":        {"msgpack/array-length"},
	"gzip/msgpack-nested-4096":     {"msgpack/depth"},
	"gzip/msgpack-nested-promises": {"msgpack/depth"},
}

// Inside one more member, with one more layer allowed, a case breaks the rules
// that it states.
func TestCorpusUnderGzip(t *testing.T) {
	for _, c := range corpus.All() {
		t.Run(c.ID, func(t *testing.T) {
			if c.Large && testing.Short() {
				t.Skip("large")
			}
			if slices.Contains(c.Rules, "input/size") {
				t.Skip("is about the size of the file")
			}
			chain, err := ParseChain("gzip+" + strings.Join(c.Layers(), "+"))
			require.NoError(t, err)
			lim := DefaultLimits()
			lim.Input.MaxLayers++
			ins, err := New(Config{Limits: lim, Chain: chain})
			require.NoError(t, err)

			wrapped := corpus.Case{Large: c.Large, Payload: forge.Gzip{Body: forge.Runs(c)}}
			r := wrapped.Open()
			defer r.Close()
			p := ins.Inspect(context.Background(), Stream("-", r))

			rules, verdict := c.Rules, c.Verdict
			if other, ok := underGzip[c.ID]; ok {
				rules, verdict = other, corpus.Rejected
			}
			require.Equal(t, string(verdict), string(p.Verdict), "%v", p.Violations)
			require.ElementsMatch(t, rules, rulesOf(p))
		})
	}
}
