package kubewarden

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/harden-input/harden/rule"
)

// What the pointers of one policy may be.
const (
	maxPointers = 32
	maxSteps    = 16
	maxPointer  = 1 << 10 // bytes
)

// A fieldPointer is an RFC 6901 JSON Pointer into the request, whose steps may
// also be *, which stands for every element or member.
type fieldPointer struct {
	text  string
	steps []step
	wild  bool // some step is *
}

// A step leads from an array or object to a value in it.
type step struct {
	any   bool
	name  string
	index int // −1 for a name that is no index
}

func (s *step) toMember(name string) bool { return s.any || s.name == name }
func (s *step) toElement(index int) bool  { return s.any || s.index == index }

func parsePointer(text string) (*fieldPointer, error) {
	fail := func(format string, args ...any) (*fieldPointer, error) {
		return nil, fmt.Errorf("pointer %q: %s", rule.Excerpt(text, 64), fmt.Sprintf(format, args...))
	}
	p := &fieldPointer{text: text}
	if text == "" {
		return p, nil // the request itself
	}
	if len(text) > maxPointer {
		return fail("longer than %d bytes", maxPointer)
	}
	rest, ok := strings.CutPrefix(text, "/")
	if !ok {
		return fail("begin it with /, as in /payload")
	}
	for segment := range strings.SplitSeq(rest, "/") {
		if len(p.steps) == maxSteps {
			return fail("more than %d steps", maxSteps)
		}
		name, ok := unescape(segment)
		if !ok {
			return fail("write ~0 for ~ and ~1 for / in a name")
		}
		p.steps = append(p.steps, step{any: segment == "*", name: name, index: elementIndex(segment)})
		p.wild = p.wild || segment == "*"
	}
	return p, nil
}

// unescape undoes the escapes of RFC 6901, section 3.
func unescape(segment string) (name string, ok bool) {
	parts := strings.Split(segment, "~")
	for i, part := range parts[1:] {
		switch {
		case strings.HasPrefix(part, "0"):
			parts[i+1] = "~" + part[1:]
		case strings.HasPrefix(part, "1"):
			parts[i+1] = "/" + part[1:]
		default:
			return "", false
		}
	}
	return strings.Join(parts, ""), true
}

// elementIndex reads an array index as RFC 6901, section 4 has it.
func elementIndex(segment string) int {
	n, err := strconv.ParseUint(segment, 10, 31)
	if err != nil || strconv.FormatUint(n, 10) != segment {
		return -1
	}
	return int(n)
}
