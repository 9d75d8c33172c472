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
	for id, turnOn := range optionalChecks() {
		if r := known[id]; ins.severity(&rule.Violation{Rule: &r}) != rule.Off {
			turnOn(&ins.cfg.Limits)
		}
	}
	return ins, nil
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

// errTime is the cause of a context whose time for one payload ran out.
var errTime = errors.New("time ran out")

// Inspect judges one payload. It never returns an error of its own: what went
// wrong is in the verdict. It looks at ctx, and at the limit input.max-time,
// with every 64 KiB it reads.
func (ins *Inspector) Inspect(ctx context.Context, in Input) Payload {
	if t := ins.cfg.Limits.Input.MaxTime; t != 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, time.Duration(min(t, 1<<62)), errTime)
		defer cancel()
	}
	p := Payload{Name: in.Name, Layers: []Layer{}, Violations: []Violation{}, ViolationCounts: map[string]uint64{}}
	j := job{ins: ins, ctx: ctx, payload: &p}
	j.run(in)
	p.Verdict = j.verdict()
	return p
}
