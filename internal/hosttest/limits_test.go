package hosttest

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// endless is the start of a JSON array that goes on for as long as it is read.
func endless() io.Reader {
	return io.MultiReader(strings.NewReader("["), &repeating{text: `{"name":"a rather ordinary record","value":12345},`})
}

// array is an honest JSON array of at least size bytes.
func array(size int64) io.Reader {
	return io.MultiReader(io.LimitReader(endless(), size-size%50+1), strings.NewReader("0]"))
}

// repeating repeats text without end.
type repeating struct {
	text string
	at   int
}

func (r *repeating) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		c := copy(p[n:], r.text[r.at:])
		n += c
		r.at = (r.at + c) % len(r.text)
	}
	return n, nil
}

// TestQuarterGigabyteIn64MiB: stdin may be longer than the memory.
func TestQuarterGigabyteIn64MiB(t *testing.T) {
	Each(t, func(t *testing.T, h Host) {
		begin := time.Now()
		r, err := surviving(t, h, func() Call {
			return Call{
				Args:        []string{"inspect", "-", "--profile", "unlimited", "--output", "ndjson"},
				Stdin:       array(256 << 20),
				MemoryLimit: cap64,
			}
		})
		require.NoError(t, err)
		require.Zero(t, r.Exit, r)
		require.Contains(t, r.Stdout, `"size":268435`)
		Summarised.Add("%s: 256 MiB of stdin under 64 MiB in %.1f s", h.Name(), time.Since(begin).Seconds())
	})
}

// TestMemoryCap: filter holds the payload, which does not fit. Nothing of it
// may get through.
func TestMemoryCap(t *testing.T) {
	Each(t, func(t *testing.T, h Host) {
		r, err := surviving(t, h, func() Call {
			return Call{
				Args:        []string{"filter", "--as", "json"},
				Stdin:       array(32 << 20),
				MemoryLimit: 24 << 20,
			}
		})
		require.NoError(t, err)
		require.Contains(t, []int{2, trapped}, r.Exit, r)
		require.Empty(t, r.Stdout)
		Summarised.Add("%s: memory cap: exit code %d %s", h.Name(), r.Exit, r.Trap)
	})
}

// TestDeadline: the payload never ends, and harden's own limits are off.
func TestDeadline(t *testing.T) {
	Each(t, func(t *testing.T, h Host) {
		r, err := surviving(t, h, func() Call {
			return Call{
				Args:     []string{"inspect", "-", "--profile", "unlimited"},
				Stdin:    endless(),
				Deadline: time.Second,
			}
		})
		require.NoError(t, err)
		require.Equal(t, trapped, r.Exit, r)
		require.Empty(t, r.Stdout)
		Summarised.Add("%s: deadline: %s", h.Name(), strings.Join(strings.Fields(r.Trap), " "))
	})
}

// TestOwnTimeLimit: harden's limit needs no help of the host.
func TestOwnTimeLimit(t *testing.T) {
	Each(t, func(t *testing.T, h Host) {
		r, err := surviving(t, h, func() Call {
			return Call{
				Args:  []string{"inspect", "-", "--profile", "unlimited", "--timeout", "200ms"},
				Stdin: endless(),
			}
		})
		require.NoError(t, err)
		require.Equal(t, 2, r.Exit, r)
		require.Contains(t, r.Stdout, "input/time")
	})
}

// TestOwnTimeLimitOfFiles keeps out what once judged a file to its end: without
// threads, no timer fires while nothing waits.
func TestOwnTimeLimitOfFiles(t *testing.T) {
	const size = 8 << 20
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"a.json": records(size), "a.msgpack": asMsgpack(t, size), "a.gz": gzipped(t, records(size)),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	Each(t, func(t *testing.T, h Host) {
		for _, name := range []string{"a.json", "a.msgpack", "a.gz"} {
			r, err := surviving(t, h, func() Call {
				return Call{
					Args: []string{"inspect", "/in/" + name, "--profile", "unlimited", "--timeout", "1ms"},
					Dirs: []Dir{{Host: dir, Guest: "/in"}},
				}
			})
			require.NoError(t, err)
			require.Equal(t, 2, r.Exit, r)
			require.Contains(t, r.Stdout, "input/time", name)
		}
	})
}
