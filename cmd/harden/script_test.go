//go:build !wasip1

// testscript starts processes.
package main

import (
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/wasmtest"
)

// builds are the modules that a script can ask for: module NAME FILE.
var builds wasmtest.Builds

// A built runs tests with a place to build modules in.
type built struct{ m *testing.M }

func (b built) Run() int { return builds.Run(b.m) }

func TestMain(m *testing.M) {
	testscript.Main(built{m}, map[string]func(){
		"harden": func() {
			c := Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
			os.Exit(c.Main(context.Background(), os.Args))
		},
	})
}

// TestScripts runs the scripts of testdata/script, one behaviour each.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"payload": writePayload,
			"module":  func(ts *testscript.TestScript, neg bool, args []string) { writeModule(t, ts, neg, args) },
			"exits":   exits,
		},
		Setup: func(env *testscript.Env) error {
			corpus, err := filepath.Abs(filepath.Join("..", "..", "corpus"))
			env.Setenv("CORPUS", corpus)
			return err
		},
	})
}

// payloads are what a script can ask for by name: payload NAME FILE.
var payloads = map[string]io.WriterTo{
	"hello":     forge.Gzip{Body: forge.Text("hello")},
	"empty":     forge.Gzip{},
	"two":       forge.Sequence{forge.Gzip{Body: forge.Text("a")}, forge.Gzip{Body: forge.Text("b")}},
	"forged":    forge.Gzip{Body: forge.Text("hello"), Trailer: func(t *forge.Trailer) { t.ISIZE = math.MaxUint32 }},
	"wrong-crc": forge.Gzip{Body: forge.Text("hello"), Trailer: func(t *forge.Trailer) { t.CRC++ }},
	"cut":       forge.Head{Payload: forge.Gzip{Body: forge.Text("hello")}, N: 15},
	"bomb-1g":   forge.Gzip{Body: forge.Zeros(1 << 30)},
	"bomb-9m":   forge.Gzip{Body: forge.Zeros(9 << 20)},
	// Stored blocks do not shrink: a payload of more than the 8 MiB of a
	// stream that are held.
	"stored-9m": forge.Gzip{Body: func(d *forge.Deflate) {
		for i := range 9 * 16 {
			d.Stored(i == 9*16-1, make([]byte, 65535))
		}
	}},
	"nested-2": nested(2),
	"nested-3": nested(3),
	"name":     forge.Gzip{Name: "../x\x1b[31m", Body: forge.Text("hello")},
}

// nested is n layers of gzip around text.
func nested(n int) io.WriterTo {
	if n == 1 {
		return forge.Gzip{Body: forge.Text("hello")}
	}
	return forge.Gzip{Body: forge.Literals(nested(n - 1))}
}

func writeModule(t *testing.T, ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: module command|reactor FILE")
	}
	module := builds.Reactor
	if args[0] == "command" {
		module = builds.Command
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), module(t), 0o600))
}

func writePayload(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 || payloads[args[0]] == nil {
		ts.Fatalf("usage: payload NAME FILE")
	}
	f, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	_, err = payloads[args[0]].WriteTo(f)
	ts.Check(err)
	ts.Check(f.Close())
}

// exits runs a command that must end with a certain code: exits CODE CMD ARG….
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE CMD [ARG…]")
	}
	got := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		code, ok := err.(interface{ ExitCode() int })
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = strconv.Itoa(code.ExitCode())
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}
