package inspect

import "github.com/harden-input/harden/rule"

// An expectation is what a layer is said to be.
type expectation struct {
	links []link // nil: nothing is said
	by    string // byChain or byName
	only  bool   // a chain has ended: what is inside is not judged
}

// choose decides what the layer with index i is, and what is expected inside
// it. It returns nil where the layer is not judged, having written down why.
func (j *job) choose(i int, window []byte, whole bool, want expectation) (f *format, by string, rest expectation) {
	if want.links == nil {
		if f = j.detect(i, window, whole); f != nil {
			by = f.detectedBy
		}
		return f, by, expectation{}
	}
	for n, l := range want.links {
		rest = expectation{links: want.links[n+1:], by: want.by}
		rest.only = len(rest.links) == 0
		// A format around others is known by its magic; what else is wrong
		// with a layer, the checker of the expected format says best.
		if l.format.open == nil {
			if other := container(window); other != nil {
				j.mismatch(i, l.format, want.by, "the bytes are "+other.name)
				return nil, "", rest
			}
			return l.format, want.by, rest
		}
		if l.format.looks(window, whole, j.named) {
			return l.format, want.by, rest
		}
		if !l.optional {
			j.mismatch(i, l.format, want.by, "the bytes are not")
			return nil, "", rest
		}
	}
	panic("inspect: a format chain ends in a layer that may be missing") // ParseChain refuses it
}

// detect returns the first format that window looks like.
func (j *job) detect(i int, window []byte, whole bool) *format {
	for _, f := range formats() {
		if f.looks(window, whole, j.named) {
			return f
		}
	}
	switch {
	case i > 0 && len(window) == 0:
		j.payload.Layers[i-1].Note = "content empty"
	case i > 0:
		j.payload.Layers[i-1].Note = "content not recognised, not checked"
	case j.skips:
		j.skip = "unrecognised"
	default:
		j.fail(i, errUnrecognised)
	}
	return nil
}

// container returns the format around others that window begins with.
func container(window []byte) *format {
	for _, f := range formats() {
		if f.open != nil && f.looks(window, false, true) {
			return f
		}
	}
	return nil
}

// mismatch lists the layer with index i as what it is said to be, and rejects it.
func (j *job) mismatch(i int, f *format, by, found string) {
	j.payload.Layers = append(j.payload.Layers, Layer{Format: f.name, DetectedBy: by, Checked: []string{}})
	j.add(i, rule.Violation{Rule: &formatMismatch, Message: "said to be " + f.name + ", " + found})
}
