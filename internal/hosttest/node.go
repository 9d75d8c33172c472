package hosttest

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

//go:embed node.mjs
var nodeScript []byte

// nodeHost keeps a process for every memory limit that was asked for, because
// V8's limit belongs to the process. A process runs one call at a time.
type nodeHost struct {
	node    string
	version string
	dir     string

	mu        sync.Mutex
	processes map[int64]*nodeProcess
}

type nodeProcess struct {
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	answers *bufio.Reader
}

// NewNode starts Node on a module, if it is installed.
func NewNode(wasm []byte) (Host, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("node: %w: %w", errNoHost, err)
	}
	h := &nodeHost{node: node, processes: map[int64]*nodeProcess{}}
	if h.dir, err = os.MkdirTemp("", "hosttest"); err != nil {
		return nil, err
	}
	err = errors.Join(os.WriteFile(h.module(), wasm, 0o600), os.WriteFile(h.script(), nodeScript, 0o600))
	if err == nil {
		_, err = h.withLimit(0)
	}
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

func (h *nodeHost) module() string  { return filepath.Join(h.dir, "module.wasm") }
func (h *nodeHost) script() string  { return filepath.Join(h.dir, "node.mjs") }
func (*nodeHost) Name() string      { return "node" }
func (h *nodeHost) Version() string { return h.version }

func (h *nodeHost) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for limit := range h.processes {
		h.kill(limit)
	}
	return os.RemoveAll(h.dir)
}

// kill ends the process of a limit; h.mu is held.
func (h *nodeHost) kill(limit int64) {
	p := h.processes[limit]
	delete(h.processes, limit)
	// It is ended from outside: neither error says anything.
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// withLimit returns the process for a limit in bytes, 0 for none; h.mu is held.
func (h *nodeHost) withLimit(limit int64) (*nodeProcess, error) {
	if p := h.processes[limit]; p != nil {
		return p, nil
	}
	flags := []string{"--no-warnings"}
	if limit > 0 {
		flags = append(flags, fmt.Sprintf("--wasm-max-mem-pages=%d", limit/wasmPage))
	}
	cmd := exec.Command(h.node, append(flags, h.script(), h.module())...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &nodeProcess{cmd: cmd, stdin: stdin, answers: bufio.NewReader(stdout)}
	h.processes[limit] = p
	var hello struct{ Version string }
	if err := p.read(&hello); err != nil {
		h.kill(limit)
		return nil, fmt.Errorf("node: %w", err)
	}
	h.version = hello.Version
	return p, nil
}

func (p *nodeProcess) read(v any) error {
	line, err := p.answers.ReadBytes('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(line, v)
}

type nodeAnswer struct {
	Exit        int
	Trap, Error string
}

func (h *nodeHost) Run(ctx context.Context, call Call) (Result, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	streams, err := newFiles(call)
	if err != nil {
		return Result{}, err
	}
	defer streams.close()
	p, err := h.withLimit(call.MemoryLimit)
	if err != nil {
		return Result{}, err
	}
	line, err := json.Marshal(nodeRequest(call, streams))
	if err != nil {
		return Result{}, err
	}
	if call.Deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, call.Deadline)
		defer cancel()
	}
	answered := make(chan error, 1)
	var answer nodeAnswer
	go func() {
		_, err := p.stdin.Write(append(line, '\n'))
		if err == nil {
			err = p.read(&answer)
		}
		answered <- err
	}()
	select {
	case err = <-answered:
	case <-ctx.Done():
		// WASI's start does not return to the script before the module
		// ends: only the process can be ended.
		h.kill(call.MemoryLimit)
		<-answered
		return streams.output(Result{Exit: trapped, Trap: ctx.Err().Error()})
	}
	if err == nil && answer.Error != "" {
		err = errors.New(answer.Error)
	}
	if err != nil {
		return Result{}, fmt.Errorf("node: %w", err)
	}
	return streams.output(Result{Exit: answer.Exit, Trap: answer.Trap})
}

func nodeRequest(call Call, streams *files) map[string]any {
	env, preopens := map[string]string{}, map[string]string{}
	for _, pair := range call.Env {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	for _, d := range call.Dirs {
		preopens[d.Guest] = d.Host
	}
	return map[string]any{
		"args": append([]string{ProgramName}, call.Args...), "env": env, "preopens": preopens,
		"stdin": streams.stdin, "stdout": streams.stdout, "stderr": streams.stderr,
	}
}
