package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/guest"
	"github.com/harden-input/harden/rule"
)

// DefaultMemory is enough for an instance to judge any payload under the
// limits of every profile, in bytes.
const DefaultMemory = 64 << 20

const (
	// grace is how long after its time an instance is given to say so itself.
	grace = time.Second
	// recordsAtOnce is how many times the time for one record an instance may
	// work on a stream of records without reading on.
	recordsAtOnce = 10
)

// An Inspector judges payloads as an inspect.Inspector does, each in an
// instance of its own. It is immutable and safe for concurrent use.
//
// An instance keeps the limit input.max-time itself. One that has not answered
// a second later is ended: that payload's report then has the same verdict and
// violation, input/time, and no layers. In a stream of records that limit is
// for each, and an instance is ended that works ten times as long without
// reading on.
type Inspector struct {
	box    *Sandbox
	cfg    inspect.Config
	same   *inspect.Inspector // as it would judge without a sandbox
	memory uint64
}

// Inspector returns an Inspector whose instances may use memory bytes of linear
// memory each; 0 is what the module can address, 4 GiB. The error says what in
// cfg makes no sense, or that memory is less than an instance starts with.
func (s *Sandbox) Inspector(cfg inspect.Config, memory uint64) (*Inspector, error) {
	same, err := inspect.New(cfg)
	if err != nil {
		return nil, err
	}
	if rule.Exceeds(s.least, memory) {
		return nil, fmt.Errorf("%d bytes of memory are too few: an instance starts with %d", memory, s.least)
	}
	return &Inspector{box: s, cfg: cfg, same: same, memory: memory}, nil
}

// Inspect judges one payload, as inspect.Inspector.Inspect does.
func (ins *Inspector) Inspect(ctx context.Context, in inspect.Input) inspect.Payload {
	r := ins.report(ctx, in, true)
	if len(r.Payloads) == 1 {
		return r.Payloads[0]
	}
	p := inspect.Payload{Name: in.Name, Verdict: inspect.Skipped, Layers: []inspect.Layer{},
		Violations: []inspect.Violation{}, ViolationCounts: map[string]uint64{}}
	for reason := range r.Summary.Skipped {
		p.SkipReason = reason
	}
	return p
}

// InspectInto judges one payload and adds the result to r, as
// inspect.Inspector.InspectInto does.
func (ins *Inspector) InspectInto(ctx context.Context, in inspect.Input, r *inspect.Report) {
	r.Merge(ins.report(ctx, in, false))
}

// report judges one payload in a new instance.
func (ins *Inspector) report(ctx context.Context, in inspect.Input, whole bool) *inspect.Report {
	c := &call{name: in.Name, settings: ins.settings(&in, whole), memory: ins.memory}
	ctx, stop := ins.clock(ctx, in, c)
	defer stop()
	src := newSource(ctx, &in, c.watch)
	c.source = src
	answer, err := ins.box.run(ctx, ins.box, c)
	if ctx.Err() != nil {
		// Whatever it says: it may have seen its bytes end with the time.
		err = context.Cause(ctx)
	}
	var r *inspect.Report
	if err == nil {
		r, err = readReport(answer, whole || ins.same.RecordsIn(in) == inspect.NoRecords)
	}
	if err != nil {
		r = inspect.NewReport()
		r.Add(ins.same.Failed(in.Name, err))
		return r
	}
	ins.complete(r, in.Name, src.failure())
	return r
}

// settings are what the guest is told.
func (ins *Inspector) settings(in *inspect.Input, whole bool) []byte {
	s := guest.SettingsOf(&ins.cfg)
	s.Walked, s.Whole = in.Walked, whole
	s.OnUnknown = in.Unknown.String()
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings and numbers can always be written
	}
	return text
}

// complete writes into r what the guest could not know: names that are not
// UTF-8, and why reading failed.
func (ins *Inspector) complete(r *inspect.Report, name string, failure error) {
	for i := range r.Payloads {
		p := &r.Payloads[i]
		p.Name = name
		for j := range p.Violations {
			if v := &p.Violations[j]; v.Rule == unreadable && failure != nil {
				v.Message = ins.same.Failed(name, failure).Violations[0].Message
			}
		}
	}
}

// unreadable is the rule that quotes an error of the payload's reader.
const unreadable = "input/unreadable"
