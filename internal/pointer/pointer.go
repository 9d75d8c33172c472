// Package pointer writes RFC 6901 JSON Pointers of bounded length for places in
// payloads of any depth, with names that cannot do harm where they are printed.
//
// A checker that kept its stack of containers renders from it:
//
//	p := pointer.Render(depth, func(level int) pointer.Segment {
//		if stack[level].array {
//			return pointer.Index(stack[level].index)
//		}
//		return pointer.Name(nameAt(level))
//	})
//
// One that kept nothing scans its payload a second time and tells a [Path]
// which step it takes at which level. Neither allocates before the string is
// made.
package pointer

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/harden-input/harden/rule"
)

// The bounds of a pointer. Segments between the First first and the Last last
// ones are left out and shown as one "/…", as are further ones around them
// where the pointer would be longer than MaxLength.
const (
	First = 16
	Last  = 16
	// MaxSegment is how many bytes of a name are shown, before escaping.
	MaxSegment = 64
	// MaxLength is the length in bytes of the longest pointer, escapes included.
	MaxLength = 1024
)

// KeptName is how many bytes from the start of a name are enough to render it
// as if the whole were there: a reader needs to keep no more.
const KeptName = MaxSegment + utf8.UTFMax

// elided stands for the segments left out.
const elided = "/…"

// side is the length in bytes that the segments before, and those after, the
// elided middle may have.
const side = (MaxLength - len(elided)) / 2

// A Segment is one step from a container to a value in it. The zero Segment
// stands for a step that is not known any more and is shown as "…".
type Segment struct {
	name  []byte
	index uint64
	kind  kind
}

type kind uint8

const (
	lost kind = iota
	isIndex
	isName
)

// Index is the step to element i of an array, counted from 0.
func Index(i uint64) Segment { return Segment{index: i, kind: isIndex} }

// Name is the step to the member of that name. The name is the decoded one; it
// may be any bytes, is not copied and must not change before it is rendered.
func Name(name []byte) Segment { return Segment{name: name, kind: isName} }

// escape does what RFC 6901 section 3 asks of a segment.
var escape = strings.NewReplacer("~", "~0", "/", "~1")

// text returns s as it stands in a pointer, its slash included.
func (s Segment) text() string {
	switch s.kind {
	case isIndex:
		return "/" + strconv.FormatUint(s.index, 10)
	case isName:
		return "/" + escape.Replace(rule.Excerpt(s.name, MaxSegment))
	}
	return elided
}

// Render returns the pointer of the value that lies depth containers deep: ""
// for the root. It asks at for the step taken in each container, level 0 being
// the outermost, and only for levels that are shown: below First, and from
// depth-Last on.
func Render(depth int, at func(level int) Segment) string {
	if depth <= 0 {
		return ""
	}
	var shown [First + Last]string
	first, last := shown[:0:First], shown[First:First]
	total := 0
	for level := 0; level < min(depth, First); level++ {
		first = append(first, at(level).text())
		total += len(first[level])
	}
	for level := max(First, depth-Last); level < depth; level++ {
		last = append(last, at(level).text())
		total += len(last[len(last)-1])
	}
	if depth <= First+Last && total <= MaxLength {
		return strings.Join(first, "") + strings.Join(last, "")
	}
	return cut(first, last)
}

// cut joins what fits of the segments, the middle left out. One segment is at
// most 4*MaxSegment bytes and an ellipsis, so that each side has one at least.
func cut(first, last []string) string {
	if len(last) == 0 {
		half := len(first) / 2
		first, last = first[:half], first[half:]
	}
	length, n := 0, 0
	for n < len(first) && length+len(first[n]) <= side {
		length += len(first[n])
		n++
	}
	length, from := 0, len(last)
	for from > 0 && length+len(last[from-1]) <= side {
		length += len(last[from-1])
		from--
	}
	return strings.Join(first[:n], "") + elided + strings.Join(last[from:], "")
}
