package probe

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// A status is what /proc tells of one process, sizes in bytes.
type status struct {
	process                             int
	resident, peakResident, peakVirtual uint64
}

// readStatus reads the status of the process that a thread belongs to. A
// process that is gone, or has given up its memory, has none.
func readStatus(tid int) (s status, ok bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", tid))
	if err != nil {
		return s, false
	}
	s.process = int(field(text, "Tgid:"))
	s.resident = field(text, "VmRSS:") << 10
	s.peakResident = field(text, "VmHWM:") << 10
	s.peakVirtual = field(text, "VmPeak:") << 10
	return s, s.process != 0
}

// readPss returns the resident size of a process, in bytes, in which a page
// that n processes share counts for the n-th part; 0 where it is not told.
func readPss(pid int) uint64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0
	}
	return field(text, "Pss:") << 10
}

// together returns what processes hold, in bytes, each page counted once. After
// vfork two processes have one address space, whose pages are not shared pages.
func together(pids []int) (held uint64) {
	for i, pid := range pids {
		if !slices.ContainsFunc(pids[:i], func(other int) bool { return haveOneMemory(pid, other) }) {
			held += readPss(pid)
		}
	}
	return held
}

// kcmpVM is KCMP_VM, which package unix does not have.
const kcmpVM = 1

// haveOneMemory reports whether two processes have the same address space. Where
// kcmp is not permitted they are taken to have two.
func haveOneMemory(a, b int) bool {
	order, _, errno := unix.Syscall6(unix.SYS_KCMP, uintptr(a), uintptr(b), kcmpVM, 0, 0, 0)
	return errno == 0 && order == 0
}

// field returns the number behind name at the start of a line, or 0.
func field(text []byte, name string) uint64 {
	_, rest, found := bytes.Cut(text, []byte("\n"+name))
	words := bytes.Fields(rest[:min(len(rest), 64)])
	if !found || len(words) == 0 {
		return 0
	}
	n, err := strconv.ParseUint(string(words[0]), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// descendants returns pid and the processes below it, as far as they have not
// been given to another parent.
func descendants(pid int) []int {
	all := []int{pid}
	for i := 0; i < len(all); i++ {
		lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", all[i]))
		if err != nil {
			continue
		}
		for _, list := range lists {
			text, err := os.ReadFile(list)
			if err != nil {
				continue
			}
			for _, word := range bytes.Fields(text) {
				if n, err := strconv.Atoi(string(word)); err == nil {
					all = append(all, n)
				}
			}
		}
	}
	return all
}
