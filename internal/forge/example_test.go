package forge_test

import (
	"bytes"
	"fmt"

	"github.com/harden-input/harden/internal/forge"
)

// A member of five bytes that claims 4 GiB.
func ExampleGzip() {
	var out bytes.Buffer
	forge.Gzip{
		Body:    forge.Text("hello"),
		Trailer: func(t *forge.Trailer) { t.ISIZE = 0xffffffff },
	}.WriteTo(&out)
	fmt.Printf("% x\n", out.Bytes())
	// Output:
	// 1f 8b 08 00 00 00 00 00 00 00 cb 48 cd c9 c9 07 00 86 a6 10 36 ff ff ff ff
}

// A dynamic block with a code for two letters and for end of block, and a match.
func ExampleDeflate() {
	var out bytes.Buffer
	d := forge.NewDeflate(&out)
	d.Dynamic(forge.Final, forge.CodesFor([]uint{'a', 'b', 258}, []uint{1}))
	d.WriteString("ab")
	d.Match(4, 2)
	d.EndBlock()
	if err := d.Flush(); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%d bytes inflate to %d\n", out.Len(), d.Length())
	// Output:
	// 16 bytes inflate to 6
}
