package main

import (
	"io"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/internal/forge"
)

// blockTypes are the values of --block-type.
var blockTypes = []string{"stored", "fixed", "dynamic"}

func (c *Command) forgeGzipCommand() *cli.Command {
	return &cli.Command{
		Name:      "gzip",
		Usage:     "a bomb, a forged trailer, floods of members or blocks, an unsafe name",
		UsageText: "harden forge gzip FLAG… > PAYLOAD",
		Description: "The content is zero bytes at the best ratio that deflate has, 1032 : 1.\n" +
			"What is not asked for is honest.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "size", Usage: "`SIZE` of the content of each member"},
			&cli.StringFlag{Name: "isize", Usage: "`SIZE` that the trailer declares; 4GiB is written as 4294967295, the most that ISIZE holds"},
			&cli.BoolFlag{Name: "wrong-crc", Usage: "a CRC-32 that is not that of the content"},
			&cli.StringFlag{Name: "empty-blocks", Usage: "`N` deflate blocks without content in front of it"},
			&cli.StringFlag{Name: "block-type", Usage: "`TYPE` of the empty blocks: stored, fixed or dynamic", Value: "fixed"},
			&cli.StringFlag{Name: "members", Usage: "`N` equal members, one after the other", DefaultText: "1"},
			&cli.StringFlag{Name: "layers", Usage: "`N` layers of gzip, up to 64: the payload in N-1 honest members", DefaultText: "1"},
			&cli.StringFlag{Name: "name", Usage: "`NAME` stored in the header, such as ../../etc/passwd"},
			&cli.StringFlag{Name: "comment", Usage: "`TEXT` stored in the header"},
			&cli.StringFlag{Name: "extra", Usage: "`SIZE` of the extra field of the header, up to 65535"},
			&cli.StringFlag{Name: "trailing-zeros", Usage: "`SIZE` of zero bytes after the last member"},
			&cli.StringFlag{Name: "trailing-garbage", Usage: "`SIZE` of other bytes after the last member"},
			cutFlag(),
		},
		Action: c.forging(forgeGzip),
	}
}

func forgeGzip(f *forgeFlags) io.WriterTo {
	if f.ctx.NumFlags() == 0 {
		f.fail("say what the payload is, as in --size 10GiB --isize 1KiB")
	}
	size, blocks, blockType := f.size("size", math.MaxInt64), f.count("empty-blocks", math.MaxInt64), f.blockType()
	member := forge.Gzip{
		Name:    f.ctx.String("name"),
		Comment: f.ctx.String("comment"),
		Trailer: f.trailer(),
		Body: func(d *forge.Deflate) {
			d.EmptyBlocks(blockType, blocks)
			forge.Zeros(size)(d)
		},
	}
	if n := f.size("extra", math.MaxUint16); n > 0 {
		member.RawExtra = make([]byte, n)
	}
	var payload io.WriterTo = member
	if f.ctx.IsSet("members") {
		payload = forge.Times{Payload: member, N: f.count("members", math.MaxInt64)}
	}
	payload = f.cutOff(forge.Sequence{
		payload,
		forge.Fill{N: f.size("trailing-zeros", math.MaxInt64)},
		forge.Fill{Byte: 0xff, N: f.size("trailing-garbage", math.MaxInt64)},
	})
	return f.layered(payload)
}

func (f *forgeFlags) blockType() uint {
	f.onlyWith("block-type", f.given("empty-blocks"), "empty-blocks")
	switch text := f.ctx.String("block-type"); text {
	case "stored":
		return forge.BlockStored
	case "fixed":
		return forge.BlockFixed
	case "dynamic":
		return forge.BlockDynamic
	default:
		f.fail("--block-type %q: use stored, fixed or dynamic", text)
		return 0
	}
}

// given returns name if the flag is given.
func (f *forgeFlags) given(name string) string {
	if f.ctx.IsSet(name) {
		return name
	}
	return ""
}

// trailer returns what changes the trailer, nil where it is to be true.
func (f *forgeFlags) trailer() func(t *forge.Trailer) {
	isize := f.size("isize", 1<<32)
	setISIZE, wrongCRC := f.ctx.IsSet("isize"), f.ctx.Bool("wrong-crc")
	if !setISIZE && !wrongCRC {
		return nil
	}
	return func(t *forge.Trailer) {
		if setISIZE {
			t.ISIZE = uint32(min(isize, math.MaxUint32))
		}
		if wrongCRC {
			t.CRC = ^t.CRC
		}
	}
}

// layered wraps payload as --layers says.
func (f *forgeFlags) layered(payload io.WriterTo) io.WriterTo {
	if !f.ctx.IsSet("layers") {
		return payload
	}
	layers := f.count("layers", 64)
	if layers == 0 {
		f.fail("--layers 0: at least 1")
	}
	for ; layers > 1; layers-- {
		payload = forge.Gzip{Body: forge.Runs(payload)}
	}
	return payload
}
