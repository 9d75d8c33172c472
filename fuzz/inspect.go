package fuzz

import (
	"bytes"
	"context"
	"io"
	"reflect"
	"slices"
	"sync"

	"github.com/harden-input/harden/gzipcheck"
	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/jsoncheck"
	"github.com/harden-input/harden/msgpackcheck"
	"github.com/harden-input/harden/rule"
)

// names are what payloads are called: claims, none, and what claims too much.
func names() []string {
	return []string{
		"a", "-", "a.gz", "a.json", "a.json.gz", "a.msgpack", "a.mpk.gz", "a.ndjson", "a.jsonl.gz", "a.geojson",
		"A.JSON", "a.json.bak", ".json", "d.json/a", "a.gz.gz", "a.\x1bjson", "::error::a.json", "",
	}
}

// inspectLimits are the default ones, but for what takes time: a finding must
// not depend on a clock.
func inspectLimits() inspect.Limits {
	lim := inspect.DefaultLimits()
	lim.Input.MaxTime = 0
	lim.Input.MaxDecompressedSize = 1 << 20
	lim.Gzip.MaxDecompressedSize = 1 << 20
	return lim
}

// inspector returns an Inspector for a chain and records that there are.
func inspector(chain string, records inspect.Records) *inspect.Inspector {
	c, err := inspect.ParseChain(chain)
	if err != nil {
		panic(err)
	}
	ins, err := inspect.New(inspect.Config{Limits: inspectLimits(), Chain: c, Records: records})
	if err != nil {
		panic(err)
	}
	return ins
}

// autoInspector detects what it is given.
var autoInspector = sync.OnceValue(func() *inspect.Inspector { return inspector("auto", inspect.NoRecords) })

// Inspect holds that a payload under any name gets a verdict that its violations
// and layers bear out, and the same one from memory, a file and a stream.
func Inspect(data []byte) int {
	ctx := context.Background()
	r := draw(data)
	all := names()
	name := all[r.IntN(len(all))]
	ins := autoInspector()
	want := ins.Inspect(ctx, inspect.Bytes(name, data))
	borneOut(&want)
	for how, in := range map[string]inspect.Input{
		"file":      inspect.File(name, bytes.NewReader(data), int64(len(data))),
		"bytewise":  inspect.Stream(name, bytewise(data)),
		"piecewise": inspect.Stream(name, piecewise(data, r)),
	} {
		if got := ins.Inspect(ctx, in); !reflect.DeepEqual(want, got) {
			broken("%s: %+v\nin memory %+v", how, got, want)
		}
	}
	walked := inspect.Bytes(name, data)
	walked.Walked = true
	switch p := ins.Inspect(ctx, walked); {
	case p.Verdict == inspect.Skipped:
	case !byContent(&want):
		if !reflect.DeepEqual(want, p) {
			broken("walked: %+v\nnamed %+v", p, want)
		}
	default:
		borneOut(&p)
		if p.Verdict == inspect.Rejected && want.Verdict != inspect.Rejected {
			broken("walked: %+v\nnamed %+v", p, want)
		}
	}
	return worth(want.Verdict == inspect.Clean)
}

// byContent tells whether some layer was recognised by its content alone, as
// less is in a file that nobody named.
func byContent(p *inspect.Payload) bool {
	return slices.ContainsFunc(p.Layers, func(l inspect.Layer) bool { return l.DetectedBy == "content" })
}

// borneOut holds that a verdict follows from what it rests on, under limits that
// fail on errors.
func borneOut(p *inspect.Payload) {
	rejecting, undecided := false, false
	for _, v := range p.Violations {
		undecided = undecided || v.Kind == rule.Unjudged
		rejecting = rejecting || v.Kind != rule.Unjudged && v.Severity >= rule.Error
		if v.Layer < 0 || v.Layer > len(p.Layers) {
			broken("a violation in layer %d of %d: %+v", v.Layer, len(p.Layers), p)
		}
	}
	complete := len(p.Layers) > 0
	for _, l := range p.Layers {
		complete = complete && l.Complete
	}
	want := inspect.Clean
	switch {
	case rejecting:
		want = inspect.Rejected
	case undecided || !complete:
		want = inspect.Undecided
	}
	if p.Verdict != want {
		broken("%s, but it should be %s: %+v", p.Verdict, want, p)
	}
}

// namedChains are chains and what says whether bytes are what they name.
var namedChains = sync.OnceValue(func() []namedChain {
	lim := inspectLimits()
	asJSON := func(data []byte) bool {
		_, err := jsoncheck.Measure(data, lim.JSON)
		return err == nil
	}
	asMsgpack := func(data []byte) bool {
		_, err := msgpackcheck.Measure(data, lim.Msgpack)
		return err == nil
	}
	inGzip := func(inside func([]byte) bool) func([]byte) bool {
		return func(data []byte) bool {
			content, err := gzipcheck.NewDecoder(lim.Gzip).Decode(nil, data)
			return err == nil && inside(content)
		}
	}
	perhaps := func(inside func([]byte) bool) func([]byte) bool {
		return func(data []byte) bool {
			if bytes.HasPrefix(data, []byte("\x1f\x8b")) {
				return inGzip(inside)(data)
			}
			return inside(data)
		}
	}
	chain := func(name string, clean func([]byte) bool) namedChain {
		return namedChain{name, inspector(name, inspect.NoRecords), clean}
	}
	return []namedChain{
		chain("json", asJSON),
		chain("msgpack", asMsgpack),
		chain("gzip", inGzip(func([]byte) bool { return true })),
		chain("gzip+json", inGzip(asJSON)),
		chain("gzip+msgpack", inGzip(asMsgpack)),
		chain("gzip+gzip+json", inGzip(inGzip(asJSON))),
		chain("gzip?+json", perhaps(asJSON)),
		chain("gzip?+msgpack", perhaps(asMsgpack)),
	}
})

type namedChain struct {
	name  string
	ins   *inspect.Inspector
	clean func(data []byte) bool
}

// Chains holds that a payload is clean under a chain that names its formats
// where the checkers of those formats find it clean, layer by layer.
func Chains(data []byte) int {
	passed := false
	for _, c := range namedChains() {
		p := c.ins.Inspect(context.Background(), inspect.Bytes("-", data))
		borneOut(&p)
		if want := len(data) > 0 && c.clean(data); want != (p.Verdict == inspect.Clean) {
			broken("as %s: clean for the checkers is %t, but %+v", c.name, want, p)
		}
		passed = passed || p.Verdict == inspect.Clean
	}
	return worth(passed)
}

// Filter holds that what is handed on was judged: the copy that InspectHeld
// keeps is the payload, its verdict that of Inspect, and what Peel takes out of
// each layer what a decoder does.
func Filter(data []byte) int {
	ctx := context.Background()
	ins := autoInspector()
	want := ins.Inspect(ctx, inspect.Bytes("-", data))
	p, held := ins.InspectHeld(ctx, "-", piecewise(data, draw(data)))
	if !reflect.DeepEqual(want, p) {
		broken("held: %+v\nInspect: %+v", p, want)
	}
	if held == nil {
		broken("nothing is held of %d bytes", len(data))
	}
	if p.Verdict != inspect.Clean {
		if _, _, err := ins.Peel(&p, held, 0); err == nil {
			broken("a payload that is %s can be peeled", p.Verdict)
		}
		return ordinary
	}
	content := data
	for n := 0; ; n++ {
		peeled, size, err := ins.Peel(&p, held, n)
		if err != nil {
			broken("peeling %d of %d layers: %v", n, p.CompressedLayers(), err)
		}
		got, err := io.ReadAll(peeled)
		if err != nil || peeled.Close() != nil || !bytes.Equal(got, content) || size != uint64(len(got)) {
			broken("%d layers off: %d bytes of %d, %v, not the %d that were judged", n, len(got), size, err, len(content))
		}
		if n == p.CompressedLayers() {
			return interesting
		}
		if content, err = gzipcheck.NewDecoder(inspectLimits().Gzip).Decode(nil, content); err != nil {
			broken("a clean layer: %v", err)
		}
	}
}
