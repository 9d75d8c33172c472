package inspect

import (
	"context"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/corpus"
)

// judgeCorpus inspects a case, in memory where it is small and as a stream
// where it is made while it is read.
func judgeCorpus(t *testing.T, ins *Inspector, c corpus.Case) Payload {
	t.Helper()
	r := c.Open()
	defer r.Close()
	if c.Large {
		return ins.Inspect(context.Background(), Stream(c.FileName(), r))
	}
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	return ins.Inspect(context.Background(), Bytes(c.FileName(), data))
}

// rulesOf lists the rules that p violates, sorted, each once.
func rulesOf(p Payload) []string {
	rules := []string{}
	for id := range p.ViolationCounts {
		rules = append(rules, id)
	}
	slices.Sort(rules)
	return rules
}

func TestCorpusIsJudgedAsItStates(t *testing.T) {
	ins, err := New(Config{Limits: DefaultLimits()})
	require.NoError(t, err)
	for _, c := range corpus.All() {
		t.Run(c.ID, func(t *testing.T) {
			p := judgeCorpus(t, ins, c)
			require.Equal(t, string(c.Verdict), string(p.Verdict), "%v", p.Violations)
			if slices.Contains(c.Rules, "input/size") && c.Large {
				return // only a file has its size before it is read
			}
			require.Equal(t, append([]string{}, c.Rules...), rulesOf(p))
		})
	}
}
