package inspect

import (
	"io"
	"slices"
	"strings"

	"github.com/harden-input/harden/jsoncheck"
	"github.com/harden-input/harden/rule"
)

// hasPointers reports whether violations of r are about values of a format
// that has some.
func hasPointers(r *rule.Rule) bool {
	name, _, _ := strings.Cut(r.ID, "/")
	f := formatNamed(name)
	return f != nil && f.pointers
}

// locate fills in line and column of the violations of the layer with index i,
// by reading its bytes once more. Where they came once, both stay unknown.
func (j *job) locate(i int, src bytesOf) {
	var at []*Violation
	for n := range j.payload.Violations {
		if v := &j.payload.Violations[n]; v.Layer == i && v.Pointer != nil {
			at = append(at, v)
		}
	}
	if len(at) == 0 || src.again == nil {
		return
	}
	slices.SortStableFunc(at, func(a, b *Violation) int { return int(min(max(a.Offset-b.Offset, -1), 1)) })
	r := src.again()
	defer r.Close()
	p := jsoncheck.Position{Line: 1, Column: 1}
	var offset int64
	buf := make([]byte, maxRead)
	for len(at) > 0 {
		n, err := io.ReadFull(r, buf[:min(int64(len(buf)), max(at[0].Offset-offset, 0))])
		p = p.After(buf[:n])
		offset += int64(n)
		if err != nil && err != io.EOF {
			return
		}
		for len(at) > 0 && at[0].Offset <= offset {
			at[0].Line, at[0].Column = p.Line, p.Column
			at = at[1:]
		}
	}
}
