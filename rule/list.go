package rule

import "iter"

// MaxKept is how many violations a List keeps besides the first of every rule.
const MaxKept = 64

// A List collects violations in bounded memory: it keeps the first violation
// of every rule and others up to MaxKept in all, and counts every one. The zero
// List is empty and ready; an empty List holds no memory.
type List struct {
	kept   []Violation
	counts []ruleCount
	last   int // index into counts that the last Add used
}

type ruleCount struct {
	rule *Rule
	n    uint64
}

// Add counts v, and keeps it if it is the first of its rule or there is room.
func (l *List) Add(v Violation) {
	c := l.count(v.Rule)
	c.n++
	if c.n == 1 || len(l.kept) < MaxKept {
		l.kept = append(l.kept, v)
	}
}

// count finds or makes the counter of r. There are at most as many counters as
// rules, and floods repeat one rule, so the last one used is tried first.
func (l *List) count(r *Rule) *ruleCount {
	if l.last < len(l.counts) && l.counts[l.last].rule == r {
		return &l.counts[l.last]
	}
	for i := range l.counts {
		if l.counts[i].rule == r {
			l.last = i
			return &l.counts[i]
		}
	}
	l.counts = append(l.counts, ruleCount{rule: r})
	l.last = len(l.counts) - 1
	return &l.counts[l.last]
}

// Kept returns the violations that were kept, in the order they were added.
// The slice is the list's own: do not change it.
func (l *List) Kept() []Violation { return l.kept }

// Empty reports whether nothing was added.
func (l *List) Empty() bool { return len(l.counts) == 0 }

// Total returns how many violations of all rules were added.
func (l *List) Total() uint64 {
	var n uint64
	for i := range l.counts {
		n += l.counts[i].n
	}
	return n
}

// Count returns how many violations of the rule with this ID were added.
func (l *List) Count(id string) uint64 {
	for i := range l.counts {
		if l.counts[i].rule.ID == id {
			return l.counts[i].n
		}
	}
	return 0
}

// Counts ranges over the rules that were violated, in the order of their first
// violation, and the exact number of violations of each.
func (l *List) Counts() iter.Seq2[*Rule, uint64] {
	return func(yield func(*Rule, uint64) bool) {
		for i := range l.counts {
			if !yield(l.counts[i].rule, l.counts[i].n) {
				return
			}
		}
	}
}

// Err returns the first violation whose rule's default severity is Error as a
// *Violation, or nil where there is none.
func (l *List) Err() error {
	for i := range l.kept {
		if l.kept[i].Rule.Default == Error {
			return &l.kept[i]
		}
	}
	return nil
}
