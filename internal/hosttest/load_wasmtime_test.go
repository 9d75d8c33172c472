//go:build cgo

package hosttest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bytecodealliance/wasmtime-go/v39"
	"github.com/stretchr/testify/require"
)

var loaders = []loader{{"wasmtime-from-file", loadWasmtime}, {"wazero-from-file", loadWazero}}

// loadWasmtime maps a compiled module, as wasmtime compile writes it.
func loadWasmtime(b *testing.B, wasm []byte) {
	engine := newWasmtimeEngine()
	defer engine.Close()
	module, err := wasmtime.NewModule(engine, wasm)
	require.NoError(b, err)
	compiled, err := module.Serialize()
	require.NoError(b, err)
	path := filepath.Join(b.TempDir(), "harden.cwasm")
	require.NoError(b, os.WriteFile(path, compiled, 0o600))
	b.ReportMetric(float64(len(compiled)), "cwasm-B")
	for b.Loop() {
		m, err := wasmtime.NewModuleDeserializeFile(engine, path)
		require.NoError(b, err)
		m.Close()
	}
}
