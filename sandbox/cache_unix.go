//go:build unix

package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// onlyMine refuses a directory that others may read or write, or own.
func onlyMine(info fs.FileInfo) error {
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("has mode %04o, and must have 0700: code in it is run", mode)
	}
	if owner(info) != os.Geteuid() {
		return errors.New("belongs to another user: code in it is run")
	}
	return nil
}

// notOthers refuses a directory in which others could put another in the place
// of one of this user's.
func notOthers(info fs.FileInfo) error {
	if who := owner(info); who != 0 && who != os.Geteuid() {
		return errors.New("belongs to another user, who could replace what is in it")
	}
	if mode := info.Mode(); mode&writableByOthers != 0 && mode&fs.ModeSticky == 0 {
		return fmt.Errorf("has mode %04o: others could replace what is in it", mode.Perm())
	}
	return nil
}

// owner returns the user that a file belongs to.
func owner(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -1
}
