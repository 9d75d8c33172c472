package main

import (
	"bytes"
	"fmt"
)

func msgpackDictionary() []byte {
	var d dictionary
	d.WriteString("# Words of MessagePack for AFL++ -x and libFuzzer -dict.\n")
	shortHeaders(&d)
	countedHeaders(&d)
	extensions(&d)
	numbers(&d)

	d.section("Values that belong together.")
	d.word("str_a", []byte{0xa1, 'a'})
	d.word("str8_a", []byte{0xd9, 1, 'a'})
	d.word("bin8_a", []byte{0xc4, 1, 'a'})
	d.word("str_not_utf8", []byte{0xa1, 0xff})
	d.word("key_twice", []byte{0x82, 0xa1, 'a', 1, 0xa1, 'a', 2})
	d.word("key_twice_str_bin", []byte{0x82, 0xa1, 'a', 1, 0xc4, 1, 'a', 2})
	d.word("key_twice_integers", []byte{0x82, 1, 1, 0xcd, 0, 1, 2})
	d.word("key_array", []byte{0x81, 0x90, 0xc0})
	d.word("key_map", []byte{0x81, 0x80, 0xc0})
	d.word("nested_arrays", bytes.Repeat([]byte{0x91}, 16))
	d.word("nested_maps", bytes.Repeat([]byte{0x81, 0xa0}, 16))
	d.word("nested_promises", bytes.Repeat([]byte{0xdd, 0, 0, 0x10, 0}, 6))
	return d.Bytes()
}

func shortHeaders(d *dictionary) {
	d.section("Headers that hold their number: the ends of each range, and around them.")
	for _, h := range []struct {
		name  string
		bytes []byte
	}{
		{"fixint", []byte{0x00, 0x01, 0x7f}},
		{"fixmap", []byte{0x80, 0x81, 0x82, 0x8f}},
		{"fixarray", []byte{0x90, 0x91, 0x92, 0x9f}},
		{"fixstr", []byte{0xa0, 0xa1, 0xa4, 0xbf}},
		{"negative_fixint", []byte{0xe0, 0xff}},
	} {
		for _, b := range h.bytes {
			d.word(fmt.Sprintf("%s_%02x", h.name, b), []byte{b})
		}
	}
	d.section("Constants, and the byte that never is a header.")
	for i, name := range []string{"nil", "reserved", "false", "true"} {
		d.word(name, []byte{0xc0 + byte(i)})
	}
}

// counts are numbers of 1, 2 and 4 bytes: none, one, the first that shorter
// headers cannot hold, the sign bit, all ones.
var counts = map[int][]string{
	1: {"\x00", "\x01", "\x20", "\x80", "\xff"},
	2: {"\x00\x00", "\x00\x01", "\x00\x10", "\x01\x00", "\x80\x00", "\xff\xff"},
	4: {"\x00\x00\x00\x00", "\x00\x00\x00\x01", "\x00\x01\x00\x00", "\x7f\xff\xff\xff", "\x80\x00\x00\x00", "\xff\xff\xff\xff"},
}

// counted adds a header with each count of a width.
func counted(d *dictionary, name string, header byte, width int, end ...byte) {
	for _, n := range counts[width] {
		d.word(fmt.Sprintf("%s_%x", name, n), append(append([]byte{header}, n...), end...))
	}
}

func countedHeaders(d *dictionary) {
	d.section("Headers with a count or a length.")
	counted(d, "bin8", 0xc4, 1)
	counted(d, "bin16", 0xc5, 2)
	counted(d, "bin32", 0xc6, 4)
	counted(d, "str8", 0xd9, 1)
	counted(d, "str16", 0xda, 2)
	counted(d, "str32", 0xdb, 4)
	counted(d, "array16", 0xdc, 2)
	counted(d, "array32", 0xdd, 4)
	counted(d, "map16", 0xde, 2)
	counted(d, "map32", 0xdf, 4)
}

func extensions(d *dictionary) {
	d.section("Headers of extensions with a length, type 1.")
	counted(d, "ext8", 0xc7, 1, 1)
	counted(d, "ext16", 0xc8, 2, 1)
	counted(d, "ext32", 0xc9, 4, 1)

	d.section("Headers of extensions of 1, 2, 4, 8 and 16 bytes, of types 0, 127, -1 and -128; types 98 to 100.")
	for i := range 5 {
		for _, kind := range []byte{0, 0x7f, 0xff, 0x80} {
			d.word(fmt.Sprintf("fixext%d_%02x", 1<<i, kind), []byte{0xd4 + byte(i), kind})
		}
	}
	for kind := byte(98); kind <= 100; kind++ {
		d.word(fmt.Sprintf("fixext1_%02x", kind), []byte{0xd4, kind})
	}
	d.word("fixext1_whole", []byte{0xd4, 1, 0})
	d.word("fixext16_whole", append([]byte{0xd8, 1}, make([]byte, 16)...))

	d.section("Timestamps: of 4, 8 and 12 bytes, with a billion nanoseconds, of a length that there is not.")
	d.word("timestamp32", []byte("\xd6\xff\x65\x00\x00\x00"))
	d.word("timestamp64", []byte("\xd7\xff\x00\x00\x00\x04\x65\x00\x00\x00"))
	d.word("timestamp64_nanoseconds", []byte("\xd7\xff\xee\x6b\x28\x00\x65\x00\x00\x00"))
	d.word("timestamp96", []byte("\xc7\x0c\xff\x00\x00\x00\x01\x00\x00\x00\x00\x65\x00\x00\x00"))
	d.word("timestamp96_nanoseconds", []byte("\xc7\x0c\xff\x3b\x9a\xca\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	d.word("timestamp_3_bytes", []byte("\xc7\x03\xff\x00\x00\x00"))
}

func numbers(d *dictionary) {
	d.section("Numbers: one in every width, the ends of the ranges, NaN, infinity, minus zero.")
	for i, bits := range []int{8, 16, 32, 64} {
		one := make([]byte, bits/8)
		one[len(one)-1] = 1
		lowest := make([]byte, bits/8)
		lowest[0] = 0x80
		d.word(fmt.Sprintf("uint%d_1", bits), append([]byte{0xcc + byte(i)}, one...))
		d.word(fmt.Sprintf("uint%d_max", bits), append([]byte{0xcc + byte(i)}, bytes.Repeat([]byte{0xff}, bits/8)...))
		d.word(fmt.Sprintf("int%d_1", bits), append([]byte{0xd0 + byte(i)}, one...))
		d.word(fmt.Sprintf("int%d_min", bits), append([]byte{0xd0 + byte(i)}, lowest...))
	}
	d.word("float32_1", []byte("\xca\x3f\x80\x00\x00"))
	d.word("float32_nan", []byte("\xca\x7f\xc0\x00\x00"))
	d.word("float64_1", []byte("\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00"))
	d.word("float64_nan", []byte("\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00"))
	d.word("float64_inf", []byte("\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00"))
	d.word("float64_minus_zero", []byte("\xcb\x80\x00\x00\x00\x00\x00\x00\x00"))
}
