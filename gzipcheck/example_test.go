package gzipcheck_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/harden-input/harden/gzipcheck"
	"github.com/harden-input/harden/rule"
)

// compressed returns what as one gzip member.
func compressed(what string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, what)
	_ = w.Close()
	return b.Bytes()
}

func ExampleMeasure() {
	payload := compressed("hello, world")
	m, err := gzipcheck.Measure(payload, gzipcheck.DefaultLimits())
	fmt.Println(m.Decompressed, err)

	copy(payload[len(payload)-4:], "\xff\xff\xff\xff") // claim 4 GiB
	_, err = gzipcheck.Measure(payload, gzipcheck.DefaultLimits())
	var v *rule.Violation
	fmt.Println(errors.As(err, &v), v.Rule.ID, v.Text())
	// Output:
	// 12 <nil>
	// true gzip/isize-forged trailer declares 4294967295 bytes, member holds 12
}

func ExampleDecoder_Decode() {
	decoder := gzipcheck.NewDecoder(gzipcheck.DefaultLimits())
	content, err := decoder.Decode(nil, compressed("hello, world"))
	fmt.Printf("%s %d %v\n", content, cap(content), err)
	// Output: hello, world 12 <nil>
}

func ExampleNewReader() {
	lim := gzipcheck.DefaultLimits()
	lim.MaxDecompressedSize = 5
	r := gzipcheck.NewReader(bytes.NewReader(compressed("hello, world")), lim)
	defer r.Close()
	content, err := io.ReadAll(r)
	var v *rule.Violation
	fmt.Printf("%s %t %s\n", content, errors.As(err, &v), v.Text())
	// Output: hello true content is longer than 5 bytes
}

func ExamplePeek() {
	payload := compressed("hello, world")
	copy(payload[len(payload)-4:], "\xff\xff\xff\xff")
	p, err := gzipcheck.Peek(bytes.NewReader(payload), int64(len(payload)))
	fmt.Println(p.ISIZE, p.ProvablyForged, err)
	// Output: 4294967295 true <nil>
}
