//go:build !wasip1

package probe

import (
	"slices"

	"github.com/harden-input/harden/corpus"
)

// A Selection says which cases of a corpus are probed. Its zero value selects
// all that are not large.
type Selection struct {
	// Formats, Kinds and IDs each select the cases that have one of theirs;
	// empty ones select all.
	Formats []string
	Kinds   []corpus.Kind
	IDs     []string
	// Large selects cases above corpus.SeedSize too. One that is named in IDs
	// is selected without it.
	Large bool
}

// From returns the selected cases, in their order.
func (s Selection) From(cases []corpus.Case) []corpus.Case {
	var selected []corpus.Case
	for _, c := range cases {
		switch {
		case len(s.Formats) > 0 && !slices.Contains(s.Formats, c.Format()),
			len(s.Kinds) > 0 && !slices.Contains(s.Kinds, c.Kind),
			len(s.IDs) > 0 && !slices.Contains(s.IDs, c.ID),
			c.Large && !s.Large && len(s.IDs) == 0:
			continue
		}
		selected = append(selected, c)
	}
	return selected
}
