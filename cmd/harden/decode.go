package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/spell"
	"github.com/harden-input/harden/internal/transcode"
	"github.com/harden-input/harden/rule"
)

func (c *Command) decodeCommand(code *int) *cli.Command {
	return &cli.Command{
		Name:      "decode",
		Usage:     "write what is inside stdin, msgpack as JSON, only if it is clean",
		ArgsUsage: " ",
		UsageText: "harden decode --as CHAIN [FLAG…]",
		Description: "Reads stdin whole, judges it, and only then writes what is inside every gzip to stdout: msgpack as JSON\n" +
			"by the rules of docs/decode.md, anything else as it is.\n" +
			"Exit code 0: written whole. 1: rejected. 2: not judged, or not written. Unless it is 0, stdout is not to be used.",
		Flags: append(withoutFlag(gateFlags("required"), "records"),
			&cli.StringFlag{Name: "max-output", Usage: "`SIZE` that may be written, or none", Value: "512MiB"},
			&cli.BoolFlag{Name: "lossy", Usage: "write null for NaN and infinite, U+FFFD for what is not UTF-8, and the first of keys that collide"},
			&cli.IntFlag{Name: "exit-code", Usage: "`N`: exit code where the payload is rejected, 1 or 3 to 125", Value: ExitRejected},
			&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "report on stderr also where there is nothing but notes"},
		),
		Action: func(ctx *cli.Context) error {
			n, err := c.decode(ctx)
			*code = n
			return err
		},
	}
}

// withoutFlag returns flags but for the one of that name.
func withoutFlag(flags []cli.Flag, name string) []cli.Flag {
	return slices.DeleteFunc(flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
}

func (c *Command) decode(ctx *cli.Context) (int, error) {
	usage := func(err error) (int, error) {
		return ExitUndecided, &usageError{err, "harden decode --help"}
	}
	if ctx.Args().Present() {
		return usage(errors.New("decode reads stdin and takes no path: redirect it with <"))
	}
	cfg, err := gateConfig(ctx)
	if err != nil {
		return usage(err)
	}
	most, err := spell.ParseSize("max-output", ctx.String("max-output"))
	if err != nil {
		return usage(err)
	}
	rejectedCode := ctx.Int("exit-code")
	if err := checkRejectedCode(rejectedCode); err != nil {
		return usage(err)
	}
	ins, err := inspect.New(cfg)
	if err != nil {
		return usage(err)
	}
	opt := transcode.Options{Limits: cfg.Limits.Msgpack, MaxOutput: most, Lossy: ctx.Bool("lossy")}
	p, err := c.decodeStdin(ctx.Context, ins, opt)
	if err != nil && !isClosedPipe(err) {
		return ExitUndecided, fmt.Errorf("writing what is inside: %w", err)
	}
	rep := inspect.NewReport()
	rep.Add(p)
	if err := c.reportTo(c.Stderr, rep, ctx.Bool("verbose")); err != nil {
		return ExitUndecided, err
	}
	n := exitCode(&rep.Summary, rejectedCode, false)
	if n != ExitClean {
		c.sumUp(&rep.Summary)
	}
	return n, nil
}

// decodeStdin judges stdin and writes what is inside it to stdout. What keeps a
// payload from being written makes it rejected; an error is that of writing.
func (c *Command) decodeStdin(ctx context.Context, ins *inspect.Inspector, opt transcode.Options) (inspect.Payload, error) {
	p, held := ins.InspectHeld(ctx, "-", c.Stdin)
	if p.Verdict != inspect.Clean {
		return p, nil
	}
	content, size, err := ins.Peel(&p, held, p.CompressedLayers())
	if err != nil {
		return p, err
	}
	defer content.Close()
	innermost := len(p.Layers) - 1
	if transcode.Reads(p.Layers[innermost].Format) {
		var whole []byte
		if whole, err = readExactly(content, size); err == nil {
			err = transcode.Msgpack(c.Stdout, whole, opt)
		}
	} else if rule.Exceeds(size, opt.MaxOutput) {
		err = transcode.TooLong(size, opt.MaxOutput)
	} else {
		_, err = io.Copy(c.Stdout, content)
	}
	var refused *rule.Violation
	if errors.As(err, &refused) {
		p.Reject(innermost, refused)
		return p, nil
	}
	return p, err
}

// readExactly reads the size bytes that r was measured to hold, into one
// allocation.
func readExactly(r io.Reader, size uint64) ([]byte, error) {
	if uint64(int(size)) != size {
		return nil, fmt.Errorf("%d bytes are more than this machine can address", size)
	}
	whole := make([]byte, size)
	_, err := io.ReadFull(r, whole)
	return whole, err
}
