package main

import (
	"cmp"
	"io"
	"os"
	"slices"
	"time"
)

// A row is what all tools did on one input.
type row struct {
	input   input
	outcome []outcome // by tool
}

// An outcome is what a tool's runs on one input came to.
type outcome struct {
	median time.Duration
	maxRSS int64 // of all runs
	// worst is the run to be told of: the first that did not exit with 0.
	worst result
}

// compare runs every tool on one input, in turns, the first tool of a turn being
// another each time.
func compare(l launcher, tools []tool, in input, runs int) (row, error) {
	if err := warm(in.path); err != nil {
		return row{}, err
	}
	results := make([][]result, len(tools))
	for turn := range runs {
		for i := range tools {
			k := (turn + i) % len(tools)
			r, err := l.run(tools[k].path, append(slices.Clone(tools[k].args), in.path)...)
			if err != nil {
				return row{}, err
			}
			results[k] = append(results[k], r)
		}
	}
	out := row{input: in}
	for _, rs := range results {
		out.outcome = append(out.outcome, summarise(rs))
	}
	return out, nil
}

// warm reads a file once, so that no tool is the one that waits for the disk.
func warm(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(io.Discard, f)
	return err
}

// summarise takes the median of the times, between the middle two where their
// number is even.
func summarise(rs []result) outcome {
	var o outcome
	for _, r := range rs {
		o.maxRSS = max(o.maxRSS, r.MaxRSS)
		if o.worst.Exit == 0 && !o.worst.TimedOut {
			o.worst = r
		}
	}
	sorted := slices.SortedFunc(slices.Values(rs), func(a, b result) int { return cmp.Compare(a.Elapsed, b.Elapsed) })
	o.median = (sorted[(len(sorted)-1)/2].Elapsed + sorted[len(sorted)/2].Elapsed) / 2
	return o
}
