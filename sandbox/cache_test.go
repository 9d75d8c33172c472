//go:build unix

package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheCacheIsForItsOwnerAlone(t *testing.T) {
	for _, tt := range []struct {
		name string
		make func(t *testing.T, dir string) // dir is in a directory that is safe
		want string                         // "": it is used
	}{
		{"not there yet", func(*testing.T, string) {}, ""},
		{"there", func(t *testing.T, dir string) { require.NoError(t, os.Mkdir(dir, 0o700)) }, ""},
		{"readable by others", func(t *testing.T, dir string) { require.NoError(t, os.Mkdir(dir, 0o755)) }, "has mode 0755, and must have 0700"},
		{"a link", func(t *testing.T, dir string) { require.NoError(t, os.Symlink(t.TempDir(), dir)) }, "is not a directory"},
		{"a file", func(t *testing.T, dir string) { require.NoError(t, os.WriteFile(dir, nil, 0o600)) }, "not a directory"},
		{"below a directory of everybody", func(t *testing.T, dir string) { require.NoError(t, os.Chmod(filepath.Dir(dir), 0o777)) }, "others could replace what is in it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			above := filepath.Join(t.TempDir(), "above")
			require.NoError(t, os.Mkdir(above, 0o700))
			dir := filepath.Join(above, "cache")
			tt.make(t, dir)
			box, err := New(context.Background(), hostile{}.module(), Options{Cache: dir})
			if tt.want != "" {
				require.ErrorContains(t, err, tt.want)
				return
			}
			require.NoError(t, err)
			require.NoError(t, box.Close(context.Background()))
			files, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.NotEmpty(t, files)
		})
	}
}

func TestTheCacheOfAnotherUserIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	require.NoError(t, os.Mkdir(dir, 0o700))
	if err := os.Chown(dir, 12345, -1); err != nil {
		t.Skip("only root gives a directory away: ", err)
	}
	require.ErrorContains(t, ownDirectory(dir), "belongs to another user")
}
