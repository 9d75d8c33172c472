//go:build !wasip1

package probe

import (
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// keepStderr is how much of stderr is kept, to look for a runtime's last words
// and to quote from, in bytes.
const keepStderr = 64 << 10

// An output counts what a command writes, and throws it away.
type output struct {
	total  atomic.Uint64 // bytes of both streams
	limit  uint64        // 0: none
	over   chan struct{} // closed when total is above limit
	once   sync.Once
	files  [2]*os.File
	ended  chan struct{} // closed when both streams are at their end
	stderr []byte        // the beginning of files[1]; valid after finish
}

// drained starts to read stdout and stderr.
func drained(files [2]*os.File, limit uint64) *output {
	o := &output{limit: limit, files: files, over: make(chan struct{}), ended: make(chan struct{})}
	var reading sync.WaitGroup
	reading.Go(func() { o.drain(files[0], nil) })
	reading.Go(func() { o.drain(files[1], &o.stderr) })
	go func() {
		reading.Wait()
		close(o.ended)
	}()
	return o
}

func (o *output) drain(f *os.File, keep *[]byte) {
	buf := make([]byte, 32<<10)
	for {
		n, err := f.Read(buf)
		if total := o.total.Add(uint64(n)); o.limit != 0 && total > o.limit {
			o.once.Do(func() { close(o.over) })
		}
		if keep != nil {
			*keep = append(*keep, buf[:min(n, keepStderr-len(*keep))]...)
		}
		if err != nil {
			return
		}
	}
}

// finish waits for the ends of the streams, for a while, and closes them.
func (o *output) finish() {
	wait := time.NewTimer(drainFor)
	defer wait.Stop()
	select {
	case <-o.ended:
	case <-wait.C:
	}
	closeAll(o.files[:])
	<-o.ended
}
