//go:build !wasip1

// Command harden-reactor is a WebAssembly module. See docs/reactor.md.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "harden-reactor is a WebAssembly module for hosts: build it with make wasm-reactor")
	os.Exit(2)
}
