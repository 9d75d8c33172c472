//go:build !harden_man

// Harden tells, before anything is decoded, what a payload would cost to decode
// and whether it lies about that cost.
package main

import (
	"context"
	"os"
)

func main() {
	readyStdio()
	c := Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	os.Exit(c.Main(context.Background(), os.Args))
}
