package inspect

import (
	"bytes"
	"context"
	"io"
	"maps"
	"path"
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

// stream is a source without a known size that does not offer a whole payload
// at once.
func stream(name string, r io.Reader) Input {
	return Stream(name, struct{ io.Reader }{r})
}

// Every case gets the verdict and the rules it states: where it is in memory,
// and where it comes as a stream.
func TestCorpusIsJudgedAsItStates(t *testing.T) {
	ins := newInspector(t, nil)
	for _, c := range corpus.All() {
		t.Run(c.ID, func(t *testing.T) {
			var slice, streamed Payload
			if !c.Large {
				slice = ins.Inspect(context.Background(), Bytes(c.FileName(), payloadOf(t, c)))
			}
			r := c.Open()
			defer r.Close()
			streamed = ins.Inspect(context.Background(), stream(c.FileName(), r))
			if c.Large {
				slice = streamed
			}
			for _, p := range []Payload{slice, streamed} {
				require.Equal(t, string(c.Verdict), string(p.Verdict), "%v", p.Violations)
				if slices.Contains(c.Rules, "input/size") && c.Large {
					continue // only a file has its size before it is read
				}
				require.ElementsMatch(t, c.Rules, rulesOf(p))
			}
		})
	}
}

// Every rule that a payload can violate has a case.
func TestCorpusHasEveryRule(t *testing.T) {
	without := map[string]string{
		"input/unreadable":        "is about the source, not the payload",
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

// underGzip are the cases that are judged in another way when one more member
// is around them, and what of.
var underGzip = map[string][]string{}

// Inside one more member a case breaks the rules that it states.
func TestCorpusUnderGzip(t *testing.T) {
	ins := newInspector(t, nil)
	for _, c := range corpus.All() {
		t.Run(c.ID, func(t *testing.T) {
			var payload io.WriterTo = forge.Gzip{Body: forge.Runs(c)}
			var packed bytes.Buffer
			if c.Large {
				t.Skip()
			}
			_, err := payload.WriteTo(&packed)
			require.NoError(t, err)
			p := ins.Inspect(context.Background(), Bytes(c.FileName()+".gz", packed.Bytes()))
			if !slices.Equal(rulesOf(p), c.Rules) || string(p.Verdict) != string(c.Verdict) {
				t.Errorf("%v %v -> %v %v", c.Verdict, c.Rules, p.Verdict, rulesOf(p))
			}
		})
	}
	_ = path.Base
	_ = strings.Cut
}
