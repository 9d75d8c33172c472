//go:build !wasip1

package probe_test

import (
	"fmt"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/internal/probe"
)

func ExampleSelection() {
	s := probe.Selection{Formats: []string{"msgpack"}, IDs: []string{"msgpack/array32-4g", "gzip/isize-4g"}}
	for _, c := range s.From(corpus.All()) {
		fmt.Println(c.ID, c.Kind)
	}
	// Output: msgpack/array32-4g hostile
}
