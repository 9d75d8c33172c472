package inspect

import (
	"fmt"
	"io"

	"github.com/harden-input/harden/rule"
)

// CompressedLayers returns how many of p's layers are around others, counted
// from the outermost inwards.
func (p *Payload) CompressedLayers() int {
	n := 0
	for n < len(p.Layers) {
		if f := formatNamed(p.Layers[n].Format); f == nil || f.open == nil {
			break
		}
		n++
	}
	return n
}

// CompressedLayers returns how many layers of c may be around others; 16, the
// most that there can be, where every layer is detected.
func (c Chain) CompressedLayers() int {
	if c.IsAuto() {
		return maxLayers
	}
	n := 0
	for _, l := range c.links {
		if l.format.open != nil {
			n++
		}
	}
	return n
}

// Peel returns what is inside the n outermost layers of held, and its length in
// bytes. p is what [Inspector.InspectHeld] found of it, and clean; n is at most
// p.CompressedLayers(). Where n is 0, it is the payload itself. The content is
// inflated as it is read, under the limits of the inspector, and is the same
// that was judged. Close the reader.
func (ins *Inspector) Peel(p *Payload, held *Held, n int) (content io.ReadCloser, size uint64, err error) {
	if p.Verdict != Clean || n > p.CompressedLayers() {
		return nil, 0, fmt.Errorf("%d layers of a payload that is %s cannot be peeled", n, p.Verdict)
	}
	size = uint64(held.Size())
	at := peeled{Reader: io.NewSectionReader(held, 0, held.Size())}
	for i := range n {
		c := formatNamed(p.Layers[i].Format).open(at.Reader, &ins.cfg.Limits)
		at.Reader, at.layers = c, append(at.layers, c)
		size, _ = p.Layers[i].Decompressed.Get()
	}
	return at, size, nil
}

// peeled is the content of layers that were opened one inside the other.
type peeled struct {
	io.Reader
	layers []content
}

func (p peeled) Close() error {
	for _, c := range p.layers {
		_ = c.Close() // gives back memory, and reads nothing
	}
	return nil
}

// Reject adds v, which was found in the layer with index layer by who used the
// payload after it was judged, and makes it rejected.
func (p *Payload) Reject(layer int, v *rule.Violation) {
	f := formatNamed(p.Layers[layer].Format)
	p.Violations = append(p.Violations, newViolation(layer, v, rule.Error, f != nil && f.pointers))
	p.ViolationCounts[v.Rule.ID]++
	p.Verdict = Rejected
}
