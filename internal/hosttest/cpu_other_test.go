//go:build !unix

package hosttest

import "time"

var started = time.Now()

// spent is the time on the wall where the processor's is not to be had.
func spent() time.Duration { return time.Since(started) }
