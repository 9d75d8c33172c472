package inspect

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/harden-input/harden/internal/refill"
	"github.com/harden-input/harden/rule"
)

var (
	errEmpty        = errors.New("empty input")
	errUnrecognised = errors.New("not recognised as any known format: name it with --as")
)

// maxError bounds what the report quotes of an error, in bytes.
const maxError = 512

// add records one violation of a rule of this package.
func (j *job) add(layer int, v rule.Violation) {
	var list rule.List
	list.Add(v)
	j.addList(layer, &list, func(*rule.Rule) bool { return false })
}

// addList records a layer's violations, but for those of rules to leave out.
// As in a rule.List, the first of every
// rule and severity is kept, others while there is room.
func (j *job) addList(layer int, list *rule.List, leaveOut func(*rule.Rule) bool) {
	p := j.payload
	firsts := map[*rule.Violation]bool{}
	for v, n := range list.Firsts() {
		s := j.ins.severity(v)
		if s == rule.Off || leaveOut(v.Rule) {
			continue
		}
		firsts[v] = true
		p.ViolationCounts[v.Rule.ID] += n
		if v.Rule.Undecided {
			j.undecided = true
		} else if s >= j.ins.cfg.FailOn {
			j.rejected = true
		}
	}
	for i := range list.Kept() {
		v := &list.Kept()[i]
		s := j.ins.severity(v)
		if s == rule.Off || leaveOut(v.Rule) || !firsts[v] && len(p.Violations) >= rule.MaxKept {
			continue
		}
		p.Violations = append(p.Violations, newViolation(layer, v, s, hasPointers(v.Rule)))
	}
}

// fail writes down that the payload could not be judged to its end because of
// err: a limit of this package, or what makes it undecided.
func (j *job) fail(layer int, err error) {
	var v *rule.Violation
	var broken *BrokenError
	switch {
	case errors.As(err, &v):
		j.add(layer, *v)
	case j.undecided: // the first reason is enough
	case errors.Is(err, errEmpty), errors.Is(err, errNoRecords):
		j.add(layer, rule.Violation{Rule: &inputEmpty, Message: err.Error()})
	case errors.Is(err, errUnrecognised):
		j.add(layer, rule.Violation{Rule: &inputUnrecognised, Message: err.Error()})
	case errors.Is(err, ErrTime):
		j.add(layer, rule.Violation{Rule: &inputTime, LimitValue: rule.N(j.lim.Input.MaxTime), Unit: UnitTime,
			Message: "not done within " + time.Duration(j.lim.Input.MaxTime).String()})
	case errors.As(err, &broken):
		j.add(layer, rule.Violation{Rule: &inputSandbox, Detail: rule.Excerpt(broken.Reason, maxError), Message: "{detail}"})
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		j.add(layer, rule.Violation{Rule: &inputTime, Message: "the inspection was stopped from outside"})
	default:
		var read *refill.Error
		if errors.As(err, &read) {
			err = read.Err // the rule's name says that reading failed
		}
		j.add(layer, rule.Violation{Rule: &inputUnreadable, Detail: rule.Excerpt(err.Error(), maxError), Message: "{detail}"})
	}
}

// verdict judges the payload from what was written down.
func (j *job) verdict() Verdict {
	slices.SortStableFunc(j.payload.Violations, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.Offset, b.Offset))
	})
	incomplete := len(j.payload.Layers) == 0
	for _, l := range j.payload.Layers {
		incomplete = incomplete || !l.Complete
	}
	switch {
	case j.rejected:
		return Rejected
	case j.skip != "":
		j.payload.SkipReason = j.skip
		return Skipped
	case j.undecided || incomplete:
		return Undecided
	}
	return Clean
}
