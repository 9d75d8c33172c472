package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"
)

// A consumer takes what has passed the gate.
type consumer interface {
	// start makes ready for the first Write. It is called once there is
	// something clean to take, if only an empty content.
	start() error
	io.Writer
	// finish tells that nothing more comes, waits for the consumer, and
	// returns its exit code.
	finish() (int, error)
}

// consumer returns the one of the command line: the command after --, or stdout.
func (c *Command) consumer(ctx *cli.Context) (consumer, error) {
	if ctx.Args().Present() {
		return c.process(ctx.Context, ctx.Args().Slice())
	}
	return stdout{c.Stdout}, nil
}

type stdout struct{ io.Writer }

func (stdout) start() error         { return nil }
func (stdout) finish() (int, error) { return ExitClean, nil }

// handOn gives content to the consumer and returns its exit code. Where it does
// not want all of it, that is its business; anything else that keeps it from
// getting all is ours.
func handOn(to consumer, content io.Reader) (int, error) {
	if err := to.start(); err != nil {
		return ExitUndecided, err
	}
	_, err := io.Copy(to, content)
	code, finished := to.finish()
	if err != nil && !isClosedPipe(err) {
		return ExitUndecided, fmt.Errorf("handing on what is clean: %w", err)
	}
	return code, finished
}

// isClosedPipe reports whether err says that nobody reads what is written. A
// closed stdout ends the process with SIGPIPE where there are signals, as it
// does cat; elsewhere, and for the stdin of a command, it is this error.
func isClosedPipe(err error) bool {
	return isBrokenPipe(err) || errors.Is(err, io.ErrClosedPipe)
}
