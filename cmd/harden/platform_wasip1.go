package main

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// hasThreads says whether more than one payload can be judged at once.
const hasThreads = false

// readyStdio takes standard streams out of non-blocking mode where Go does not
// know that they are in it. Go asks the host for that mode before main and then
// asks whether it holds; Node answers with the flags of its own system, which
// mean something else (nodejs/uvwasi issue 283). A pipe that is empty for a
// moment would end in "try again".
func readyStdio() {
	for fd, f := range []*os.File{os.Stdin, os.Stdout, os.Stderr} {
		if errors.Is(f.SetDeadline(time.Time{}), os.ErrNoDeadline) {
			// A host that cannot change the mode has not set it before.
			_ = syscall.SetNonblock(fd, false)
		}
	}
}
