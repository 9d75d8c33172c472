//go:build harden_man

// With the tag harden_man this package is the generator of the man page, which
// the build runs and no release ships:
//
//	go run -tags harden_man ./cmd/harden > build/harden.1
//
// It needs the part of cli that urfave_cli_no_docs keeps out of harden itself.
package main

import (
	"fmt"
	"os"
)

func main() {
	app := (&Command{}).app(new(int))
	app.Description = "The exit code is 0 where at least one payload was inspected and all are clean, " +
		"1 where at least one was rejected, and 2 where something could not be judged, nothing was inspected, " +
		"or the command line or configuration is wrong. Reports, payloads and what was asked for by name go to stdout, " +
		"everything else to stderr."
	page, err := app.ToManWithSection(1)
	if err != nil {
		fmt.Fprintf(os.Stderr, "harden: making the man page: %v\n", err)
		os.Exit(1)
	}
	fmt.Print(page)
}
