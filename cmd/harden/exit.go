package main

import "fmt"

// Exit codes. They are a contract: see the table in the README.
const (
	// ExitClean: at least one payload was inspected, and all are clean.
	ExitClean = 0
	// ExitRejected: at least one payload was rejected. --exit-code changes it.
	ExitRejected = 1
	// ExitUndecided: something could not be judged, nothing was inspected, or
	// the command line or configuration is wrong. It outranks ExitRejected.
	// A Go program on wasip1 also ends in 2 after a panic and where memory
	// runs out, so a crash never looks like a verdict.
	ExitUndecided = 2

	// maxExitCode is the largest code that hosts of every kind hand on.
	maxExitCode = 125
)

// checkRejectedCode looks at the value of --exit-code.
func checkRejectedCode(n int) error {
	if n != ExitRejected && (n <= ExitUndecided || n > maxExitCode) {
		return fmt.Errorf("--exit-code %d: use 1, or 3 to %d", n, maxExitCode)
	}
	return nil
}
