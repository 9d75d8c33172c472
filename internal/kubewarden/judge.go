package kubewarden

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/report"
	"github.com/harden-input/harden/rule"
)

// maxShown is how many violations a message tells of; others are counted.
const maxShown = 3

// judge returns why the request is refused, "" if it is not.
func (p *policy) judge(ctx context.Context, request []byte) string {
	j := judgement{policy: p, ctx: ctx}
	find := finder{ctx: ctx, c: cursor{text: request}, found: j.field, met: map[*fieldPointer]bool{}}
	find.value(p.fields)
	switch {
	case find.fields > maxFields:
		j.refuse(fmt.Sprintf("the pointers match more than %d fields of the request", maxFields), 1)
	case find.late && !j.late:
		j.refuse("looking for the fields: "+outOfTime(p.time), 1)
	case !find.late:
		j.missing(find.met)
	}
	return j.message()
}

// A judgement is what was found of one request so far.
type judgement struct {
	policy *policy
	ctx    context.Context
	shown  []string
	more   uint64
	late   bool
}

// refuse notes a reason to refuse the request, which stands for n violations.
func (j *judgement) refuse(reason string, n uint64) {
	if len(j.shown) < maxShown {
		j.shown = append(j.shown, reason)
		n--
	}
	j.more += n
}

func (j *judgement) message() string {
	message := strings.Join(j.shown, "; ")
	if j.more > 0 {
		message += fmt.Sprintf("; and %d more", j.more)
	}
	return message
}

// missing refuses the request where a pointer without * led to nothing.
func (j *judgement) missing(met map[*fieldPointer]bool) {
	for _, f := range j.policy.fields {
		if !f.wild && !met[f] {
			j.refuse(fmt.Sprintf("%s is missing: the setting %s says that it is there", rule.Excerpt(f.text, maxPointer), keyFields), 1)
		}
	}
}

// field judges one field.
func (j *judgement) field(f *field) {
	if j.late {
		return
	}
	if j.ctx.Err() != nil {
		j.late = true
		j.refuse(fmt.Sprintf("%s: %s", f, outOfTime(j.policy.time)), 1)
		return
	}
	required := f.plain || j.policy.requireFormat
	if f.text == nil {
		if required {
			j.refuse(fmt.Sprintf("%s is not a string: base64 is expected", f), 1)
		}
		return
	}
	layers := peel(unquote(f.text))
	if len(layers) == 0 {
		if required {
			j.refuse(fmt.Sprintf("%s is not base64", f), 1)
		}
		return
	}
	// Bytes that can be read with base64 on them and without, as digits can,
	// are judged both ways.
	recognised := false
	for n, payload := range layers {
		if !j.late && j.policy.chain.Looks(payload, true, required) {
			recognised = true
			j.inspect(f, n+1, payload, required)
		}
	}
	if required && !recognised {
		j.inspect(f, 1, layers[0], true)
	}
}

// inspect judges what was in a field under base64, which was taken off so often.
func (j *judgement) inspect(f *field, peels int, payload []byte, named bool) {
	// Without a name: one that ends in .ndjson would make other limits hold,
	// and strangers choose the names of members.
	in := inspect.Bytes("", payload)
	in.Walked = !named
	p := j.policy.inspector.Inspect(j.ctx, in)
	if p.Verdict == inspect.Clean {
		return
	}
	name := f.String()
	if peels > 1 {
		name += " (base64 taken off twice)"
	}
	// What the payload counts and does not list goes with the first of its rule.
	unlisted := maps.Clone(p.ViolationCounts)
	for i := range p.Violations {
		unlisted[p.Violations[i].Rule]--
	}
	refused := false
	for i := range p.Violations {
		if v := &p.Violations[i]; v.Severity >= j.policy.failOn {
			j.late = j.late || v.Rule == ruleTime
			j.refuse(name+": "+describe(&p, v, j.policy.time), 1+unlisted[v.Rule])
			unlisted[v.Rule], refused = 0, true
		}
	}
	if !refused {
		j.refuse(fmt.Sprintf("%s: %v", name, errNotMeasured), 1)
	}
}

// Rules whose message is another here: there are no flags, and the time is that
// of the whole request.
const (
	ruleTime         = "input/time"
	ruleUnrecognised = "input/unrecognised"
)

// describe says what v is, with the amounts that its message may leave out. It
// was found within the time that was allowed.
func describe(p *inspect.Payload, v *inspect.Violation, allowed time.Duration) string {
	switch v.Rule {
	case ruleTime:
		return outOfTime(allowed)
	case ruleUnrecognised:
		return v.Rule + ": in no format that harden knows: name it with the setting " + keyChain
	}
	text := v.Rule + report.Where(p, v) + ": " + v.Message
	var amounts []string
	for _, a := range []struct {
		name   string
		amount rule.Amount
	}{{"declared", v.Declared}, {"actual", v.Actual}, {"limit", v.Limit}} {
		if n, known := a.amount.Get(); known {
			amounts = append(amounts, a.name+" "+report.Amount(n, v.Unit))
		}
	}
	if v.LimitKey != "" {
		text += " [" + v.LimitKey + "]"
	}
	if len(amounts) > 0 {
		text += " (" + strings.Join(amounts, ", ") + ")"
	}
	return text
}

func outOfTime(allowed time.Duration) string {
	return fmt.Sprintf("%s: not done within %s (%s)", ruleTime, allowed, keyMaxTime)
}

// A deadline is a context that ends at a time, which Err alone can tell. It looks
// at the clock itself: a WASI program has one thread, and no timer fires while
// that thread measures.
type deadline struct {
	context.Context
	end time.Time
}

func (d deadline) Err() error {
	if err := d.Context.Err(); err != nil {
		return err
	}
	if time.Now().After(d.end) {
		return context.DeadlineExceeded
	}
	return nil
}
