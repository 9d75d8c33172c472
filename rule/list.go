package rule

import "iter"

// MaxKept is how many violations a List keeps besides the first of every rule.
const MaxKept = 64

// A List collects violations in bounded memory: it keeps the first violation
// of every rule and severity and others up to MaxKept in all, and counts every
// one. The zero List is empty and ready; an empty List holds no memory.
type List struct {
	kept   []Violation
	groups []group
	last   int // index into groups that the last Add used
}

// A group is the violations of one rule and severity.
type group struct {
	rule     *Rule
	severity Severity // as in Violation.Severity
	first    int      // index into kept
	n        uint64
}

// Add counts v, and keeps it if it is the first of its rule and severity or
// there is room.
func (l *List) Add(v Violation) {
	g := l.group(&v)
	g.n++
	if g.n == 1 || len(l.kept) < MaxKept {
		l.kept = append(l.kept, v)
	}
}

// group finds or makes the group of v. There are at most as many groups as
// rules and severities, and floods repeat one, so the last one used is tried
// first.
func (l *List) group(v *Violation) *group {
	if l.last < len(l.groups) && l.groups[l.last].holds(v) {
		return &l.groups[l.last]
	}
	for i := range l.groups {
		if l.groups[i].holds(v) {
			l.last = i
			return &l.groups[i]
		}
	}
	l.groups = append(l.groups, group{rule: v.Rule, severity: v.Severity, first: len(l.kept)})
	l.last = len(l.groups) - 1
	return &l.groups[l.last]
}

func (g *group) holds(v *Violation) bool { return g.rule == v.Rule && g.severity == v.Severity }

// Kept returns the violations that were kept, in the order they were added.
// The slice is the list's own: do not change it.
func (l *List) Kept() []Violation { return l.kept }

// Empty reports whether nothing was added.
func (l *List) Empty() bool { return len(l.groups) == 0 }

// Total returns how many violations of all rules were added.
func (l *List) Total() uint64 {
	var n uint64
	for i := range l.groups {
		n += l.groups[i].n
	}
	return n
}

// Count returns how many violations of the rule with this ID were added.
func (l *List) Count(id string) uint64 {
	var n uint64
	for i := range l.groups {
		if l.groups[i].rule.ID == id {
			n += l.groups[i].n
		}
	}
	return n
}

// Firsts ranges over the first violation of each rule and severity, in the
// order they were added, and the exact number of those like it.
func (l *List) Firsts() iter.Seq2[*Violation, uint64] {
	return func(yield func(*Violation, uint64) bool) {
		for i := range l.groups {
			if !yield(&l.kept[l.groups[i].first], l.groups[i].n) {
				return
			}
		}
	}
}

// Err returns the first violation whose severity by default is Error as a
// *Violation, or nil where there is none.
func (l *List) Err() error {
	for i := range l.kept {
		if l.kept[i].Default() == Error {
			return &l.kept[i]
		}
	}
	return nil
}
