//go:build !wasip1

package main

// hasThreads says whether more than one payload can be judged at once.
const hasThreads = true

// readyStdio makes the standard streams ready for use, which they are.
func readyStdio() {}
