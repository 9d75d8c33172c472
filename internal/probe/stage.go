//go:build !wasip1

package probe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/harden-input/harden/corpus"
)

// A stage is where payloads are put for the command. Its folder exists only
// where an argument holds {}.
type stage struct {
	program string
	argv    []string
	dir     string
	next    atomic.Int64
}

// placeholder stands for the payload's file in an argument.
const placeholder = "{}"

func newStage(program string, argv []string) (*stage, error) {
	st := &stage{program: program, argv: argv}
	if !slices.ContainsFunc(argv[1:], func(arg string) bool { return strings.Contains(arg, placeholder) }) {
		return st, nil
	}
	dir, err := os.MkdirTemp("", "harden-probe-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the payloads: %w", err)
	}
	st.dir = dir
	return st, nil
}

// remove removes all that was put on the stage.
func (st *stage) remove() error {
	if st.dir == "" {
		return nil
	}
	return os.RemoveAll(st.dir)
}

// A prop is one case on the stage: on stdin, or as a file in dir.
type prop struct {
	argv  []string
	stdin io.ReadCloser
	dir   string
}

// set puts a case on the stage. Where ctx ends meanwhile the error is its.
func (st *stage) set(ctx context.Context, c corpus.Case) (*prop, error) {
	payload := c.Open()
	if st.dir == "" {
		return &prop{argv: st.argv, stdin: payload}, nil
	}
	// A folder of its own, so that the file has no name but the case's.
	p := &prop{dir: filepath.Join(st.dir, strconv.FormatInt(st.next.Add(1), 10))}
	file := filepath.Join(p.dir, path.Base(c.FileName()))
	err := os.Mkdir(p.dir, 0o700)
	if err == nil {
		err = write(ctx, file, payload)
	}
	if err = errors.Join(err, payload.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("writing the payload: %w", err), p.remove())
	}
	p.argv = slices.Clone(st.argv)
	for i := range p.argv[1:] {
		p.argv[i+1] = strings.ReplaceAll(p.argv[i+1], placeholder, file)
	}
	return p, nil
}

// remove takes the case off the stage.
func (p *prop) remove() error {
	if p.stdin != nil {
		return p.stdin.Close()
	}
	return os.RemoveAll(p.dir)
}

func write(ctx context.Context, file string, payload io.Reader) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, untilDone{ctx, payload})
	return errors.Join(err, f.Close())
}

// untilDone reads until its context ends.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}
