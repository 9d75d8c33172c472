// Package inspect judges whole payloads: it detects their layers, measures each
// with the checker of its format, and writes down what it found.
//
//	ins, err := inspect.New(inspect.Config{Limits: inspect.DefaultLimits()})
//	…
//	p := ins.Inspect(ctx, inspect.Bytes("body", body))
//	if p.Verdict != inspect.Clean {
//		return fmt.Errorf("refused: %v", p.Violations)
//	}
//
// A payload is [Clean] only if it was measured to its end and nothing at the
// configured severity was found. What could not be judged (empty, unreadable,
// unrecognised, out of time) is [Undecided], never clean.
//
// Content is never kept: memory does not depend on the payload, but for up to
// 8 MiB of a stream that are held to learn its size.
package inspect

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/harden-input/harden/rule"
)

// Config says how an Inspector judges. The zero Config has no limits and fails
// on errors; start from DefaultLimits or a [Profile].
type Config struct {
	Limits Limits
	// Severities overrides the severity of rules, by ID.
	Severities map[string]rule.Severity
	// Defaults replaces the default severity of rules, by ID. Unlike with
	// Severities, violations that weigh less than their rule (see
	// rule.Violation) keep their own.
	Defaults map[string]rule.Severity
	// FailOn is the severity from which on a violation rejects the payload.
	// The zero value stands for rule.Error.
	FailOn rule.Severity
	// Chain says what the layers are; the zero Chain detects them.
	Chain Chain
	// Records says that the innermost layer is a stream of records; payloads
	// whose name ends in .ndjson or .jsonl are one without it. Chain must then
	// end in their format, or be zero, which stands for that format alone.
	Records Records
	// OnPurpose lists the keys of limits that were set on purpose. For streams
	// of records, input.max-size, input.max-decompressed-size and
	// gzip.max-decompressed-size hold only where they are listed, and
	// input.max-time is the time for one record.
	OnPurpose []string
	// Shallow measures the outermost layer and inflates nothing.
	Shallow bool
}

// An Inspector judges payloads. It is immutable and safe for concurrent use.
type Inspector struct {
	cfg                  Config
	severities, defaults map[string]rule.Severity
}

// New returns an Inspector, or an error that says what in cfg makes no sense.
func New(cfg Config) (*Inspector, error) {
	if cfg.FailOn == rule.Off {
		cfg.FailOn = rule.Error
	}
	if cfg.Limits.Input.MaxLayers == 0 || cfg.Limits.Input.MaxLayers > maxLayers {
		cfg.Limits.Input.MaxLayers = maxLayers
	}
	ins := &Inspector{cfg: cfg, severities: map[string]rule.Severity{}, defaults: map[string]rule.Severity{}}
	known := map[string]rule.Rule{}
	for _, r := range Rules() {
		known[r.ID] = r
	}
	for _, set := range []struct{ from, to map[string]rule.Severity }{
		{cfg.Severities, ins.severities}, {cfg.Defaults, ins.defaults},
	} {
		for id, s := range set.from {
			r, ok := known[id]
			if !ok {
				return nil, &UnknownRuleError{ID: id}
			}
			if err := mayHave(r, s); err != nil {
				return nil, err
			}
			set.to[id] = s
		}
	}
	if err := ins.settleRecords(); err != nil {
		return nil, err
	}
	for id, turnOn := range optionalChecks() {
		if r := known[id]; ins.severity(&rule.Violation{Rule: &r}) != rule.Off {
			turnOn(&ins.cfg.Limits)
		}
	}
	return ins, nil
}

// settleRecords makes chain and records agree.
func (ins *Inspector) settleRecords() error {
	f := ins.cfg.Records.format()
	if f == nil {
		return nil
	}
	links := ins.cfg.Chain.links
	if ins.cfg.Chain.IsAuto() {
		ins.cfg.Chain = ins.cfg.Records.Chain()
	} else if last := links[len(links)-1].format; last != f {
		return fmt.Errorf("records are %s, so the format chain must end in %s: %q does not", ins.cfg.Records, f.name, ins.cfg.Chain)
	}
	return nil
}

// An UnknownRuleError names a rule that does not exist.
type UnknownRuleError struct{ ID string }

func (e *UnknownRuleError) Error() string { return fmt.Sprintf("unknown rule %q", e.ID) }

// mayHave refuses severities that would hide that a payload was not judged.
func mayHave(r rule.Rule, s rule.Severity) error {
	switch {
	case s == r.Default:
		return nil
	case r.Undecided:
		return fmt.Errorf("the severity of %s cannot be changed: it says that no judgement was possible", r.ID)
	case r.Stops && s < rule.Error && r.LimitKey != "":
		return fmt.Errorf("the severity of %s cannot be below error, because it ends the inspection: raise %s instead", r.ID, r.LimitKey)
	case r.Stops && s < rule.Error:
		return fmt.Errorf("the severity of %s cannot be below error, because it ends the inspection", r.ID)
	}
	return nil
}

// severity is what v weighs under the inspector's configuration.
func (ins *Inspector) severity(v *rule.Violation) rule.Severity {
	if s, ok := ins.severities[v.Rule.ID]; ok {
		return s
	}
	if s, ok := ins.defaults[v.Rule.ID]; ok && v.Severity == rule.Off {
		return s
	}
	return v.Default()
}

// ErrTime is the cause of a context whose time for one payload, the limit
// input.max-time, ran out.
var ErrTime = errors.New("time ran out")

// Inspect judges one payload. It never returns an error of its own: what went
// wrong is in the verdict. It looks at ctx, and at the limit input.max-time,
// with every 64 KiB it reads.
//
// Where the payload is a stream of records, its verdict is the worst of
// theirs; [Inspector.InspectInto] tells them apart.
func (ins *Inspector) Inspect(ctx context.Context, in Input) Payload {
	p, _ := ins.inspect(ctx, in, recordStream{})
	return p
}

// InspectInto is Inspect, with the result added to r. Of a stream of records,
// each record that is not clean is added as a payload of its own and clean ones
// are counted; the stream itself is added only where there is something to say
// of it as a whole. Memory does not depend on the number of records: above a
// thousand that are not clean, more are only counted.
func (ins *Inspector) InspectInto(ctx context.Context, in Input, r *Report) {
	p, s := ins.inspect(ctx, in, recordStream{report: r})
	if !s.read || p.Verdict != Clean || len(p.Violations) > 0 {
		r.Add(p)
	}
}

// inspect judges one payload, whose records go where s says, and returns s as
// it ended.
func (ins *Inspector) inspect(ctx context.Context, in Input, s recordStream) (Payload, recordStream) {
	p := newPayload(in.Name)
	s.kind = ins.RecordsIn(in)
	j := job{ins: ins, ctx: ctx, lim: ins.cfg.Limits, payload: &p, records: s}
	if j.records.kind != NoRecords {
		j.lim = forRecords(j.lim, ins.cfg.OnPurpose)
		j.records.clock = &recordClock{allowed: j.allowedTime()}
	} else {
		defer j.startTime()()
	}
	j.run(in)
	p.Verdict = j.verdict()
	return p, j.records
}

// allowedTime is the limit input.max-time, 0 where there is none.
func (j *job) allowedTime() time.Duration { return time.Duration(min(j.lim.Input.MaxTime, 1<<62)) }

// startTime starts the time for the payload; stop gives back what it takes.
func (j *job) startTime() (stop func()) {
	if j.allowedTime() == 0 {
		return func() {}
	}
	j.ctx, stop = context.WithTimeoutCause(j.ctx, j.allowedTime(), ErrTime)
	return stop
}

// RecordsIn returns which records in holds: those of the configuration, or
// those that its name claims where nothing else is configured.
func (ins *Inspector) RecordsIn(in Input) Records {
	if ins.cfg.Records == NoRecords && ins.cfg.Chain.IsAuto() && claimsLines(in.Name) {
		return NDJSON
	}
	return ins.cfg.Records
}
