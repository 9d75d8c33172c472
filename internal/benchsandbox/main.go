//go:build linux

// Command benchsandbox prints what workers cost that judge payloads in a
// sandbox, by what they share: see docs/sandbox.md. Each line is measured in a
// process of its own.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A line is what one process measured. Memory is in bytes.
type line struct {
	Start    uint64        // resident once every worker is ready
	Most     uint64        // resident at the most, while payloads were judged
	End      uint64        // resident after all payloads
	Live     uint64        // of instances that were there at once, at the most
	Leaked   int64         // instances left over
	Elapsed  time.Duration // for all payloads
	CPU      time.Duration
	Payloads int
}

func main() {
	payloads := flag.Int("payloads", 2000, "`N` payloads for each line")
	module := flag.String("module", "build/harden-reactor.wasm", "`FILE` with the module")
	mode := flag.String("mode", "", "measure one `MODE`, in this process")
	workers := flag.Int("workers", 1, "`N` workers of --mode")
	cache := flag.String("cache", "", "`DIR` for compiled code")
	flag.Parse()
	if err := run(*mode, *module, *cache, *workers, *payloads); err != nil {
		fmt.Fprintln(os.Stderr, "benchsandbox:", err)
		os.Exit(1)
	}
}

func run(mode, module, cache string, workers, payloads int) error {
	if mode != "" {
		l, err := measure(mode, module, cache, workers, payloads)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(l)
	}
	cache, err := os.MkdirTemp("", "benchsandbox")
	if err != nil {
		return err
	}
	defer os.RemoveAll(cache)
	return table(module, cache, payloads)
}

func table(module, cache string, payloads int) error {
	fmt.Printf("%d payloads of %d bytes a line; resident memory in MB of 10^6 bytes, that at start and at the end after a collection\n\n", payloads, len(payload))
	fmt.Println("| shared by the workers | workers | at start | at most | of that instances' own | the rest | at the end | payloads a second | a CPU second |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for _, m := range modes {
		var first float64
		for _, workers := range []int{1, 2, 4, 8} {
			l, err := child(m.name, module, cache, workers, payloads)
			if err != nil {
				return fmt.Errorf("%s, %d workers: %w", m.name, workers, err)
			}
			if l.Leaked != 0 {
				return fmt.Errorf("%s, %d workers: %d instances leaked", m.name, workers, l.Leaked)
			}
			rest := float64(l.Most) - float64(l.Live)
			if workers == 1 {
				first = rest
			}
			fmt.Printf("| %s | %d | %s | %s | %s | %.0f, %+.1f %% | %s | %.0f | %.0f |\n", m.name, workers, mb(l.Start), mb(l.Most), mb(l.Live),
				rest/1e6, 100*(rest/first-1), mb(l.End), float64(l.Payloads)/l.Elapsed.Seconds(), float64(l.Payloads)/l.CPU.Seconds())
		}
	}
	return nil
}

func mb(n uint64) string { return fmt.Sprintf("%.0f", float64(n)/1e6) }

// child measures one line in a new process, after one that fills the cache, so
// that no line pays for compiling.
func child(mode, module, cache string, workers, payloads int) (l line, err error) {
	self, err := os.Executable()
	if err != nil {
		return l, err
	}
	for _, n := range []int{1, payloads} {
		cmd := exec.Command(self, "-mode", mode, "-module", module, "-cache", cache, "-workers", strconv.Itoa(workers), "-payloads", strconv.Itoa(n))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return l, err
		}
		if err := json.Unmarshal(out, &l); err != nil {
			return l, err
		}
	}
	return l, nil
}

// measure has workers judge payloads in this process.
func measure(mode, module, cache string, workers, payloads int) (line, error) {
	l := line{Payloads: payloads}
	ctx := context.Background()
	wasm, err := os.ReadFile(module)
	if err != nil {
		return l, err
	}
	s, err := setUp(ctx, mode, wasm, cache, workers)
	if err != nil {
		return l, err
	}
	wasm = nil
	debug.FreeOSMemory()
	if l.Start, err = resident("VmRSS"); err != nil {
		return l, err
	}
	// From here on the kernel's peak is that of judging.
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		return l, err
	}
	var next atomic.Int64
	errs := make([]error, workers)
	begin, used := time.Now(), cpu()
	var g sync.WaitGroup
	for w := range workers {
		g.Go(func() {
			for next.Add(1) <= int64(payloads) && errs[w] == nil {
				errs[w] = s.judge(w)
			}
		})
	}
	g.Wait()
	l.Elapsed, l.CPU = time.Since(begin), cpu()-used
	for _, err := range errs {
		if err != nil {
			return l, err
		}
	}
	l.Live, l.Leaked = s.live()
	if l.Most, err = resident("VmHWM"); err != nil {
		return l, err
	}
	debug.FreeOSMemory()
	l.End, err = resident("VmRSS")
	s.close()
	return l, err
}

func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resident returns what /proc/self/status says of this process, in bytes.
func resident(key string) (uint64, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), "\n"+key+":")
	kib, _, ok := strings.Cut(after, " kB")
	if !ok {
		return 0, fmt.Errorf("/proc/self/status has no %s", key)
	}
	n, err := strconv.ParseUint(strings.TrimSpace(kib), 10, 64)
	return n << 10, err
}
