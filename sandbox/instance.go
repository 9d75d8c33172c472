package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/guest"
)

// What the reactor exports.
const (
	exportABI     = "harden_abi"
	exportAlloc   = "harden_alloc"
	exportInspect = "harden_inspect_file"
)

// guestCommand is the command of the CLI's module that judges one payload.
const guestCommand = "sandboxed"

// keptStderr is how much of what a guest writes to stderr is kept, in bytes.
const keptStderr = 4 << 10

// maxAnswer bounds the answer of a guest whose memory has no cap, in bytes.
const maxAnswer = 1 << 30

// A call is everything that is one payload's.
type call struct {
	name     string
	settings []byte
	source   *source // nil: nothing to judge
	memory   uint64  // bytes; 0: no cap
	watch    *watch
}

// An instance is a module that judges one payload.
type instance struct {
	memory *memory
	stdout output
	stderr output
}

// start makes an instance of the module and calls its start function. The
// error, where there is one, says in words for a report how the instance ended.
func (s *Sandbox) start(ctx context.Context, c *call, function string, args ...string) (*instance, api.Module, error) {
	in := &instance{memory: s.memories.get(c.memory)}
	if !in.memory.reserve(s.least) {
		return in, nil, &inspect.BrokenError{Reason: "the system has no memory for an instance"}
	}
	in.stdout.most = maxAnswer
	in.stderr.most = keptStderr
	if c.memory != 0 {
		in.stdout.most = c.memory
	}
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions(function).WithArgs(args...).
		WithStdout(&in.stdout).WithStderr(&in.stderr).
		WithSysWalltime().WithSysNanotime().WithNanosleep(func(ns int64) { sleep(ctx, ns) }).
		// wazero's own source is the same for every instance, and hash seeds must not be.
		WithRandSource(rand.Reader)
	if c.memory != 0 {
		// Collecting garbage costs less than a cap that is hit.
		config = config.WithEnv("GOMEMLIMIT", strconv.FormatUint(c.memory/4*3, 10))
	}
	if c.source != nil {
		config = c.source.mount(config)
	}
	module, err := s.runtime.InstantiateModule(experimental.WithMemoryAllocator(ctx, in.memory), s.compiled, config)
	if err != nil {
		return in, nil, in.failed(ctx, err)
	}
	return in, module, nil
}

// sleep is how a guest waits, which nobody does after the end of its time.
func sleep(ctx context.Context, ns int64) {
	timer := time.NewTimer(time.Duration(ns))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// failed says why an instance ended with err.
func (in *instance) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var exit *sys.ExitError
	switch {
	case in.memory.refused:
		return &inspect.BrokenError{Reason: fmt.Sprintf("the instance needs more memory than the %d bytes that it may have", in.memory.most)}
	case errors.As(err, &exit):
		return &inspect.BrokenError{Reason: fmt.Sprintf("the instance exited with code %d: %s", exit.ExitCode(), firstLine(string(in.stderr.bytes)))}
	}
	return &inspect.BrokenError{Reason: "the instance trapped: " + firstLine(err.Error())}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// runCommand judges a payload with the CLI's module.
func runCommand(ctx context.Context, s *Sandbox, c *call) ([]byte, error) {
	// Arguments end in a zero byte; names are only looked at for their extension.
	name := strings.ReplaceAll(c.name, "\x00", "\ufffd")
	in, _, err := s.start(ctx, c, "_start", "harden", guestCommand, "--", string(c.settings), name, c.source.path())
	defer in.memory.release()
	if err != nil {
		return nil, err
	}
	return in.stdout.bytes, in.stdout.err
}

// runReactor judges a payload with the reactor.
func runReactor(ctx context.Context, s *Sandbox, c *call) ([]byte, error) {
	in, module, err := s.start(ctx, c, "_initialize")
	defer in.memory.release()
	if err != nil {
		return nil, err
	}
	defer module.Close(ctx)
	var args []uint64
	for _, b := range [][]byte{c.settings, []byte(c.name), []byte(c.source.path())} {
		at, err := in.put(ctx, module, b)
		if err != nil {
			return nil, err
		}
		args = append(args, at, uint64(len(b)))
	}
	res, err := in.call(ctx, module, exportInspect, args...)
	if err != nil {
		return nil, err
	}
	answer, ok := module.Memory().Read(uint32(res>>32), uint32(res))
	if !ok {
		return nil, &inspect.BrokenError{Reason: "the report of the instance is outside its memory"}
	}
	return append([]byte(nil), answer...), nil
}

// put copies b into the memory of an instance. No bytes need no address.
func (in *instance) put(ctx context.Context, module api.Module, b []byte) (uint64, error) {
	if len(b) == 0 {
		return 0, nil
	}
	at, err := in.call(ctx, module, exportAlloc, uint64(len(b)))
	if err == nil && !module.Memory().Write(uint32(at), b) {
		err = &inspect.BrokenError{Reason: "the instance gave memory that it does not have"}
	}
	return at, err
}

// call calls one of the functions that New made sure are there.
func (in *instance) call(ctx context.Context, module api.Module, function string, args ...uint64) (uint64, error) {
	res, err := module.ExportedFunction(function).Call(ctx, args...)
	if err != nil {
		return 0, in.failed(ctx, err)
	}
	return res[0], nil
}

// checkABI makes sure that the module answers as this package asks.
func (s *Sandbox) checkABI(ctx context.Context, reactor bool) error {
	c := &call{}
	var version uint64
	if reactor {
		in, module, err := s.start(ctx, c, "_initialize")
		defer in.memory.release()
		if err != nil {
			return err
		}
		defer module.Close(ctx)
		if version, err = in.call(ctx, module, exportABI); err != nil {
			return err
		}
	} else {
		in, _, err := s.start(ctx, c, "_start", "harden", guestCommand, "--abi")
		defer in.memory.release()
		if err == nil {
			version, err = strconv.ParseUint(strings.TrimSpace(string(in.stdout.bytes)), 10, 32)
		}
		if err != nil {
			return errors.New("not a module of harden, or one of another version")
		}
	}
	if version != guest.ABI {
		return fmt.Errorf("the module speaks version %d of the interface, not %d", version, guest.ABI)
	}
	return nil
}

// An output keeps what a guest writes, up to most bytes.
type output struct {
	bytes []byte
	most  uint64
	err   error
}

// Write is that of an io.Writer, and takes everything.
func (o *output) Write(p []byte) (int, error) {
	room := o.most - uint64(len(o.bytes))
	if uint64(len(p)) > room {
		o.err = &inspect.BrokenError{Reason: fmt.Sprintf("the instance wrote more than %d bytes", o.most)}
	}
	o.bytes = append(o.bytes, p[:min(uint64(len(p)), room)]...)
	return len(p), nil
}
