package main

import (
	"io"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/forge/msgpack"
)

func (c *Command) forgeMsgpackCommand() *cli.Command {
	return &cli.Command{
		Name:      "msgpack",
		Usage:     "a header that promises more than follows, or a costly honest value",
		UsageText: "harden forge msgpack FLAG… > PAYLOAD",
		Description: "One of --array, --map, --str, --bin, --ext and --nest says what the header promises.\n" +
			"Nothing follows it, unless --honest is given.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "array", Usage: "an array that promises `N` values"},
			&cli.StringFlag{Name: "map", Usage: "a map that promises `N` pairs"},
			&cli.StringFlag{Name: "str", Usage: "a str that promises `SIZE`"},
			&cli.StringFlag{Name: "bin", Usage: "a bin that promises `SIZE`"},
			&cli.StringFlag{Name: "ext", Usage: "an ext of type 1 that promises `SIZE`"},
			&cli.StringFlag{Name: "nest", Usage: "`DEPTH` arrays, each the first value of the one around it"},
			&cli.StringFlag{Name: "count", Usage: "`N` values that each array of --nest promises", DefaultText: "1"},
			&cli.BoolFlag{Name: "honest", Usage: "write what is promised: nils, pairs of a number and nil, equal bytes"},
			cutFlag(), gzipFlag(),
		},
		Action: c.forging(forgeMsgpack),
	}
}

func forgeMsgpack(f *forgeFlags) io.WriterTo {
	shape := f.one("array", "map", "str", "bin", "ext", "nest")
	f.onlyWith("count", shape, "nest")
	honest := f.ctx.Bool("honest")
	var promise, content io.WriterTo
	switch shape {
	case "array":
		n := f.count(shape, math.MaxUint32)
		promise, content = msgpack.ArrayOf(uint32(n)), nils(n)
	case "map":
		n := f.count(shape, math.MaxUint32)
		promise, content = msgpack.MapOf(uint32(n)), msgpack.Pairs(n)
	case "str":
		n := f.size(shape, math.MaxUint32)
		promise, content = msgpack.StrOf(uint32(n)), forge.Fill{Byte: 'a', N: n}
	case "bin":
		n := f.size(shape, math.MaxUint32)
		promise, content = msgpack.BinOf(uint32(n)), forge.Fill{N: n}
	case "ext":
		n := f.size(shape, math.MaxUint32)
		promise, content = append(msgpack.Ext32.Of(n), 1), forge.Fill{N: n}
	case "nest":
		promise, content = f.nested()
	default:
		return nil
	}
	if honest {
		return f.wrapped(forge.Sequence{promise, content})
	}
	return f.wrapped(promise)
}

// nested returns --nest arrays of --count values, and the nils that fill them
// from the innermost one out.
func (f *forgeFlags) nested() (promise, content io.WriterTo) {
	depth, count := f.count("nest", math.MaxUint32), uint64(1)
	if f.ctx.IsSet("count") {
		count = f.count("count", math.MaxUint32)
	}
	if depth == 0 || count == 0 {
		f.fail("--nest and --count: at least 1 each, so that an array can hold the next")
		return nil, nil
	}
	return forge.Repeat{Payload: msgpack.ArrayOf(uint32(count)), N: depth}, nils(depth*(count-1) + 1)
}

func nils(n uint64) io.WriterTo { return forge.Repeat{Payload: msgpack.Nil, N: n} }
