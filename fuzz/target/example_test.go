package target_test

import (
	"fmt"

	"github.com/harden-input/harden/fuzz/target"
)

func ExampleAll() {
	for _, t := range target.All() {
		if t.Format == "json" {
			fmt.Println(t.Name)
		}
	}
	// Output:
	// FuzzJSONChunks
	// FuzzJSONCounts
	// FuzzJSONLimits
	// FuzzJSONMeasure
	// FuzzJSONTruncation
}
