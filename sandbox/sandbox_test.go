package sandbox

import (
	"context"
	"io"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
)

func TestWhatIsNoModuleOfHardenIsRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		module []byte
		want   string
	}{
		{"nothing", nil, "not a WebAssembly module"},
		{"text", []byte("#!/bin/sh"), "not a WebAssembly module"},
		{"cut off", []byte("\x00asm\x01"), "compiling the module"},
		{"nothing in it", []byte("\x00asm\x01\x00\x00\x00"), "it exports no memory"},
		{"another version", hostile{abi: 2}.module(), "speaks version 2 of the interface, not 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(context.Background(), tt.module, Options{})
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestTooLittleMemoryIsRefused(t *testing.T) {
	_, err := open(t, builds.Reactor(t)).Inspector(defaults(), 1<<20)
	require.ErrorContains(t, err, "1048576 bytes of memory are too few")
}

func TestMemoryIsCappedByInstance(t *testing.T) {
	box := open(t, builds.Reactor(t))
	// A stream is held up to 8 MiB: more than this instance may have.
	small, err := box.Inspector(defaults(), 8<<20)
	require.NoError(t, err)
	payload := make([]byte, 7<<20)
	p := small.Inspect(context.Background(), stream("-", payload))
	require.Equal(t, inspect.Undecided, p.Verdict)
	require.Equal(t, "input/sandbox", p.Violations[0].Rule)
	require.Equal(t, "the instance needs more memory than the 8388608 bytes that it may have", p.Violations[0].Message)

	large := inspector(t, box, defaults())
	require.Equal(t, reported(t, native(t, defaults()), stream("-", payload)), reported(t, large, stream("-", payload)))
	require.Equal(t, inspect.Clean, small.Inspect(context.Background(), stream("-", []byte(`{"a":1}`))).Verdict)
}

func TestAStreamThatNeverGoesOnIsGivenUp(t *testing.T) {
	modules(t, func(t *testing.T, box *Sandbox) {
		cfg := defaults()
		cfg.Limits.Input.MaxTime = uint64(50 * time.Millisecond)
		r, w := io.Pipe()
		defer w.Close()
		p := inspector(t, box, cfg).Inspect(context.Background(), inspect.Stream("-", r))
		require.Equal(t, inspect.Undecided, p.Verdict)
		require.Equal(t, "input/time", p.Violations[0].Rule)
		require.Equal(t, "not done within 50ms", p.Violations[0].Message)
	})
}

func TestInspectionsCanBeStoppedFromOutside(t *testing.T) {
	ins := inspector(t, open(t, builds.Reactor(t)), defaults())
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	defer w.Close()
	go func() {
		_, _ = w.Write([]byte("{"))
		cancel()
	}()
	p := ins.Inspect(ctx, inspect.Stream("-", r))
	require.Equal(t, inspect.Undecided, p.Verdict)
	require.Equal(t, "the inspection was stopped from outside", p.Violations[0].Message)
}

func TestWorkersShareOneModule(t *testing.T) {
	ins := inspector(t, open(t, builds.Reactor(t)), defaults())
	var g sync.WaitGroup
	for range 8 {
		g.Go(func() {
			for range 5 {
				if p := ins.Inspect(context.Background(), file("x", []byte(`{"a":1}`))); p.Verdict != inspect.Clean {
					t.Error(p)
				}
			}
		})
	}
	g.Wait()
}

func TestInstancesLeaveNothingBehind(t *testing.T) {
	box := open(t, builds.Reactor(t))
	ins := inspector(t, box, defaults())
	many := func(n int) (heap uint64, goroutines int) {
		for range n {
			ins.Inspect(context.Background(), file("x.json", []byte(`{"a":1}`)))
		}
		instances, bytes := box.Live()
		require.Zero(t, instances)
		require.Zero(t, bytes)
		// What a sync.Pool holds goes with the second collection.
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, runtime.NumGoroutine()
	}
	before, goroutines := many(5)
	after, goroutinesAfter := many(100)
	require.Less(t, after, before+1<<20)
	require.LessOrEqual(t, goroutinesAfter, goroutines)
}
