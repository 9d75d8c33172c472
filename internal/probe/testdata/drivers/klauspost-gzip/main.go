// Klauspost-gzip reads gzip with klauspost/compress.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
)

func main() {
	r, err := gzip.NewReader(os.Stdin)
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
