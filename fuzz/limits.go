package fuzz

import (
	"math/rand/v2"

	"github.com/harden-input/harden/rule"
)

// drawLimits sets limits that small inputs can reach, some of them to none.
func drawLimits[L any](r *rand.Rand, table []rule.LimitField[L]) L {
	var lim L
	for _, f := range table {
		*f.Field(&lim) = r.Uint64N(1 << r.UintN(12))
	}
	return lim
}

// monotone holds that whatever lim refuses is refused under a lower limit too.
func monotone[L any](r *rand.Rand, table []rule.LimitField[L], lim L, measure func(L) error) {
	refused := measure(lim)
	if refused == nil {
		return
	}
	for range 3 {
		lower, f := lim, table[r.IntN(len(table))]
		switch limit := f.Field(&lower); *limit {
		case 0:
			*limit = 1 + r.Uint64N(1<<r.UintN(12))
		case 1:
			continue
		default:
			*limit = 1 + r.Uint64N(*limit-1)
		}
		if measure(lower) == nil {
			broken("%v under %+v, but clean with a lower %s, under %+v", refused, lim, f.Key, lower)
		}
	}
}

// exact holds that a payload passes a limit that is what it costs, and breaks
// one that is less by one with the rule of that limit. costs has what a clean
// payload costs by the key of the limit.
func exact[L any](table []rule.LimitField[L], costs map[string]uint64, measure func(L) error) {
	for _, f := range table {
		cost, known := costs[f.Key]
		if !known || cost == 0 {
			continue // and a limit of zero would be none
		}
		var lim L
		*f.Field(&lim) = cost
		if err := measure(lim); err != nil {
			broken("%s is exactly %d, the cost: %v", f.Key, cost, err)
		}
		if cost == 1 {
			continue
		}
		*f.Field(&lim) = cost - 1
		v, _ := measure(lim).(*rule.Violation)
		if v == nil || v.Rule.LimitKey != f.Key {
			broken("%s is %d, one less than the cost: %v", f.Key, cost-1, v)
		}
	}
}
