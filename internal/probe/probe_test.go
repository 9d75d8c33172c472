//go:build linux

package probe

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/corpus"
)

const mib = 1 << 20

// text is a payload.
type text string

func (t text) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, string(t))
	return int64(n), err
}

// scripted is a case whose payload is a script for the child.
func scripted(name string, kind corpus.Kind, script string) corpus.Case {
	return corpus.Case{ID: "json/" + name, Kind: kind, Payload: text(script)}
}

// options run the test binary on one script, after one that does nothing.
func options(t *testing.T, script string) *Options {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	return &Options{
		Command:   []string{program, "stdin"},
		Cases:     []corpus.Case{scripted("hostile", corpus.Hostile, script)},
		Benign:    []corpus.Case{scripted("benign", corpus.Benign, "exit 0")},
		Timeout:   20 * time.Second,
		Memory:    256 * mib,
		MaxOutput: 64 * mib,
	}
}

// only is the result of a run with one case.
func only(t *testing.T, o *Options) Result {
	t.Helper()
	r, err := Run(t.Context(), o)
	require.NoError(t, err)
	require.Len(t, r.Cases, 1)
	return r.Cases[0]
}

// traced skips a test where ptrace is not permitted.
func traced(t *testing.T, o *Options) {
	t.Helper()
	if how, _ := o.memoryIs(); how != MemoryAtExit {
		t.Skip("ptrace is not permitted here")
	}
}

func TestClassesOfEndings(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		want         Class
	}{
		{"exit code 0", "exit 0", Accepted},
		{"exit code 1", "exit 1", Refused},
		{"a signal", "signal 11", Crashed},
		{"SIGKILL from elsewhere", "signal 9", Crashed},
		{"a shell's word for a signal", "exit 139", Crashed},
		{"Go's exit code and last words", "stderr fatal error: runtime: out of memory\nexit 2", Crashed},
		{"Go's exit code alone", "stderr usage: …\nexit 2", Refused},
		{"AddressSanitizer's report", "stderr ==7==ERROR: AddressSanitizer: heap-buffer-overflow on address\nexit 1", Crashed},
		{"MemorySanitizer's report", "stderr ==7==WARNING: MemorySanitizer: use-of-uninitialized-value\nexit 1", Crashed},
		{"UndefinedBehaviorSanitizer's report", "stderr SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior\nexit 1", Crashed},
		{"a leak", "stderr ==7==ERROR: LeakSanitizer: detected memory leaks\nexit 23", Refused},
		{"Java's error without harm", "stderr java.lang.OutOfMemoryError\nexit 0", Accepted},
		{"a process that stops itself", "stop\nexit 1", Refused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, only(t, options(t, tt.script)).Class)
		})
	}
}

// A look every few milliseconds would miss the last pages.
func TestPeakIsReadThoughTheCommandEndsAtOnce(t *testing.T) {
	o := options(t, "touch 100\nexit 0")
	r := only(t, o)
	traced(t, o)
	resident, _ := r.Resident.Get()
	require.Greater(t, resident, uint64(100*mib))
	require.Equal(t, Accepted, r.Class)
}

func TestOverMemory(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		memory       uint64
		why          string
	}{
		{"resident", "touch 2000\nsleep 20000", 256 * mib, "killed holding"},
		{"resident, ends at once", "touch 120\nexit 1", 100 * mib, ""},
		{"virtual", "reserve 2000\nexit 1", 256 * mib, "above the baseline"},
		{"resident in a grandchild", "run touch 2000;sleep 20000", 256 * mib, "killed holding"},
		{"two grandchildren together", "pair touch 100;sleep 20000", 150 * mib, "killed holding"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t, tt.script)
			o.Memory = tt.memory
			r := only(t, o)
			require.Equal(t, OverMemory, r.Class, r.Why)
			require.Contains(t, r.Why, tt.why)
			require.Less(t, r.Wall, 15.0)
		})
	}
}

func TestOverMemoryWhilePolling(t *testing.T) {
	for _, script := range []string{"touch 2000\nsleep 20000", "run touch 2000;sleep 20000"} {
		o := options(t, script)
		o.polling.Store(true)
		r, err := Run(t.Context(), o)
		require.NoError(t, err)
		require.Equal(t, MemoryPolled, r.Memory)
		require.Equal(t, OverMemory, r.Cases[0].Class, script)
		require.Equal(t, "SIGKILL", r.Cases[0].Signal)
	}
}

// A process that is traced already cannot be traced again.
func TestPollsWherePtraceIsNotPermitted(t *testing.T) {
	o := options(t, "probe exit 1")
	r := only(t, o)
	traced(t, o)
	require.Equal(t, "polled refused", r.Stderr)
	require.Equal(t, Accepted, r.Class)
}

// The kernel hands a parent's peak down to what it starts: wait4 tells 500 MiB
// of a child that does nothing.
func TestParentsMemoryIsNotCounted(t *testing.T) {
	touched := make([]byte, 500*mib)
	for i := 0; i < len(touched); i += 4096 {
		touched[i] = 1
	}
	control := exec.Command("/bin/true")
	require.NoError(t, control.Run())
	usage, ok := control.ProcessState.SysUsage().(*syscall.Rusage)
	require.True(t, ok)
	require.Greater(t, usage.Maxrss, int64(400<<10), "the trap that this test is about is gone")

	for _, polling := range []bool{false, true} {
		o := options(t, "sleep 50")
		o.polling.Store(polling)
		resident, known := only(t, o).Resident.Get()
		require.True(t, known)
		require.Less(t, resident, uint64(100*mib))
	}
	runtime.KeepAlive(touched)
}

func TestGrandchildsPeakCounts(t *testing.T) {
	o := options(t, "run touch 100;exit 0")
	r := only(t, o)
	traced(t, o)
	resident, _ := r.Resident.Get()
	require.Greater(t, resident, uint64(100*mib))
}

func TestCPUIsMeasured(t *testing.T) {
	r := only(t, options(t, "touch 100\nexit 0"))
	require.Greater(t, r.CPU, 0.0)
	require.Greater(t, r.Wall, 0.0)
}

func TestTimedOut(t *testing.T) {
	for _, polling := range []bool{false, true} {
		o := options(t, "stubborn\nrun stubborn;sleep 60000")
		o.Timeout = 300 * time.Millisecond
		o.polling.Store(polling)
		r := only(t, o)
		require.Equal(t, TimedOut, r.Class)
		require.Less(t, r.Wall, 5.0)
		requireNoneLeft(t)
	}
}

// requireNoneLeft looks for the stubborn descendants of a command.
func requireNoneLeft(t *testing.T) {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	left := func() (pids []string) {
		lists, err := filepath.Glob("/proc/[0-9]*/cmdline")
		require.NoError(t, err)
		for _, list := range lists {
			line, err := os.ReadFile(list)
			if err == nil && strings.HasPrefix(string(line), program+"\x00script\x00stubborn") {
				pids = append(pids, list)
			}
		}
		return pids
	}
	require.Eventually(t, func() bool { return len(left()) == 0 }, 5*time.Second, 10*time.Millisecond, "%v", left)
}

func TestWhatIsLeftBehindDoesNotHang(t *testing.T) {
	o := options(t, "leave stubborn;sleep 60000\nexit 0")
	r := only(t, o)
	require.Equal(t, Accepted, r.Class)
	require.Less(t, r.Wall, 5.0)
	traced(t, o)
	requireNoneLeft(t)
}

// A command with a terminal writes to it what it likes, and is stopped over and
// over where it reads from it.
func TestCommandHasNoTerminal(t *testing.T) {
	for _, polling := range []bool{false, true} {
		o := options(t, "session")
		o.polling.Store(polling)
		require.Equal(t, Accepted, only(t, o).Class)
	}
}

// What is started with CLONE_UNTRACED is not traced, and was not killed: neither
// with the command nor after it.
func TestGroupIsKilledThoughItIsNotTraced(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		timeout      time.Duration
		want         Class
	}{
		{"with the command", "hide stubborn;sleep 60000\nsleep 60000", time.Second, TimedOut},
		{"after the command", "hide stubborn;sleep 60000\nexit 0", 20 * time.Second, Accepted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t, tt.script)
			o.Timeout = tt.timeout
			require.Equal(t, tt.want, only(t, o).Class)
			requireNoneLeft(t)
		})
	}
}

// A process that has called vfork shares its address space until its child
// calls exec, and was taken to hold everything twice.
func TestOneMemoryIsCountedOnce(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	pids := []int{os.Getpid(), syscall.Gettid()}
	if !haveOneMemory(pids[0], pids[1]) {
		t.Skip("kcmp is not permitted here")
	}
	require.InEpsilon(t, readPss(pids[0]), together(pids), 0.5)

	other := exec.Command("sleep", "60")
	require.NoError(t, other.Start())
	t.Cleanup(func() {
		require.NoError(t, other.Process.Kill())
		_ = other.Wait()
	})
	require.False(t, haveOneMemory(os.Getpid(), other.Process.Pid))
}

// Without ptrace a process of another session is not found once its parent has
// ended. It must not keep the run from going on.
func TestWhatEscapesThePollDoesNotHang(t *testing.T) {
	o := options(t, "leave sleep 30000\nexit 0")
	o.polling.Store(true)
	begin := time.Now()
	require.Equal(t, Accepted, only(t, o).Class)
	require.Less(t, time.Since(begin), 25*time.Second)
}

func TestOutputOverLimit(t *testing.T) {
	o := options(t, "spam")
	o.MaxOutput = mib
	r := only(t, o)
	require.Equal(t, OutputOverLimit, r.Class)
	require.Greater(t, r.Output, uint64(mib))
}

func TestPayloadThatNobodyReads(t *testing.T) {
	o := options(t, strings.Repeat("x", 4*mib))
	o.Command[1] = "deaf"
	require.Equal(t, Accepted, only(t, o).Class)
}

func TestCrashLeavesNoCore(t *testing.T) {
	t.Chdir(t.TempDir())
	var before syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_CORE, &before))
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{Cur: before.Max, Max: before.Max}))
	t.Cleanup(func() { require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_CORE, &before)) })
	require.Equal(t, "SIGSEGV", only(t, options(t, "signal 11")).Signal)
	left, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestPlaceholderIsAFileOfTheCasesName(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	o := options(t, "exit 3")
	o.Command = []string{o.Command[0], "file", "{}"}
	r := only(t, o)
	require.Equal(t, "exit 3", r.cells()[3])
	require.Regexp(t, `/harden-probe-\d+/\d+/hostile\.json$`, r.Stderr)
	requireEmpty(t, os.Getenv("TMPDIR"))
}

func requireEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestInterrupted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	o := options(t, "stubborn\nsleep 60000")
	o.Command = []string{o.Command[0], "stdin", "{}"}
	o.Command[1] = "file"
	o.Benign = nil
	o.Cases = append(o.Cases, scripted("next", corpus.Hostile, "exit 0"))
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	r, err := Run(ctx, o)
	require.NoError(t, err)
	require.Equal(t, Undecided, r.Verdict)
	require.Equal(t, "interrupted after 0 of 2 cases, hurt by 0 so far", r.Conclusion)
	requireEmpty(t, os.Getenv("TMPDIR"))
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(o *Options)
		want   string
	}{
		{"no command", func(o *Options) { o.Command = nil }, "no command is given"},
		{"no case", func(o *Options) { o.Cases = nil }, "no case is selected"},
		{"no such command", func(o *Options) { o.Command[0] = "no-such-decoder" }, "the command cannot be started"},
		{"not a program", func(o *Options) { o.Command[0] = notAProgram(t) }, "the command cannot be started"},
		{"a payload that cannot be made", func(o *Options) { o.Cases[0].Payload, o.Cases[0].Large = broken{}, true }, "json/hostile: making the payload: broken"},
		{"a folder that cannot be made", func(o *Options) {
			t.Setenv("TMPDIR", "/nowhere")
			o.Command = append(o.Command, "{}")
		}, "making a folder for the payloads"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t, "exit 0")
			tt.change(o)
			_, err := Run(t.Context(), o)
			require.ErrorContains(t, err, tt.want)
			require.False(t, o.polling.Load())
		})
	}
}

func notAProgram(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(path, []byte("no program"), 0o755))
	return path
}

// broken is a payload that cannot be made.
type broken struct{}

func (broken) WriteTo(w io.Writer) (int64, error) {
	return 0, errors.New("broken")
}

func TestJobsRunAtOnceAndApart(t *testing.T) {
	o := options(t, "exit 0")
	o.Jobs = 4
	o.Cases = nil
	for i := range 12 {
		o.Cases = append(o.Cases, scripted(strconv.Itoa(10+i), corpus.Hostile, "sleep 20\nexit "+strconv.Itoa(i)))
	}
	r, err := Run(t.Context(), o)
	require.NoError(t, err)
	for i, result := range r.Cases {
		require.Equal(t, "json/"+strconv.Itoa(10+i), result.Case)
		require.Equal(t, strconv.Itoa(i), result.Exit.String())
	}
}
