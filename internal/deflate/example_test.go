package deflate_test

import (
	"bytes"
	"compress/flate"
	"fmt"
	"math"

	"github.com/harden-input/harden/internal/deflate"
)

// stream returns a megabyte of zeros, deflated.
func stream() []byte {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		panic(err)
	}
	if _, err := w.Write(make([]byte, 1<<20)); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func ExampleMeter_Run() {
	var m deflate.Meter
	_, status := m.Run(stream(), true, deflate.Unlimited)
	fmt.Println(status, m.Out)
	// Output: done 1048576
}

// A stream in pieces, measured until it goes beyond 64 KiB.
func ExampleMeter_Run_pieces() {
	in := stream()
	b := deflate.Budget{Output: 64 << 10, Work: math.MaxInt64, WorkMax: math.MaxInt64}
	var m deflate.Meter
	var piece []byte
	for {
		n := min(100, len(in))
		piece, in = append(piece, in[:n]...), in[n:]
		n, status := m.Run(piece, len(in) == 0, b)
		if status != deflate.NeedInput {
			fmt.Println(status, m.Out > b.Output)
			return
		}
		piece = append(piece[:0], piece[n:]...) // 6 bytes at most
	}
	// Output: over output budget true
}
