//go:build !linux

// Command benchsandbox prints what workers cost that judge payloads in a
// sandbox.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "benchsandbox reads /proc: run it on Linux")
	os.Exit(2)
}
