//go:build unix

package walk

import "syscall"

// noWait keeps an open from waiting for a writer of a pipe that took a file's
// place, noFollow from following a link that did.
const (
	noWait   = syscall.O_NONBLOCK
	noFollow = syscall.O_NOFOLLOW
)
