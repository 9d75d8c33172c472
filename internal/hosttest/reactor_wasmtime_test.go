//go:build cgo

package hosttest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/bytecodealliance/wasmtime-go/v39"
	"github.com/stretchr/testify/require"
)

// A keptInstance is the reactor in a store that outlives its calls.
type keptInstance struct {
	tb       testing.TB
	store    *wasmtime.Store
	instance *wasmtime.Instance
	memory   *wasmtime.Memory
}

func newKeptInstance(tb testing.TB) *keptInstance {
	path := filepath.Join(tb.TempDir(), "harden-reactor.wasm")
	build := exec.Command("go", "build", "-trimpath", "-buildmode=c-shared", "-ldflags=-s -w", "-o", path, "./cmd/harden-reactor")
	build.Dir = repository
	build.Env = append(os.Environ(), "GOWORK=off", "GOOS=wasip1", "GOARCH=wasm")
	out, err := build.CombinedOutput()
	require.NoError(tb, err, string(out))
	engine := wasmtime.NewEngine()
	tb.Cleanup(engine.Close)
	module, err := wasmtime.NewModuleFromFile(engine, path)
	require.NoError(tb, err)
	tb.Cleanup(module.Close)
	linker := wasmtime.NewLinker(engine)
	tb.Cleanup(linker.Close)
	require.NoError(tb, linker.DefineWasi())
	store := wasmtime.NewStore(engine)
	tb.Cleanup(store.Close)
	store.SetWasi(wasmtime.NewWasiConfig())
	instance, err := linker.Instantiate(store, module)
	require.NoError(tb, err)
	k := &keptInstance{tb, store, instance, instance.GetExport(store, "memory").Memory()}
	k.call("_initialize")
	return k
}

func (k *keptInstance) call(function string, args ...any) any {
	got, err := k.instance.GetFunc(k.store, function).Call(k.store, args...)
	require.NoError(k.tb, err)
	return got
}

// put copies text into memory that the instance allocates.
func (k *keptInstance) put(text string) int32 {
	at := k.call("harden_alloc", int32(len(text))).(int32)
	if at != 0 {
		copy(k.memory.UnsafeData(k.store)[uint32(at):], text)
	}
	return at
}

// inspect is everything that a host does for one payload.
func (k *keptInstance) inspect(settings, name, payload string) []byte {
	var args []any
	for _, text := range []string{settings, name, payload} {
		at := k.put(text)
		defer k.call("harden_free", at)
		args = append(args, at, int32(len(text)))
	}
	where := uint64(k.call("harden_inspect", args...).(int64))
	at, size := uint32(where>>32), uint32(where)
	defer k.call("harden_free", int32(at))
	return slices.Clone(k.memory.UnsafeData(k.store)[at:][:size])
}

func TestReactorJudgesPayloadsOneAfterTheOther(t *testing.T) {
	if testing.Short() {
		t.Skip("compiling the reactor takes seconds")
	}
	k := newKeptInstance(t)
	require.EqualValues(t, 1, k.call("harden_abi"))
	for _, tt := range []struct{ name, payload, verdict string }{
		{"sound", `{"a":1}`, "clean"},
		{"cut short", `{"a":`, "rejected"},
		{"sound again", `[1,2]`, "clean"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var report struct{ Payloads []struct{ Verdict string } }
			require.NoError(t, json.Unmarshal(k.inspect(`{"as":"json"}`, "payload", tt.payload), &report))
			require.Len(t, report.Payloads, 1)
			require.Equal(t, tt.verdict, report.Payloads[0].Verdict)
		})
	}
}

// BenchmarkReactor is one small payload in an instance that is kept, with
// allocating, copying and freeing.
func BenchmarkReactor(b *testing.B) {
	k := newKeptInstance(b)
	var took []time.Duration
	for b.Loop() {
		begin := time.Now()
		answer := k.inspect(`{"as":"json"}`, "payload", `{"a":1}`)
		took = append(took, time.Since(begin))
		require.Contains(b, string(answer), `"clean":1`)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[0].Nanoseconds())/1e3, "best-us")
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "median-us")
}
