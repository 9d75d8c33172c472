package inspect

import "runtime"

// letTimersRun gives deadlines a chance to be seen: without threads, the timer
// of a context fires only while its goroutine waits or yields.
func letTimersRun() { runtime.Gosched() }
