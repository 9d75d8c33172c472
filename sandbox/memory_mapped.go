//go:build linux || darwin || freebsd || netbsd || openbsd

package sandbox

import "syscall"

// reserve returns n bytes of zeros, which cost memory where they are used.
func reserve(n int) ([]byte, error) {
	return syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

func giveBack(b []byte) {
	if err := syscall.Munmap(b); err != nil {
		panic(err) // it was not what reserve returned
	}
}
