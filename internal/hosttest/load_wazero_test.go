package hosttest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
)

// loadWazero compiles with a cache on disk that has the module.
func loadWazero(b *testing.B, wasm []byte) {
	dir := b.TempDir()
	load := func() {
		cache, err := wazero.NewCompilationCacheWithDir(dir)
		require.NoError(b, err)
		runtime := wazero.NewRuntimeWithConfig(b.Context(), wazero.NewRuntimeConfig().WithCompilationCache(cache))
		_, err = runtime.CompileModule(b.Context(), wasm)
		require.NoError(b, err)
		require.NoError(b, runtime.Close(b.Context()))
		require.NoError(b, cache.Close(b.Context()))
	}
	load()
	for b.Loop() {
		load()
	}
}
