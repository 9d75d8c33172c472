package inspect

import (
	"errors"
	"io"

	"github.com/harden-input/harden/rule"
)

// A format is one row of the table that all format knowledge of this package
// comes from: a later format is one checker package and one row.
type format struct {
	name string
	// claims lists the file name extensions that claim the format.
	claims []string
	// looks reports whether a layer that begins with window looks like the
	// format. whole tells that nothing follows window; named that somebody
	// named the payload, so that a weaker sign will do.
	looks func(window []byte, whole, named bool) bool
	// detectedBy is what the report says of a layer that looks found.
	detectedBy string
	// lines says that the format is text, so that a place in it has a line;
	// pointers that it has values, which RFC 6901 pointers name.
	lines, pointers bool
	// measure judges a layer whose bytes are all in data.
	measure func(data []byte, lim *Limits) (outcome, error)
	// measureReader judges a layer of size bytes, −1 where that is unknown.
	measureReader func(r io.Reader, size int64, lim *Limits) (outcome, error)
	// open gives the content of a layer that is around others, and is nil for
	// the rest.
	open func(r io.Reader, lim *Limits) content
}

// An outcome is a checker's measurement in the words of this package.
type outcome struct {
	complete   bool
	violations rule.List
	facts      Facts
	checked    []string
	// size is the length of the layer's content, where it has any.
	size uint64
}

// content is what is inside a layer that is around others. Read goes on past
// violations after which it can; outcome tells them all.
type content interface {
	io.ReadCloser
	outcome() outcome
}

// formats is the table, in the order of detection.
func formats() []*format {
	return []*format{&gzipFormat, &jsonFormat, &msgpackFormat}
}

func formatNamed(name string) *format {
	for _, f := range formats() {
		if f.name == name {
			return f
		}
	}
	return nil
}

// fromReader returns err where it is the reader's, nil where it is one of the
// violations that the measuring pass found.
func fromReader(err error, found *rule.List) error {
	var v *rule.Violation
	if first := found.Err(); first != nil && errors.As(err, &v) && v == first.(*rule.Violation) {
		return nil
	}
	return err
}
