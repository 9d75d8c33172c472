package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/spell"
)

func (c *Command) forgeCommand() *cli.Command {
	cmd := &cli.Command{
		Name:      "forge",
		Usage:     "write one hostile payload, to test a service of one's own",
		UsageText: "harden forge gzip|msgpack|json FLAG… > PAYLOAD",
		Description: "Writes to stdout, in constant memory, and refuses to write to a terminal.\n" +
			"Sizes are bytes, or 64KiB, 10GiB and the like.",
		Subcommands: []*cli.Command{c.forgeGzipCommand(), c.forgeMsgpackCommand(), c.forgeJSONCommand()},
	}
	cmd.Action = func(ctx *cli.Context) error {
		if !ctx.Args().Present() {
			return &usageError{errors.New("say what to forge: gzip, msgpack or json"), "harden forge --help"}
		}
		return unknownCommand("harden forge", cmd.Subcommands, ctx.Args().First())
	}
	return cmd
}

// forging is the action of a forge command: shape reads the flags, the payload
// it returns goes to stdout.
func (c *Command) forging(shape func(f *forgeFlags) io.WriterTo) cli.ActionFunc {
	return func(ctx *cli.Context) error {
		help := "harden forge " + ctx.Command.Name + " --help"
		if ctx.Args().Present() {
			return &usageError{fmt.Errorf("forge writes to stdout and takes no path: %q", ctx.Args().First()), help}
		}
		flags := &forgeFlags{ctx: ctx}
		payload := shape(flags)
		if flags.err != nil {
			return &usageError{flags.err, help}
		}
		if isTerminal(c.Stdout) {
			return errors.New("forge: stdout is a terminal: send the payload to a file (> payload) or a pipe")
		}
		if _, err := payload.WriteTo(c.Stdout); err != nil {
			return fmt.Errorf("writing the payload: %w", err)
		}
		return nil
	}
}

// cutFlag is the flag that all formats share; cutOff reads it.
func cutFlag() cli.Flag {
	return &cli.StringFlag{Name: "cut", Usage: "leave out the last `SIZE` of the payload, up to 1MiB"}
}

// gzipFlag wraps a payload of another format; wrapped reads it and cutFlag.
func gzipFlag() cli.Flag {
	return &cli.BoolFlag{Name: "gzip", Usage: "wrap the payload in an honest gzip member"}
}

// forgeFlags reads the flags of a forge command and keeps the first error.
type forgeFlags struct {
	ctx *cli.Context
	err error
}

func (f *forgeFlags) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// size reads a number of bytes, at most most; 0 where the flag is not given.
func (f *forgeFlags) size(name string, most uint64) uint64 {
	if !f.ctx.IsSet(name) {
		return 0
	}
	n, err := spell.ParseBytes(f.ctx.String(name))
	if err != nil {
		f.fail("--%s: %w", name, err)
	}
	return f.bounded(name, n, most)
}

// count reads a number of things, at most most; 0 where the flag is not given.
func (f *forgeFlags) count(name string, most uint64) uint64 {
	if !f.ctx.IsSet(name) {
		return 0
	}
	n, err := strconv.ParseUint(f.ctx.String(name), 10, 64)
	if err != nil {
		f.fail("--%s %q: write a number in digits, at most %d", name, f.ctx.String(name), most)
	}
	return f.bounded(name, n, most)
}

func (f *forgeFlags) bounded(name string, n, most uint64) uint64 {
	if n > most {
		f.fail("--%s %s: at most %d", name, f.ctx.String(name), most)
	}
	return n
}

// one returns which of the flags in names is given: it has to be exactly one.
func (f *forgeFlags) one(names ...string) string {
	var given []string
	for _, name := range names {
		if f.ctx.IsSet(name) {
			given = append(given, "--"+name)
		}
	}
	switch len(given) {
	case 0:
		f.fail("say what the payload is: one of --%s", strings.Join(names, ", --"))
		return ""
	case 1:
		return given[0][2:]
	}
	f.fail("%s: one payload has one of them", strings.Join(given, " and "))
	return ""
}

// onlyWith refuses a flag that says nothing without the shape it belongs to.
func (f *forgeFlags) onlyWith(name, shape string, shapes ...string) {
	if !f.ctx.IsSet(name) {
		return
	}
	for _, s := range shapes {
		if s == shape {
			return
		}
	}
	f.fail("--%s belongs to --%s", name, strings.Join(shapes, ", --"))
}

// cutOff leaves out the end that --cut asks to.
func (f *forgeFlags) cutOff(p io.WriterTo) io.WriterTo {
	if n := f.size("cut", 1<<20); n > 0 {
		return forge.WithoutEnd{Payload: p, N: uint(n)}
	}
	return p
}

// wrapped applies --cut and then --gzip.
func (f *forgeFlags) wrapped(p io.WriterTo) io.WriterTo {
	p = f.cutOff(p)
	if f.ctx.Bool("gzip") {
		p = forge.Gzip{Body: forge.Runs(p)}
	}
	return p
}
