//go:build !wasip1

package main

// readyStdio makes the standard streams ready for use, which they are.
func readyStdio() {}
