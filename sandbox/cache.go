package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// UserCache returns the directory for compiled code inside the user's own
// cache directory, for Options.Cache.
func UserCache() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "harden", "wasm"), nil
}

// ownDirectory makes the directory dir if there is none, and makes sure that
// nobody but this user can put anything into it, or another in its place.
func ownDirectory(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	}
	if err := onlyMine(info); err != nil {
		return fmt.Errorf("%s %w", dir, err)
	}
	return aboveAreSafe(dir)
}

// aboveAreSafe looks at the directories above dir.
func aboveAreSafe(dir string) error {
	// Links above are as good as what they lead to.
	above, err := filepath.EvalSymlinks(filepath.Dir(dir))
	if err != nil {
		return err
	}
	for {
		info, err := os.Stat(above)
		if err != nil {
			return err
		}
		if err := notOthers(info); err != nil {
			return fmt.Errorf("%s %w", above, err)
		}
		if above == filepath.Dir(above) {
			return nil
		}
		above = filepath.Dir(above)
	}
}

// writableByOthers are the permissions that let others change a directory.
const writableByOthers fs.FileMode = 0o022
