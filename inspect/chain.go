package inspect

import (
	"fmt"
	"slices"
	"strings"
)

// A Chain says what the layers of a payload are, outermost first. The zero
// Chain is "auto": detect every layer.
type Chain struct {
	links []link
}

// A link is one layer of a chain.
type link struct {
	format   *format
	optional bool // "gzip?": the layer may be missing
}

// ParseChain reads a chain such as "json", "gzip+json", "gzip?+msgpack" or
// "gzip", which names the container alone. "auto" is the zero Chain.
func ParseChain(s string) (Chain, error) {
	if s == "auto" {
		return Chain{}, nil
	}
	var c Chain
	for name := range strings.SplitSeq(s, "+") {
		l := link{}
		name, l.optional = strings.CutSuffix(name, "?")
		if l.format = formatNamed(name); l.format == nil {
			return Chain{}, fmt.Errorf("format chain %q: unknown format %q: use %s, joined by +", s, name, strings.Join(Formats(), ", "))
		}
		if n := len(c.links); n > 0 && c.links[n-1].format.open == nil {
			return Chain{}, fmt.Errorf("format chain %q: nothing can be inside %s", s, c.links[n-1].format.name)
		}
		if l.optional && l.format.open == nil {
			return Chain{}, fmt.Errorf("format chain %q: %s? makes no sense, only a layer around others may be missing", s, name)
		}
		c.links = append(c.links, l)
	}
	if c.links[len(c.links)-1].optional {
		return Chain{}, fmt.Errorf("format chain %q: name what is inside, as in %sjson", s, s+"+")
	}
	if len(c.links) > maxLayers+1 {
		return Chain{}, fmt.Errorf("format chain %q: more than %d layers", s, maxLayers)
	}
	return c, nil
}

// IsAuto reports whether c leaves every layer to detection.
func (c Chain) IsAuto() bool { return len(c.links) == 0 }

// Looks reports whether a payload that starts with the bytes of window begins
// like a payload of the chain: its outermost layer is looked at, and nothing is
// judged. whole says that nothing follows window. Where the chain is auto, the
// payload may be in any format that detection finds; named says that somebody
// named it, so that a weaker sign will do (see [Input.Walked]).
func (c Chain) Looks(window []byte, whole, named bool) bool {
	if len(window) > detectWindow {
		window, whole = window[:detectWindow], false
	}
	if c.IsAuto() {
		return slices.ContainsFunc(formats(), func(f *format) bool { return f.looks(window, whole, named) })
	}
	for _, l := range c.links {
		if l.format.looks(window, whole, true) {
			return true
		}
		if !l.optional {
			break
		}
	}
	return false
}

// String returns the form that ParseChain reads.
func (c Chain) String() string {
	if c.IsAuto() {
		return "auto"
	}
	var b strings.Builder
	for i, l := range c.links {
		if i > 0 {
			b.WriteByte('+')
		}
		b.WriteString(l.format.name)
		if l.optional {
			b.WriteByte('?')
		}
	}
	return b.String()
}

// Formats returns the names of all formats that a chain can name.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}
