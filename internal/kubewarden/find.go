package kubewarden

import (
	"context"

	"github.com/harden-input/harden/internal/pointer"
)

// maxFields is how many fields of one request the pointers may match.
const maxFields = 4096

// A field is a value of the request that a pointer leads to.
type field struct {
	path []pointer.Segment
	// text is the value as written if it is a string, else nil.
	text []byte
	// plain says that a pointer without * leads to it.
	plain bool
}

// String returns where in the request the field is.
func (f *field) String() string {
	if len(f.path) == 0 {
		return "the request"
	}
	return pointer.Render(len(f.path), func(level int) pointer.Segment { return f.path[level] })
}

// stepsAtOnce is how many steps a finder takes between two looks at the clock.
const stepsAtOnce = 1024

// A finder looks up all pointers in one pass over a request.
type finder struct {
	ctx   context.Context
	c     cursor
	found func(*field)
	path  []pointer.Segment
	// met holds the plain pointers that led to a value.
	met map[*fieldPointer]bool
	// fields counts what was found; more than maxFields end the walk.
	fields int
	steps  int
	// late says that the time was over before the end of the request.
	late bool
}

// value passes over the value that comes, to which live have led so far.
func (f *finder) value(live []*fieldPointer) {
	var deeper []*fieldPointer
	here := field{path: f.path}
	ends := false
	for _, p := range live {
		if len(p.steps) > len(f.path) {
			deeper = append(deeper, p)
			continue
		}
		ends = true
		if !p.wild {
			here.plain, f.met[p] = true, true
		}
	}
	kind := f.c.kind()
	if ends {
		if kind == '"' {
			here.text = f.c.value()
		}
		if f.fields++; f.fields > maxFields {
			f.c.stopped = true
			return
		}
		f.found(&here)
	}
	switch {
	case here.text != nil:
	case len(deeper) == 0:
		f.c.value()
	case kind == '{':
		f.c.object(func(name string) {
			f.step(deeper, pointer.Name([]byte(name)), func(s *step) bool { return s.toMember(name) })
		})
	case kind == '[':
		f.c.array(func(index int) {
			f.step(deeper, pointer.Index(uint64(index)), func(s *step) bool { return s.toElement(index) })
		})
	default:
		f.c.value()
	}
}

// step passes over a value in an array or object, to which those of the
// pointers lead on whose next step leads there.
func (f *finder) step(pointers []*fieldPointer, to pointer.Segment, leads func(*step) bool) {
	if f.steps++; f.steps%stepsAtOnce == 0 && f.ctx.Err() != nil {
		f.late, f.c.stopped = true, true
		return
	}
	var live []*fieldPointer
	for _, p := range pointers {
		if leads(&p.steps[len(f.path)]) {
			live = append(live, p)
		}
	}
	if live == nil {
		f.c.value()
		return
	}
	f.path = append(f.path, to)
	f.value(live)
	f.path = f.path[:len(f.path)-1]
}
