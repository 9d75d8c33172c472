package pointer

// A Path collects the steps to one value, whose depth is known, while a payload
// is scanned again from its start. It keeps only the steps that a pointer
// shows, however deep the scan goes in between. Names are not copied.
type Path struct {
	depth int
	steps [First + Last]Segment
}

// NewPath returns a Path to a value that lies depth containers deep, the root
// being 0 deep.
func NewPath(depth int) Path { return Path{depth: depth} }

// Set says that s is the step now taken in the container at level, 0 being the
// outermost. A later Set for the same level replaces it.
func (p *Path) Set(level int, s Segment) {
	if i, shown := p.slot(level); shown {
		p.steps[i] = s
	}
}

// slot returns where the step at level is kept, if it is.
func (p *Path) slot(level int) (i int, shown bool) {
	switch {
	case level < 0 || level >= p.depth:
		return 0, false
	case level < First:
		return level, true
	case level >= p.depth-Last:
		return First + (p.depth - 1 - level), true
	}
	return 0, false
}

// String returns the pointer. A step that was never set is shown as "…".
func (p *Path) String() string {
	return Render(p.depth, func(level int) Segment {
		i, _ := p.slot(level)
		return p.steps[i]
	})
}
