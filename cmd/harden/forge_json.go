package main

import (
	"io"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/forge/json"
)

func (c *Command) forgeJSONCommand() *cli.Command {
	return &cli.Command{
		Name:      "json",
		Usage:     "a text too deep, too wide, or with a number too long",
		UsageText: "harden forge json FLAG… > PAYLOAD",
		Description: "One of --depth, --array, --entries, --string, --name, --number, --fraction and --exponent\n" +
			"says what the text is. It is valid JSON, unless --unclosed or --cut is given.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "depth", Usage: "`N` nested arrays"},
			&cli.BoolFlag{Name: "objects", Usage: "nest objects instead of arrays, with --depth"},
			&cli.BoolFlag{Name: "unclosed", Usage: "leave out the closing brackets, with --depth"},
			&cli.StringFlag{Name: "array", Usage: "an array of `N` zeros"},
			&cli.StringFlag{Name: "entries", Usage: "an object of `N` members"},
			&cli.BoolFlag{Name: "duplicate", Usage: "give all members the same name, with --entries"},
			&cli.StringFlag{Name: "string", Usage: "a string of `SIZE`"},
			&cli.StringFlag{Name: "name", Usage: "an object with one name of `SIZE`"},
			&cli.StringFlag{Name: "number", Usage: "an integer of `N` digits"},
			&cli.StringFlag{Name: "fraction", Usage: "a number with `N` digits after the point"},
			&cli.StringFlag{Name: "exponent", Usage: "the number 1e`N`"},
			cutFlag(), gzipFlag(),
		},
		Action: c.forging(forgeJSON),
	}
}

func forgeJSON(f *forgeFlags) io.WriterTo {
	shape := f.one("depth", "array", "entries", "string", "name", "number", "fraction", "exponent")
	f.onlyWith("objects", shape, "depth")
	f.onlyWith("unclosed", shape, "depth")
	f.onlyWith("duplicate", shape, "entries")
	const most = math.MaxInt64
	zero := forge.Bytes("0")
	switch shape {
	case "depth":
		return f.wrapped(f.deep())
	case "array":
		return f.wrapped(json.Array(f.count(shape, most), zero))
	case "entries":
		n := f.count(shape, most)
		if f.ctx.Bool("duplicate") {
			return f.wrapped(json.Duplicates(n, zero))
		}
		return f.wrapped(json.Object(n, zero))
	case "string":
		return f.wrapped(json.String('a', f.size(shape, most)))
	case "name":
		return f.wrapped(forge.Sequence{forge.Bytes("{"), json.String('a', f.size(shape, most)), forge.Bytes(":0}")})
	case "number":
		return f.wrapped(json.Integer(f.digits(shape)))
	case "fraction":
		return f.wrapped(json.Fraction(f.digits(shape)))
	case "exponent":
		f.count(shape, math.MaxUint64)
		return f.wrapped(forge.Bytes("1e" + f.ctx.String(shape)))
	}
	return nil
}

func (f *forgeFlags) deep() io.WriterTo {
	opening, inner, closing := "[", "", "]"
	if f.ctx.Bool("objects") {
		opening, inner, closing = `{"a":`, "0", "}"
	}
	n := f.count("depth", math.MaxInt64)
	if n == 0 {
		f.fail("--depth 0: at least 1")
	}
	if f.ctx.Bool("unclosed") {
		return forge.Repeat{Payload: forge.Bytes(opening), N: n}
	}
	return json.Nested(opening, inner, closing, n)
}

// digits reads how many digits a number has: without any it is none.
func (f *forgeFlags) digits(name string) uint64 {
	n := f.count(name, math.MaxInt64)
	if n == 0 {
		f.fail("--%s 0: a number has at least 1 digit", name)
	}
	return n
}
