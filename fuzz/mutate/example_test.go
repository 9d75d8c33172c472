package mutate_test

import (
	"fmt"

	"github.com/harden-input/harden/fuzz/mutate"
	"github.com/harden-input/harden/gzipcheck"
)

// The body of a fuzz target: whatever bytes the fuzzer comes up with, the
// decoder gets members with a true CRC-32, ISIZE and FHCRC.
func ExampleGzip() {
	for _, data := range []string{"any", "bytes", "at", "all"} {
		m := mutate.Gzip([]byte(data))
		out, err := gzipcheck.NewDecoder(gzipcheck.Limits{}).Decode(nil, m.Payload)
		if m.Whole && (err != nil || string(out) != string(m.Content)) {
			fmt.Println("a decoder refuses or changes an honest payload:", err)
		}
	}
	// Output:
}
