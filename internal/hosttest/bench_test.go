package hosttest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"
)

// benchSize is how long the measured inputs are, decoded.
const benchSize = 32 << 20

// records is JSON as services write it: short names, numbers, some text.
func records(size int) []byte {
	var b bytes.Buffer
	b.WriteByte('[')
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"user %x","mail":"%d@example.org","active":%t,"score":%g,"note":"%s"}`,
			i, uint32(i)*2654435761, i, i%3 == 0, float64(i)/7, strings.Repeat("some words ", i%17))
	}
	b.WriteByte(']')
	return b.Bytes()
}

// asMsgpack is the same data as MessagePack.
func asMsgpack(tb testing.TB, size int) []byte {
	var b bytes.Buffer
	w := msgp.NewWriter(&b)
	var err error
	write := func(e error) {
		if err == nil {
			err = e
		}
	}
	n := size / 128
	write(w.WriteArrayHeader(uint32(n)))
	for i := range n {
		write(w.WriteMapHeader(5))
		write(w.WriteString("id"))
		write(w.WriteInt(i))
		write(w.WriteString("name"))
		write(w.WriteString(fmt.Sprintf("user %x", uint32(i)*2654435761)))
		write(w.WriteString("active"))
		write(w.WriteBool(i%3 == 0))
		write(w.WriteString("score"))
		write(w.WriteFloat64(float64(i) / 7))
		write(w.WriteString("note"))
		write(w.WriteString(strings.Repeat("some words ", i%17)))
	}
	require.NoError(tb, err)
	require.NoError(tb, w.Flush())
	return b.Bytes()
}

func gzipped(tb testing.TB, data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	require.NoError(tb, err)
	require.NoError(tb, w.Close())
	return b.Bytes()
}

// BenchmarkInspect runs the native program and every host on the same file, one
// after the other in each round, and reports the best of each: MB of what is
// measured in a second of processor time, and for the hosts how many times as
// long as the native program they take. Starting is part of it.
func BenchmarkInspect(b *testing.B) {
	dir := b.TempDir()
	for _, tt := range []struct {
		name, args string
		data       func() []byte
		measured   int
	}{
		{"json", "--as json", func() []byte { return records(benchSize) }, benchSize},
		{"msgpack", "--as msgpack", func() []byte { return asMsgpack(b, benchSize) }, benchSize},
		{"gzip", "--as gzip --shallow", func() []byte { return gzipped(b, records(benchSize)) }, benchSize},
		{"gzip+json", "--as gzip+json", func() []byte { return gzipped(b, records(benchSize)) }, benchSize},
	} {
		b.Run(tt.name, func(b *testing.B) {
			require.NoError(b, os.WriteFile(filepath.Join(dir, tt.name), tt.data(), 0o600))
			args := append([]string{"inspect", "/in/" + tt.name, "--profile", "unlimited"}, strings.Fields(tt.args)...)
			runners := append([]runner{native(b)}, available(b)...)
			best := make([]time.Duration, len(runners))
			for b.Loop() {
				for i, r := range runners {
					took := timed(b, r, dir, args)
					if best[i] == 0 || took < best[i] {
						best[i] = took
					}
				}
			}
			for i, r := range runners {
				b.ReportMetric(float64(tt.measured)/1e6/best[i].Seconds(), r.name+"-MB/s")
				if i > 0 {
					b.ReportMetric(best[i].Seconds()/best[0].Seconds(), r.name+"-x-native")
				}
			}
		})
	}
}

// A runner runs harden somewhere.
type runner struct {
	name string
	run  func(Call) (Result, error)
}

// native runs the native program on the files themselves.
func native(b *testing.B) runner {
	return runner{"native", func(call Call) (Result, error) {
		args := slices.Clone(call.Args)
		for _, d := range call.Dirs {
			for i := range args {
				args[i] = strings.Replace(args[i], d.Guest+"/", d.Host+"/", 1)
			}
		}
		call.Args = args
		return RunNative(b.Context(), b, ".", call), nil
	}}
}

// available are the hosts of this machine.
func available(b *testing.B) []runner {
	var all []runner
	for _, h := range hosts {
		if err := h.ready(); err != nil {
			b.Logf("%s: %v", h.name, err)
			continue
		}
		all = append(all, runner{h.name, func(call Call) (Result, error) { return h.Run(b.Context(), call) }})
	}
	return all
}

// timed is the processor time of a run on what is in dir, which the module sees
// as /in: as a file, because hosts differ in how they read a pipe.
func timed(b *testing.B, r runner, dir string, args []string) time.Duration {
	begin := spent()
	got, err := r.run(Call{Args: args, Dirs: []Dir{{Host: dir, Guest: "/in"}}})
	took := spent() - begin
	require.NoError(b, err)
	require.Zero(b, got.Exit, got)
	return took
}

// BenchmarkStart runs the module on seven bytes: from a compiled module in
// memory, and, for the hosts that keep one on disk, from there.
func BenchmarkStart(b *testing.B) {
	call := func() Call {
		return Call{Args: []string{"inspect", "-"}, Stdin: io.MultiReader(strings.NewReader(`{"a":1}`))}
	}
	for _, r := range append([]runner{native(b)}, available(b)...) {
		b.Run(r.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				begin := time.Now()
				got, err := r.run(call())
				took = append(took, time.Since(begin))
				require.NoError(b, err)
				require.Zero(b, got.Exit, got)
			}
			slices.Sort(took)
			b.ReportMetric(took[0].Seconds()*1e3, "best-ms")
			b.ReportMetric(took[len(took)/2].Seconds()*1e3, "median-ms")
		})
	}
	for _, load := range loaders {
		b.Run(load.name, func(b *testing.B) { load.bench(b, Module(b)) })
	}
}

// A loader loads what a host has compiled before.
type loader struct {
	name  string
	bench func(b *testing.B, wasm []byte)
}
