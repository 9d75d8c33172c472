//go:build linux || darwin

package main

import (
	"os"
	"runtime"
	"syscall"
)

// maxRSS returns the peak of resident memory of an ended process in bytes.
func maxRSS(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10 // Linux counts KiB
}
