package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/harden-input/harden/internal/forge"
)

func gzipDictionary() []byte {
	var d dictionary
	d.WriteString("# Words of gzip (RFC 1952) and DEFLATE (RFC 1951) for AFL++ -x and libFuzzer -dict.\n")
	gzipHeaders(&d)
	gzipMembers(&d)
	storedBlocks(&d)
	fixedBlocks(&d)
	dynamicBlocks(&d)

	d.section("Trailers: CRC-32 and ISIZE of nothing, ISIZE alone, and padding behind them.")
	d.word("trailer_empty", make([]byte, 8))
	d.word("isize_512m", []byte("\x00\x00\x00\x20"))
	d.word("isize_2g", []byte("\x00\x00\x00\x80"))
	d.word("isize_4g", []byte("\xff\xff\xff\xff"))
	d.word("padding", make([]byte, 16))
	return d.Bytes()
}

// header is a member up to its deflate stream, here an empty block of 2 bytes
// and a trailer of 8.
func header(g forge.Gzip) io.WriterTo { return forge.WithoutEnd{Payload: g, N: 10} }

func gzipHeaders(d *dictionary) {
	d.section("Member headers: magic, CM, FLG, MTIME, XFL, OS, then the fields that FLG names.")
	d.word("magic", []byte("\x1f\x8b"))
	d.word("magic_method", []byte("\x1f\x8b\x08"))
	d.payload("header_plain", header(forge.Gzip{}))
	d.payload("header_mtime_os", header(forge.Gzip{ModTime: 0x65000000, ExtraFlags: 2, OS: 255}))
	d.payload("header_ftext", header(forge.Gzip{Text: true}))
	d.payload("header_fhcrc", header(forge.Gzip{HeaderCRC: true}))
	d.payload("header_fhcrc_wrong", header(forge.Gzip{WrongHeaderCRC: true}))
	d.payload("header_fextra_empty", header(forge.Gzip{RawExtra: []byte{}}))
	d.word("header_fextra_64k", []byte("\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\x00\xff\xff"))
	d.payload("header_fname", header(forge.Gzip{Name: "a"}))
	d.payload("header_fname_path", header(forge.Gzip{Name: "../a"}))
	d.payload("header_fcomment", header(forge.Gzip{Comment: "c"}))
	d.payload("header_every_field", header(forge.Gzip{
		Text: true, HeaderCRC: true, Name: "a", Comment: "c",
		Extra: []forge.Subfield{{ID: [2]byte{'A', 'p'}, Data: []byte{0}}},
	}))
	for _, flag := range []byte{0x20, 0x40, 0x80} {
		d.payload(fmt.Sprintf("header_reserved_%02x", flag), header(forge.Gzip{ReservedFlags: flag}))
	}
	d.payload("header_method_7", header(forge.Gzip{Method: 7}))

	d.section("FEXTRA, its length first: BGZF (SAM specification 4.1), dictzip, a subfield longer than the field.")
	d.word("fextra_bgzf", []byte("\x06\x00BC\x02\x00\x1b\x00"))
	d.word("fextra_dictzip", []byte("\x0c\x00RA\x08\x00\x01\x00\x00\xe3\x01\x00\x02\x00"))
	d.word("fextra_subfield_too_long", []byte("\x04\x00XX\xff\xff"))
}

func gzipMembers(d *dictionary) {
	d.section("Whole members.")
	d.payload("member_empty", forge.Gzip{})
	d.payload("member_a", forge.Gzip{Body: forge.Text("a")})
	d.payload("member_stored", forge.Gzip{Body: forge.StoredBlocks([]byte("a"))})
	d.payload("member_json", forge.Gzip{Body: forge.Text("{}")})
	d.payload("member_msgpack", forge.Gzip{Body: forge.StoredBlocks([]byte{0x91, 0xc0})})
	d.payload("member_bgzf", forge.BGZF(forge.Text("a"), 0))
	d.payload("member_bgzf_end", forge.BGZFEnd())
	d.payload("member_isize_4g", forge.Bomb(1, 1<<32-1))
	d.payload("member_crc_wrong", forge.Gzip{Body: forge.Text("a"), Trailer: func(t *forge.Trailer) { t.CRC ^= 1 }})
}

// block is the start of a deflate stream, up to the next whole byte.
func block(body forge.Body) io.WriterTo {
	return forge.Func(func(w io.Writer) error {
		stream := forge.NewDeflate(w)
		body(stream)
		return stream.Flush()
	})
}

func storedBlocks(d *dictionary) {
	d.section("Stored blocks, as they stand at a byte boundary.")
	stored := func(final bool, length, complement uint16, content string) io.WriterTo {
		return block(func(s *forge.Deflate) { s.StoredAs(final, length, complement, []byte(content)) })
	}
	d.payload("stored_sync_flush", stored(forge.More, 0, 0xffff, ""))
	d.payload("stored_end", stored(forge.Final, 0, 0xffff, ""))
	d.payload("stored_a", stored(forge.More, 1, 0xfffe, "a"))
	d.payload("stored_64k", stored(forge.More, 0xffff, 0, ""))
	d.payload("stored_nlen_wrong", stored(forge.Final, 1, 0, "a"))
	d.word("stored_flush_marker", []byte("\x00\x00\xff\xff"))
	d.word("block_reserved", []byte{1 | forge.BlockReserved<<1})
}

func fixedBlocks(d *dictionary) {
	d.section("Fixed blocks.")
	fixed := func(final bool, content forge.Body) io.WriterTo {
		return block(func(s *forge.Deflate) {
			s.Fixed(final)
			content(s)
			s.EndBlock()
		})
	}
	d.payload("fixed_end", fixed(forge.Final, func(*forge.Deflate) {}))
	d.payload("fixed_empty_4", block(func(s *forge.Deflate) { s.EmptyBlocks(forge.BlockFixed, 4) }))
	d.payload("fixed_a", fixed(forge.Final, func(s *forge.Deflate) { s.WriteString("a") }))
	d.payload("fixed_run", fixed(forge.Final, func(s *forge.Deflate) { s.Run([]byte("a"), 259) }))
	d.payload("fixed_run_of_2", fixed(forge.Final, func(s *forge.Deflate) { s.Run([]byte("ab"), 9) }))
	d.payload("fixed_distance_32768", fixed(forge.Final, func(s *forge.Deflate) { s.Match(3, 32768) }))
	d.payload("fixed_symbol_286", fixed(forge.Final, func(s *forge.Deflate) { s.Symbol(286) }))
	d.payload("fixed_distance_symbol_30", fixed(forge.Final, func(s *forge.Deflate) {
		s.WriteString("a")
		s.Symbol(257)
		s.DistanceSymbol(30)
	}))
	d.payload("fixed_length_258_as_284", fixed(forge.Final, func(s *forge.Deflate) {
		s.WriteString("a")
		s.Symbol(284)
		s.Bits(31, 5)
		s.DistanceSymbol(0)
	}))
}

func dynamicBlocks(d *dictionary) {
	d.section("Dynamic blocks.")
	dynamic := func(codes forge.Codes, content forge.Body) io.WriterTo {
		return block(func(s *forge.Deflate) {
			s.Dynamic(forge.Final, codes)
			content(s)
			s.EndBlock()
		})
	}
	d.payload("dynamic_empty", dynamic(forge.CodesFor(nil, nil), func(*forge.Deflate) {}))
	d.payload("dynamic_literals", dynamic(forge.CodesFor([]uint{'a', 'b', 'c'}, nil),
		func(s *forge.Deflate) { s.WriteString("abca") }))
	d.payload("dynamic_run", dynamic(forge.CodesFor([]uint{'a', 285}, []uint{0}),
		func(s *forge.Deflate) { s.Run([]byte("a"), 259) }))
	d.payload("dynamic_zeros", block(forge.Zeros(5*258+1)))

	headed := func(name string, codes forge.Codes, change func(h *forge.Header)) {
		h := codes.Header()
		change(&h)
		var content bytes.Buffer
		s := forge.NewDeflate(&content)
		s.DynamicAs(forge.Final, h)
		if err := s.Flush(); err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
		d.word(name, content.Bytes())
	}
	a := forge.CodesFor([]uint{'a'}, nil)
	headed("dynamic_hlit_31", a, func(h *forge.Header) { h.HLIT = 31 })
	headed("dynamic_hdist_31", a, func(h *forge.Header) { h.HDIST = 31 })
	headed("dynamic_copy_of_nothing", a, func(h *forge.Header) {
		h.Symbols = append([]forge.LengthToken{{Symbol: forge.CopyPrevious}}, h.Symbols...)
		h.Recode()
	})
	headed("dynamic_length_code_incomplete", a, func(h *forge.Header) {
		h.CodeLengths, h.Symbols = [19]uint8{forge.CopyPrevious: 1}, nil
	})
	withoutEnd := forge.Codes{LitLen: make([]uint8, 257)}
	withoutEnd.LitLen['a'], withoutEnd.LitLen['b'] = 1, 1
	headed("dynamic_without_end", withoutEnd, func(*forge.Header) {})
	oversubscribed := forge.Codes{LitLen: make([]uint8, 257)}
	oversubscribed.LitLen['a'], oversubscribed.LitLen['b'], oversubscribed.LitLen[forge.EndOfBlock] = 1, 1, 1
	headed("dynamic_oversubscribed", oversubscribed, func(*forge.Header) {})
}
