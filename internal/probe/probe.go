//go:build !wasip1

package probe

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/harden-input/harden/corpus"
)

// Options say what is run on what, and what it may cost. Zero limits are none.
type Options struct {
	// Command is the program and its arguments. Where an argument holds {},
	// that stands for the name of a file with the payload, and stdin is
	// empty; otherwise stdin is the payload.
	Command []string
	// Cases are the payloads that are reported on. Benign are those that run
	// first to learn what the command needs anyway (see Baseline).
	Cases, Benign []corpus.Case
	// Expected are the formats that the command is known to read. Where it
	// accepts nothing of one, the run decides nothing.
	Expected []string
	// Timeout is what one payload may take.
	Timeout time.Duration
	// Memory is what one payload may cost, in bytes.
	Memory uint64
	// MaxOutput is how much the command may write to stdout and stderr for
	// one payload, in bytes.
	MaxOutput uint64
	// Jobs is how many payloads are probed at once; 0 is 1. More make times
	// less exact.
	Jobs int

	polling atomic.Bool // ptrace is not permitted
}

// errNothing says that there is nothing to run.
var errNothing = errors.New("no case is selected")

// Run probes the command. The error says why it could not be: a command that
// cannot be started, a payload that cannot be made, a folder that cannot be
// written. Where ctx ends early, whatever was started is killed, and the report
// is about the cases that were through.
func Run(ctx context.Context, o *Options) (*Report, error) {
	if len(o.Command) == 0 {
		return nil, errors.New("no command is given")
	}
	if len(o.Cases) == 0 {
		return nil, errNothing
	}
	program, err := exec.LookPath(o.Command[0])
	if err != nil {
		return nil, fmt.Errorf("the command cannot be started: %w", err)
	}
	st, err := newStage(program, o.Command)
	if err != nil {
		return nil, err
	}
	first := o.Benign
	for _, format := range formatsOf(o.Cases) {
		first = slices.Concat(first, refused(format))
	}
	endings, err := o.runAll(ctx, st, union(first, o.Cases))
	if err = errors.Join(err, st.remove()); err != nil {
		return nil, err
	}
	return o.report(endings), nil
}

// union returns first and then what second has more, by ID.
func union(first, second []corpus.Case) []corpus.Case {
	all, seen := slices.Clone(first), map[string]bool{}
	for _, c := range first {
		seen[c.ID] = true
	}
	for _, c := range second {
		if !seen[c.ID] {
			all = append(all, c)
		}
	}
	return all
}

// runAll returns how the command ended for each of cases, by ID. Those that
// were not through when ctx ended are missing.
func (o *Options) runAll(ctx context.Context, st *stage, cases []corpus.Case) (map[string]*ending, error) {
	all := make([]*ending, len(cases))
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(max(1, o.Jobs))
	for i, c := range cases {
		group.Go(func() error {
			if running.Err() != nil {
				return nil
			}
			e, err := o.run(running, st, c)
			if err != nil {
				return fmt.Errorf("%s: %w", c.ID, err)
			}
			if e.stopped != interrupted {
				all[i] = e
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	byID := make(map[string]*ending, len(cases))
	for i, c := range cases {
		if all[i] != nil {
			byID[c.ID] = all[i]
		}
	}
	return byID, nil
}

// run runs the command on one case.
func (o *Options) run(ctx context.Context, st *stage, c corpus.Case) (*ending, error) {
	p, err := st.set(ctx, c)
	if err != nil {
		if ctx.Err() != nil {
			return &ending{stopped: interrupted}, nil
		}
		return nil, err
	}
	e, err := o.execute(ctx, st.program, p)
	return e, errors.Join(err, p.remove())
}
