package hosttest

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed node.mjs
var nodeScript []byte

// nodeTrapped is the exit code of node.mjs after a trap.
const nodeTrapped = 134

// nodeHost starts a process for every run: V8's limits belong to the process,
// and nothing but its end stops a module. Code is compiled by V8's baseline
// compiler only, which takes half the time.
type nodeHost struct {
	node, version, dir string
}

// NewNode returns Node as a host of a module, if it is installed.
func NewNode(wasm []byte) (Host, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("node: %w: %w", errNoHost, err)
	}
	version, err := exec.Command(node, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("node --version: %w", err)
	}
	h := &nodeHost{node: node, version: strings.TrimPrefix(strings.TrimSpace(string(version)), "v")}
	if h.dir, err = os.MkdirTemp("", "hosttest"); err != nil {
		return nil, err
	}
	err = errors.Join(os.WriteFile(h.module(), wasm, 0o600), os.WriteFile(h.script(), nodeScript, 0o600))
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

func (h *nodeHost) module() string  { return filepath.Join(h.dir, "module.wasm") }
func (h *nodeHost) script() string  { return filepath.Join(h.dir, "node.mjs") }
func (*nodeHost) Name() string      { return "node" }
func (h *nodeHost) Version() string { return h.version }
func (h *nodeHost) Close() error    { return os.RemoveAll(h.dir) }

func (h *nodeHost) Run(ctx context.Context, call Call) (Result, error) {
	if call.Deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, call.Deadline)
		defer cancel()
	}
	spec, err := json.Marshal(h.spec(call))
	if err != nil {
		return Result{}, err
	}
	flags := []string{"--no-warnings", "--liftoff-only"}
	if call.MemoryLimit > 0 {
		flags = append(flags, fmt.Sprintf("--wasm-max-mem-pages=%d", call.MemoryLimit/wasmPage))
	}
	cmd := exec.CommandContext(ctx, h.node, append(flags, h.script(), string(spec))...)
	cmd.Stdin = call.Stdin
	r, err := runProcess(cmd)
	switch {
	case err != nil:
		return Result{}, fmt.Errorf("node: %w", err)
	case ctx.Err() != nil:
		r.Exit, r.Trap = trapped, ctx.Err().Error()
	case r.Exit == nodeTrapped:
		lines := strings.Split(strings.TrimSpace(r.Stderr), "\n")
		r.Exit, r.Trap = trapped, lines[len(lines)-1]
	}
	return r, nil
}

// spec is what node.mjs is given.
func (h *nodeHost) spec(call Call) map[string]any {
	env, preopens := map[string]string{}, map[string]string{}
	for _, pair := range call.Env {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	for _, d := range call.Dirs {
		preopens[d.Guest] = d.Host
	}
	return map[string]any{
		"module": h.module(), "args": append([]string{ProgramName}, call.Args...), "env": env, "preopens": preopens,
	}
}

// runProcess runs cmd and says how it ended. One that was ended by a signal has
// trapped.
func runProcess(cmd *exec.Cmd) (Result, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return Result{}, err // it did not start
	}
	// Any other error is that of the exit code, or of stdin that was not read
	// to its end.
	r := Result{Exit: cmd.ProcessState.ExitCode(), Stdout: stdout.String(), Stderr: stderr.String()}
	if r.Exit == trapped {
		r.Trap = cmd.ProcessState.String()
	}
	return r, nil
}
