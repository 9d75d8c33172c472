package corpus

import "github.com/harden-input/harden/internal/forge"

// gzipCodes are dynamic blocks whose header describes no code (RFC 1951 section 3.2.7).
func gzipCodes() []Case {
	const section = "3.2.7"
	letters := forge.CodesFor([]uint{'a', 'b', 257}, []uint{0, 1})
	// headed returns a stream whose one dynamic block has the header of
	// letters after change.
	headed := func(change func(h *forge.Header)) forge.Body {
		return func(d *forge.Deflate) {
			h := letters.Header()
			change(&h)
			d.DynamicAs(forge.Final, h)
			d.Use(letters)
			d.WriteString("abab")
			d.EndBlock()
		}
	}
	// coded returns a stream whose one dynamic block states these code sets.
	coded := func(codes forge.Codes) forge.Body {
		return func(d *forge.Deflate) {
			d.Dynamic(forge.Final, codes)
			d.WriteString("abab")
			d.EndBlock()
		}
	}
	// with returns letters' literal/length lengths after change.
	with := func(change func(litlen []uint8)) []uint8 {
		litlen := append([]uint8(nil), letters.LitLen...)
		change(litlen)
		return litlen
	}
	return []Case{
		malformed("gzip/code-lengths-oversubscribed", section, "Three code-length codes of one bit.", headed(func(h *forge.Header) {
			h.CodeLengths = [19]uint8{1: 1, 2: 1, forge.ZerosLong: 1}
			h.HCLEN, h.Symbols = 15, nil
		})),
		malformed("gzip/code-lengths-incomplete", section, "The code-length codes leave bit patterns without a meaning.", headed(func(h *forge.Header) {
			for s, n := range h.CodeLengths {
				if n > 0 {
					h.CodeLengths[s] = n + 1
				}
			}
		})),
		malformed("gzip/code-lengths-one", section, "A single code-length code of one bit, which leaves the other bit without a meaning.", headed(func(h *forge.Header) {
			h.CodeLengths = [19]uint8{1: 1}
			h.HCLEN, h.Symbols = 15, nil
		})),
		malformed("gzip/code-lengths-none", section, "No code-length code at all, and 258 code lengths to be read with them.", func(d *forge.Deflate) {
			h := letters.Header()
			h.CodeLengths, h.HCLEN, h.Symbols = [19]uint8{}, 0, nil
			d.DynamicAs(forge.Final, h)
			d.Bytes(make([]byte, 64))
		}),
		malformed("gzip/repeat-copies-past-end", section, "The previous code length is repeated beyond both alphabets.", headed(func(h *forge.Header) {
			h.Symbols = append(h.Symbols[:len(h.Symbols)-1:len(h.Symbols)-1], forge.LengthToken{Symbol: forge.CopyPrevious, Extra: 3})
			h.Recode()
		})),
		malformed("gzip/repeat-first", section, "The first code length repeats the one before it.", headed(func(h *forge.Header) {
			h.Symbols[0] = forge.LengthToken{Symbol: forge.CopyPrevious}
			h.Recode()
		})),
		malformed("gzip/repeat-past-end", section, "The last run of code lengths goes on beyond both alphabets.", headed(func(h *forge.Header) {
			h.Symbols[len(h.Symbols)-1] = forge.LengthToken{Symbol: forge.ZerosLong, Extra: 127}
			h.Recode()
		})),
		malformed("gzip/hlit-287", section, "287 literal/length codes: the alphabet has 286.", headed(func(h *forge.Header) {
			h.HLIT = 30
			h.Symbols = forge.LengthTokens(append(append(append([]uint8(nil), letters.LitLen...), make([]uint8, 287-len(letters.LitLen))...), letters.Distance...))
			h.Recode()
		})),
		malformed("gzip/hdist-31", section, "31 distance codes: the alphabet has 30.", headed(func(h *forge.Header) {
			h.HDIST = 30
			h.Symbols = forge.LengthTokens(append(append(append([]uint8(nil), letters.LitLen...), letters.Distance...), make([]uint8, 29)...))
			h.Recode()
		})),
		malformed("gzip/litlen-oversubscribed", section, "More literal/length codes than there are bit patterns.", coded(forge.Codes{
			LitLen:   with(func(litlen []uint8) { litlen['c'] = 1 }),
			Distance: letters.Distance,
		})),
		malformed("gzip/litlen-incomplete", section, "Literal/length codes that leave bit patterns without a meaning.", coded(forge.Codes{
			LitLen:   with(func(litlen []uint8) { litlen['a'] = 3 }),
			Distance: letters.Distance,
		})),
		malformed("gzip/distance-oversubscribed", section, "Three distance codes of one bit.", coded(forge.Codes{
			LitLen:   letters.LitLen,
			Distance: []uint8{1, 1, 1},
		})),
		malformed("gzip/distance-incomplete", section, "A single distance code of two bits. One bit would be allowed.", coded(forge.Codes{
			LitLen:   letters.LitLen,
			Distance: []uint8{2},
		})),
		malformed("gzip/no-end-of-block", section, "No code for end of block: nothing can end the block. Go decodes all of it before it notices, zlib refuses the code set.", func(d *forge.Deflate) {
			d.Dynamic(forge.Final, forge.Codes{LitLen: append(make([]uint8, 'a'), 1, 1)})
			d.WriteString("abab")
		}),
		malformed("gzip/end-of-block-alone-long", section, "End of block is the only code, and has two bits where one would be allowed.", func(d *forge.Deflate) {
			d.Dynamic(forge.Final, forge.Codes{LitLen: append(make([]uint8, forge.EndOfBlock), 2)})
			d.EndBlock()
		}),
		malformed("gzip/no-codes", section, "A block in which no symbol has a code.", func(d *forge.Deflate) {
			d.Dynamic(forge.Final, forge.Codes{})
		}),
	}
}
