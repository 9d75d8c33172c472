package main

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A fullDisk takes so many bytes and keeps the peak of the heap while it does.
type fullDisk struct {
	room, written int
	peak          uint64
}

func (d *fullDisk) Write(p []byte) (int, error) {
	const often = 1 << 20
	if d.written/often != (d.written+len(p))/often || d.written == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		d.peak = max(d.peak, m.HeapAlloc)
	}
	if d.written+len(p) > d.room {
		return 0, errors.New("no space left")
	}
	d.written += len(p)
	return len(p), nil
}

// However long a payload is, writing it takes the memory of a few buffers.
func TestForgeTakesConstantMemory(t *testing.T) {
	for _, line := range []string{
		"gzip --size 1000TiB",
		"gzip --size 1000TiB --cut 1MiB",
		"gzip --empty-blocks 1000000000000000000",
		"gzip --empty-blocks 1000000000000000000 --block-type stored",
		"gzip --empty-blocks 1000000000000000000 --block-type dynamic",
		"gzip --members 1000000000000000000 --size 1GiB",
		"gzip --members 1000000000000000000 --size 2GiB",
		"gzip --trailing-garbage 1000TiB",
		"msgpack --honest --array 4294967295",
		"msgpack --honest --map 4294967295",
		"msgpack --honest --bin 4294967295",
		"msgpack --honest --nest 4294967295 --count 4294967295",
		"json --depth 1000000000000000000",
		"json --depth 1000000000000000000 --objects --unclosed",
		"json --array 1000000000000000000",
		"json --entries 1000000000000000000",
		"json --entries 1000000000000000000 --duplicate",
		"json --string 1000TiB",
		"json --number 1000000000000000000",
	} {
		t.Run(line, func(t *testing.T) {
			runtime.GC()
			var before runtime.MemStats
			runtime.ReadMemStats(&before)
			disk := &fullDisk{room: 16 << 20}
			c := Command{Stdout: disk, Stderr: io.Discard}
			code := c.Main(context.Background(), append([]string{"harden", "forge"}, strings.Fields(line)...))
			require.Equal(t, ExitUndecided, code)
			require.Greater(t, disk.written, disk.room/2)
			require.Less(t, disk.peak, before.HeapAlloc+12<<20)
		})
	}
}
