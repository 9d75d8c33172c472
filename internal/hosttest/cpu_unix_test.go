//go:build unix

package hosttest

import (
	"syscall"
	"time"
)

// spent is the processor time of this process and of those that it waited for,
// which others on the machine do not lengthen as they do the time on the wall.
func spent() time.Duration {
	var sum int64
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var use syscall.Rusage
		if syscall.Getrusage(who, &use) == nil {
			sum += use.Utime.Nano() + use.Stime.Nano()
		}
	}
	return time.Duration(sum)
}
