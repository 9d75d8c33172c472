package inspect

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/harden-input/harden/internal/refill"
	"github.com/harden-input/harden/rule"
)

// What Layer.DetectedBy and Layer.Checked say.
const (
	byChain   = "as"
	byName    = "name"
	byMagic   = "magic"
	byContent = "content"

	checkedStructure = "structure"
	checkedCRC       = "crc"
	checkedContent   = "content"
)

// detectWindow is how much of a layer detection looks at.
const detectWindow = 4 << 10

// smallLayer is up to which size a layer in memory is measured in one piece,
// between two looks at the clock.
const smallLayer = maxRead

// A job is the inspection of one payload.
type job struct {
	ins     *Inspector
	ctx     context.Context
	lim     Limits
	payload *Payload
	records recordStream
	named   bool   // somebody named the payload
	skips   bool   // the payload is skipped if no format fits
	outputs uint64 // bytes that all layers together inflated to
	// What was found so far: a violation at fail-on, a reason why no
	// judgement is possible, a reason to skip the payload.
	rejected, undecided bool
	skip                string
}

// bytesOf is where a layer's bytes come from.
type bytesOf struct {
	at   io.ReaderAt // nil for bytes that come once
	r    io.Reader
	size int64  // −1: unknown
	data []byte // the bytes, where they are in memory
	in   *tap   // what r reads from: how the bytes ended
	// again gives the bytes once more; nil where that is not possible.
	again func() io.ReadCloser
}

func (j *job) run(in Input) {
	lim := &j.lim.Input
	j.named, j.skips = !in.Walked, in.skipsUnknown()
	if in.at == nil {
		in.r = refill.NewStoppable(j.ctx, in.r)
	}
	if rule.Exceeds(uint64(max(in.size, 0)), lim.MaxSize) {
		if j.passesOver(in) {
			j.skip = "unrecognised"
			return
		}
		j.add(0, rule.Violation{Rule: &inputSize, Declared: rule.N(uint64(in.size)), LimitValue: rule.N(lim.MaxSize),
			Unit: rule.UnitBytes, Message: "the payload has {declared} bytes, allowed are {limit}"})
		return
	}
	var total uint64
	root := &tap{ctx: j.ctx, clock: j.records.clock, r: &refill.Source{R: j.paced(&in)}, over: atMost(&total, lim.MaxSize, &inputSize, "the payload has more than {limit} bytes")}
	switch {
	case in.at != nil:
	case j.records.each != nil: // who waits for records gets each at once
		in.r = root
	default:
		held, err := in.hold(root)
		if err != nil {
			j.fail(0, err)
			return
		}
		in = held
	}
	want := expectation{links: j.ins.cfg.Chain.links, by: byChain}
	if j.ins.cfg.Chain.IsAuto() {
		want = expectation{links: claimOf(in.Name).links, by: byName}
	}
	switch {
	case in.size == 0 && in.Walked && j.skips && want.links == nil && !claimsGzip(in.Name):
		j.skip = "empty" // of a file that is said to be nothing, nothing is missing
		return
	case in.size == 0:
		j.fail(0, errEmpty)
		return
	}
	in, free, err := in.load()
	defer free()
	if err != nil {
		j.fail(0, err)
		return
	}
	src := bytesOf{at: in.at, r: in.r, size: in.size, data: in.data, in: root}
	if in.at != nil {
		src = j.reopen(src)
	}
	j.layer(0, src, want)
}

// passesOver reports whether a file that is too large is passed over as one in no
// known format, as a smaller one would be: its start tells.
func (j *job) passesOver(in Input) bool {
	if in.at == nil || !j.skips || !j.ins.cfg.Chain.IsAuto() || claimOf(in.Name).links != nil || claimsGzip(in.Name) {
		return false
	}
	window := make([]byte, min(in.size, detectWindow))
	if _, err := in.at.ReadAt(window, 0); err != nil && err != io.EOF {
		return false
	}
	for _, f := range formats() {
		if f.looks(window, in.size <= detectWindow, j.named) {
			return false
		}
	}
	return true
}

// reopen starts bytes that can be read more than once from their beginning.
func (j *job) reopen(src bytesOf) bytesOf {
	src.in = &tap{ctx: j.ctx, clock: j.records.clock, r: io.NewSectionReader(src.at, 0, src.size), over: func(int) error { return nil }}
	src.r = src.in
	src.again = func() io.ReadCloser { return io.NopCloser(j.reopen(src).r) }
	return src
}

// layer judges the layer with index i, and those inside it.
func (j *job) layer(i int, src bytesOf, want expectation) {
	window, whole, err := j.window(&src)
	if err != nil {
		j.sourceFailed(i, src, err)
		return
	}
	f, by, rest := j.choose(i, window, whole, want)
	if f == nil {
		return
	}
	j.payload.Layers = append(j.payload.Layers, Layer{Format: f.name, DetectedBy: by, Checked: []string{}})
	switch {
	case f == j.records.kind.format():
		j.readRecords(i, src)
	case f.open == nil:
		out, err := j.measure(f, src)
		j.finish(i, out)
		if err != nil {
			j.sourceFailed(i, src, err)
		}
		if f.lines {
			j.locate(i, src)
		}
	case uint64(i) >= j.lim.Input.MaxLayers:
		j.add(i, rule.Violation{Rule: &inputLayers, LimitValue: rule.N(j.lim.Input.MaxLayers),
			Unit: "layers", Message: "more than {limit} compressed layers inside each other"})
	case j.ins.cfg.Shallow:
		j.measureFirst(i, f, src)
		j.payload.Layers[i].Note = "shallow: content not inflated, not checked"
	case src.at != nil:
		if out, ok := j.measureFirst(i, f, src); ok {
			j.inflateMeasured(i, f, j.reopen(src), rest, out)
		}
	default:
		j.inflate(i, f, src, rest)
	}
}

// window returns the start of a layer without consuming it.
func (j *job) window(src *bytesOf) (window []byte, whole bool, err error) {
	if src.data != nil {
		return src.data[:min(len(src.data), detectWindow)], len(src.data) <= detectWindow, nil
	}
	size := detectWindow
	if j.records.each != nil {
		size = magicWindow
	}
	b := bufio.NewReaderSize(src.r, detectWindow)
	src.r = b
	window, err = b.Peek(size)
	if err != nil && err != io.EOF {
		return nil, false, err
	}
	return window, err == io.EOF, nil
}

// measure judges a layer by itself.
func (j *job) measure(f *format, src bytesOf) (outcome, error) {
	lim := &j.lim
	if src.data != nil && len(src.data) <= smallLayer {
		if j.ctx.Err() != nil {
			return outcome{}, context.Cause(j.ctx)
		}
		return f.measure(src.data, lim)
	}
	return f.measureReader(src.r, src.size, lim)
}

// measureFirst judges a layer around others by itself. It reports whether the
// content may be inflated: nothing of a refused layer is.
func (j *job) measureFirst(i int, f *format, src bytesOf) (outcome, bool) {
	lim := &j.lim.Input
	out, err := j.measure(f, src)
	j.finish(i, out)
	if err != nil {
		j.sourceFailed(i, src, err)
		return out, false
	}
	if rule.Exceeds(out.size, lim.MaxDecompressedSize) {
		j.add(i, rule.Violation{Rule: &inputDecompressedSize, Actual: rule.N(out.size), Unit: rule.UnitBytes,
			LimitValue: rule.N(lim.MaxDecompressedSize), Message: "content of {actual} bytes, allowed are {limit} in all layers"})
	}
	return out, out.complete && !j.rejected
}

// inflate judges a layer around others and what is inside it in one pass.
func (j *job) inflate(i int, f *format, src bytesOf, rest expectation) {
	c := f.open(src.r, &j.lim)
	defer c.Close()
	inner := j.content(i, c, bytesOf{size: -1}, rest)
	out := c.outcome()
	out.checked = j.checkedAround(i, out, inner)
	j.finish(i, out)
	switch err := inner.failure(); {
	case err == nil || fromReader(err, &out.violations) == nil:
	case src.in.failure() != nil && context.Cause(j.ctx) == nil:
		j.sourceFailed(i, src, src.in.failure())
	default:
		j.fail(i, err)
	}
}

// inflateMeasured judges what is inside a layer that was found sound, and what
// only inflating it can tell of the layer.
func (j *job) inflateMeasured(i int, f *format, src bytesOf, rest expectation, measured outcome) {
	c := f.open(src.r, &j.lim)
	defer c.Close()
	again := func() io.ReadCloser { return f.open(j.reopen(src).r, &j.lim) }
	inner := j.content(i, c, bytesOf{size: int64(measured.size), again: again}, rest)
	out := c.outcome()
	layer := &j.payload.Layers[i]
	layer.Checked = j.checkedAround(i, measured, inner)
	j.addList(i, &out.violations, func(r *rule.Rule) bool { return r.Stops || measured.violations.Count(r.ID) > 0 })
	err := inner.failure()
	if fromReader(err, &out.violations) == nil && err != nil {
		err = errChanged
	}
	if err != nil {
		j.fail(i, err)
	}
}

// errChanged is what two passes over one input say that see different bytes.
var errChanged = errors.New("the input changed while it was read")

// content judges what is inside the layer with index i, reads to its end if
// there is still anything to learn, and returns how it ended.
func (j *job) content(i int, c content, src bytesOf, rest expectation) *tap {
	inner := &tap{ctx: j.ctx, clock: j.records.clock, r: c, over: atMost(&j.outputs, j.lim.Input.MaxDecompressedSize,
		&inputDecompressedSize, "content has more than {limit} bytes in all layers")}
	if rest.only {
		j.payload.Layers[i].Note = "content not checked: the format chain names the container alone"
	} else {
		src.r, src.in = inner, inner
		j.layer(i+1, src, rest)
	}
	if inner.err == nil && !j.rejected && !j.undecided {
		// What comes is only counted and summed; how it ends is in the tap.
		_, _ = io.Copy(io.Discard, inner)
	}
	return inner
}

// checkedAround lists what was looked at in a layer whose content was read.
func (j *job) checkedAround(i int, out outcome, inner *tap) []string {
	checked := out.checked
	if errors.Is(inner.err, io.EOF) {
		checked = append(checked, checkedCRC)
	}
	if len(j.payload.Layers) > i+1 {
		checked = append(checked, checkedContent)
	}
	return checked
}

// finish writes a layer's outcome into the report.
func (j *job) finish(i int, out outcome) {
	layer := &j.payload.Layers[i]
	layer.Complete = out.complete
	layer.Facts = out.facts
	layer.Checked = append(layer.Checked, out.checked...)
	j.addList(i, &out.violations, func(*rule.Rule) bool { return false })
}

// sourceFailed writes down that a layer's bytes ended in err. Where they come
// out of another layer, that one knows why, and writes it down itself.
func (j *job) sourceFailed(i int, src bytesOf, err error) {
	if cause := src.in.failure(); cause != nil {
		if i > 0 {
			return
		}
		err = cause
	}
	j.fail(i, err)
}
