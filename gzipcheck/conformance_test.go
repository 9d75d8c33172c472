package gzipcheck

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOtherProjectsGzipFiles judges gzip files of zlib-ng, zlib-rs,
// commons-compress and flate2-rs as zlib does.
func TestOtherProjectsGzipFiles(t *testing.T) {
	dir := filepath.Join("..", "..", "shared", "testdata", "gzip-files")
	manifest, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Skipf("conformance data of other projects is not beside the checkout: %v", err)
	}
	var files []struct {
		File         string
		Zlib         string
		Members      uint64
		Decompressed uint64
	}
	require.NoError(t, json.Unmarshal(manifest, &files))
	require.NotEmpty(t, files)
	for _, f := range files {
		t.Run(f.File, func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join(dir, f.File))
			require.NoError(t, err)
			m, err := Measure(src, Limits{})
			out, decodeErr := NewDecoder(Limits{}).Decode(nil, src)
			if f.Zlib != "valid" {
				require.Error(t, err)
				require.Error(t, decodeErr)
				return
			}
			require.NoError(t, err)
			require.NoError(t, decodeErr)
			require.Equal(t, f.Members, m.Members)
			require.Equal(t, f.Decompressed, m.Decompressed)
			require.Len(t, out, int(f.Decompressed))
		})
	}
}
