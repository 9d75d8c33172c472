//go:build !wasip1

package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/wasmtest"
)

var builds wasmtest.Builds

func TestMain(m *testing.M) { os.Exit(builds.Run(m)) }

// A reactor is an instance that is kept.
type reactor struct {
	t   testing.TB
	m   api.Module
	ctx context.Context
}

func start(t testing.TB, config wazero.ModuleConfig) *reactor {
	ctx := context.Background()
	cache, err := wazero.NewCompilationCacheWithDir(builds.Cache())
	require.NoError(t, err)
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(cache))
	t.Cleanup(func() {
		require.NoError(t, r.Close(ctx))
		require.NoError(t, cache.Close(ctx))
	})
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	m, err := r.InstantiateWithConfig(ctx, builds.Reactor(t), config.WithStartFunctions("_initialize").
		WithSysWalltime().WithSysNanotime().WithRandSource(rand.Reader))
	require.NoError(t, err)
	return &reactor{t, m, ctx}
}

func (r *reactor) call(function string, args ...uint64) uint64 {
	res, err := r.m.ExportedFunction(function).Call(r.ctx, args...)
	require.NoError(r.t, err)
	if len(res) == 0 {
		return 0
	}
	return res[0]
}

func (r *reactor) put(text string) uint64 {
	at := r.call("harden_alloc", uint64(len(text)))
	require.True(r.t, r.m.Memory().WriteString(uint32(at), text))
	return at
}

// ask calls function with three texts, and returns what it answers.
func (r *reactor) ask(function, settings, name, third string) string {
	var args []uint64
	for _, text := range []string{settings, name, third} {
		args = append(args, r.put(text), uint64(len(text)))
	}
	res := r.call(function, args...)
	answer, ok := r.m.Memory().Read(uint32(res>>32), uint32(res))
	require.True(r.t, ok)
	text := string(answer)
	for _, at := range []uint64{args[0], args[2], args[4], res >> 32} {
		r.call("harden_free", at)
	}
	return text
}

func TestReportsOfTheReactor(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.json"), []byte(`{"a":1}`), 0o600))
	r := start(t, wazero.NewModuleConfig().WithFSConfig(wazero.NewFSConfig().WithReadOnlyDirMount(dir, "/")).WithStdin(strings.NewReader("{")))
	require.Equal(t, uint64(1), r.call("harden_abi"))
	for _, tt := range []struct{ name, function, settings, payload, want string }{
		{"clean", "harden_inspect", `{}`, `{"a":1}`, `"verdict":"clean"`},
		{"forged", "harden_inspect", `{"as":"msgpack"}`, "\xdd\xff\xff\xff\xff", `"rule":"msgpack/header-oversized"`},
		{"empty", "harden_inspect", `{}`, "", `"rule":"input/empty"`},
		{"limits", "harden_inspect", `{"limits":{"json.max-values":2}}`, `[1,2]`, `"rule":"json/values"`},
		{"settings that make no sense", "harden_inspect", `{"limit":{}}`, `{}`, `{"error":"settings: unknown key`},
		{"no settings", "harden_inspect", ``, `{}`, `{"error":"settings: expected a JSON object`},
		{"a file", "harden_inspect_file", `{}`, "/x.json", `"verdict":"clean"`},
		{"no file", "harden_inspect_file", `{}`, "/gone", `"rule":"input/unreadable"`},
		{"stdin", "harden_inspect_file", `{"as":"json"}`, "-", `"rule":"json/truncated"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Contains(t, r.ask(tt.function, tt.settings, "x", tt.payload), tt.want)
		})
	}
}

func TestAddressesAreChecked(t *testing.T) {
	r := start(t, wazero.NewModuleConfig())
	settings, payload := r.put("{}"), r.put("{}")
	require.NotZero(t, r.call("harden_inspect", settings, 2, 0, 0, payload, 2))
	for _, tt := range []struct {
		name string
		args [6]uint64
	}{
		{"never allocated", [6]uint64{settings, 2, 0, 0, 4096, 2}},
		{"longer than allocated", [6]uint64{settings, 2, 0, 0, payload, 3}},
		{"inside of what is allocated", [6]uint64{settings, 2, 0, 0, payload + 1, 1}},
		{"outside of memory", [6]uint64{settings, 2, 1<<32 - 1, 1, payload, 2}},
		{"settings", [6]uint64{1, 2, 0, 0, payload, 2}},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Zero(t, r.call("harden_inspect", tt.args[:]...)) })
	}
	r.call("harden_free", payload)
	require.Zero(t, r.call("harden_inspect", settings, 2, 0, 0, payload, 2), "freed")
	r.call("harden_free", payload)
	r.call("harden_free", 12345)
	require.Zero(t, r.call("harden_alloc", 0))
	require.Zero(t, r.call("harden_alloc", 1<<30), "more than a host may hold, which it does already")
}

// TestTenThousandCallsLeakNothing holds that memory stays where it settles,
// about 10 MiB: a report that is kept by mistake would add 4.
func TestTenThousandCallsLeakNothing(t *testing.T) {
	r := start(t, wazero.NewModuleConfig())
	for range 10_000 {
		require.Contains(t, r.ask("harden_inspect", `{}`, "x", `{"a":[1,2,3]}`), `"clean":1`)
	}
	require.Less(t, r.m.Memory().Size(), uint32(12<<20))
}

func BenchmarkKeptInstance(b *testing.B) {
	r := start(b, wazero.NewModuleConfig())
	for b.Loop() {
		r.ask("harden_inspect", `{}`, "x", `{"a":[1,2,3]}`)
	}
}

// inspectInReactor is the example of docs/reactor.md.
func inspectInReactor(module, payload []byte) (string, error) {
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	config := wazero.NewModuleConfig().WithStartFunctions("_initialize").
		WithSysWalltime().WithSysNanotime().WithRandSource(rand.Reader)
	m, err := r.InstantiateWithConfig(ctx, module, config)
	if err != nil {
		return "", err
	}
	var args []uint64
	for _, b := range [][]byte{[]byte(`{"profile":"gateway"}`), []byte("body"), payload} {
		res, err := m.ExportedFunction("harden_alloc").Call(ctx, uint64(len(b)))
		if err != nil {
			return "", err
		}
		defer m.ExportedFunction("harden_free").Call(ctx, res[0])
		m.Memory().Write(uint32(res[0]), b)
		args = append(args, res[0], uint64(len(b)))
	}
	res, err := m.ExportedFunction("harden_inspect").Call(ctx, args...)
	if err != nil {
		return "", err
	}
	at, size := uint32(res[0]>>32), uint32(res[0])
	defer m.ExportedFunction("harden_free").Call(ctx, uint64(at))
	report, ok := m.Memory().Read(at, size)
	if !ok {
		return "", errors.New("no report")
	}
	return string(report), nil
}

// documented returns the first block of a language in docs/reactor.md.
func documented(t *testing.T, language string) string {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "reactor.md"))
	require.NoError(t, err)
	_, block, found := strings.Cut(string(page), "```"+language+"\n")
	require.True(t, found)
	block, _, found = strings.Cut(block, "```")
	require.True(t, found)
	return block
}

func TestTheGoExampleOfTheDocumentationRuns(t *testing.T) {
	source, err := os.ReadFile("reactor_test.go")
	require.NoError(t, err)
	require.Contains(t, string(source), documented(t, "go"))
	text, err := inspectInReactor(builds.Reactor(t), []byte{0xdd, 0, 0x0f, 0xff, 0xff})
	require.NoError(t, err)
	var report inspect.Report
	require.NoError(t, json.Unmarshal([]byte(text), &report))
	require.Equal(t, "rejected msgpack/header-oversized", fmt.Sprint(report.Payloads[0].Verdict, " ", report.Payloads[0].Violations[0].Rule))
}

func TestTheNodeExampleOfTheDocumentationRuns(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	dir := t.TempDir()
	script, module := filepath.Join(dir, "inspect.mjs"), filepath.Join(dir, "harden-reactor.wasm")
	require.NoError(t, os.WriteFile(script, []byte(documented(t, "js")), 0o600))
	require.NoError(t, os.WriteFile(module, builds.Reactor(t), 0o600))
	out, err := exec.Command(node, "--no-warnings", script, module).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "rejected msgpack/header-oversized\n", string(out))
}
