package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/harden-input/harden/internal/forge"
)

// forged returns a write function for one member around body.
func forged(body forge.Body) func(io.Writer) (int64, error) {
	return func(w io.Writer) (int64, error) {
		var inflated int64
		_, err := forge.Gzip{Body: func(d *forge.Deflate) {
			body(d)
			inflated = int64(d.Length())
		}}.WriteTo(w)
		return inflated, err
	}
}

// zeros is a bomb of n bytes at the best ratio deflate has.
func zeros(n uint64) func(io.Writer) (int64, error) { return forged(forge.Zeros(n)) }

// The object of repetitiveJSON and jsonObject has members of one letter each.
const letters, valueLength = "abcdefghijklmnopqrstuvwxyz", 1024

// repetitiveJSON is the object of jsonObject, its runs as matches at distance 1,
// in blocks of 4096 members.
func repetitiveJSON(keys int) func(io.Writer) (int64, error) {
	symbols := []uint{285, 284, forge.EndOfBlock}
	for _, c := range []byte(`{}":,0123456789` + letters) {
		symbols = append(symbols, uint(c))
	}
	codes := forge.CodesFor(symbols, []uint{0})
	return forged(func(d *forge.Deflate) {
		d.Dynamic(forge.More, codes)
		d.WriteString("{")
		for i := range keys {
			if i%4096 == 4095 {
				d.EndBlock()
				d.Dynamic(forge.More, codes)
			}
			d.WriteString(memberStart(i))
			d.Run([]byte{letters[i%len(letters)]}, valueLength)
			d.WriteString(`"`)
		}
		d.WriteString("}")
		d.EndBlock()
		d.Stored(forge.Final, nil)
	})
}

// jsonObject writes an object of so many members, each value a run of one letter.
func jsonObject(w io.Writer, keys int) error {
	b := bufio.NewWriterSize(w, 64<<10)
	b.WriteString("{")
	for i := range keys {
		b.WriteString(memberStart(i))
		b.Write(bytes.Repeat([]byte{letters[i%len(letters)]}, valueLength))
		b.WriteString(`"`)
	}
	b.WriteString("}")
	return b.Flush()
}

// memberStart is what comes before the value of member i.
func memberStart(i int) string {
	if i == 0 {
		return `"k0":"`
	}
	return fmt.Sprintf(`,"k%d":"`, i)
}

// floods are files of tiny blocks and members, the number of which is divided
// by share.
func floods(share int) []input {
	flood := func(n int, what string, block forge.Body) input {
		n /= share
		return input{
			name: fmt.Sprintf("%d %s", n, what),
			write: forged(func(d *forge.Deflate) {
				for range n {
					block(d)
				}
				d.Stored(forge.Final, nil)
			}),
		}
	}
	members := 50_000 / share
	return []input{
		flood(100_000, "empty dynamic blocks", func(d *forge.Deflate) {
			d.Dynamic(forge.More, forge.CodesFor(nil, nil))
			d.EndBlock()
		}),
		flood(100_000, "dynamic blocks of one literal", func(d *forge.Deflate) {
			d.Dynamic(forge.More, forge.CodesFor([]uint{'a'}, nil))
			d.WriteString("a")
			d.EndBlock()
		}),
		flood(800_000, "empty fixed blocks", func(d *forge.Deflate) {
			d.Fixed(forge.More)
			d.EndBlock()
		}),
		{name: fmt.Sprintf("%d empty members", members), write: func(w io.Writer) (int64, error) {
			_, err := forge.Repeat{Payload: forge.Gzip{}, N: uint64(members)}.WriteTo(w)
			return 0, err
		}},
	}
}
