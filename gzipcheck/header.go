package gzipcheck

import (
	"hash/crc32"
	"unicode"
	"unicode/utf8"

	"github.com/harden-input/harden/rule"
)

// Flag bits of a member header (RFC 1952, 2.3.1).
const (
	flagHCRC     = 1 << 1
	flagExtra    = 1 << 2
	flagName     = 1 << 3
	flagComment  = 1 << 4
	flagReserved = 0xe0
)

const (
	magic1, magic2 = 0x1f, 0x8b
	methodDeflate  = 8
	fixedHeader    = 10 // bytes before the optional fields
	trailerSize    = 8
	minMember      = fixedHeader + 2 + trailerSize // the shortest body is an empty fixed block
	maxExcerpt     = 255
)

// headerField is the part of a member header that is read next.
type headerField uint8

const (
	fieldFixed headerField = iota
	fieldExtraLength
	fieldExtra
	fieldName
	fieldComment
	fieldHCRC
	fieldDone
)

// header parses one member header from input that arrives in any pieces. All
// its state is of constant size, whatever the lengths of the fields.
type header struct {
	field  headerField
	flags  byte
	crc    uint32 // of the header so far, for FHCRC
	fill   int    // bytes of the present field that are in short
	short  [fixedHeader]byte
	extra  int    // bytes of FEXTRA still to come
	size   uint64 // content of FEXTRA, FNAME and FCOMMENT so far
	sub    subfields
	text   text
	isBGZF bool
}

// A headerProblem is what parse found wrong; at counts from the start of the
// piece that was given and is negative for a field that began before it.
type headerProblem struct {
	rule     *rule.Rule
	at       int64
	message  string
	declared rule.Amount
	actual   rule.Amount
	detail   string
}

// parse reads src and returns how many of its bytes belong to the header, and
// whether the header is complete. A problem other than an unsafe name ends it.
func (h *header) parse(src []byte, limit uint64, problem func(headerProblem)) (n int, done bool) {
	for h.field != fieldDone && n < len(src) {
		used, ok := h.parseField(src[n:], limit, func(p headerProblem) {
			p.at += int64(n)
			problem(p)
		})
		n += used
		if !ok {
			return n, false
		}
	}
	return n, h.field == fieldDone
}

// parseField reads on in the present field. It returns false after a problem
// that ends the pass.
func (h *header) parseField(src []byte, limit uint64, problem func(headerProblem)) (n int, ok bool) {
	switch h.field {
	case fieldFixed:
		before := h.fill
		n = h.collect(src, fixedHeader)
		if p := h.checkFixed(before); p != nil {
			problem(*p)
			return n, false
		}
		if h.fill == fixedHeader {
			h.flags = h.short[3]
			h.sum(h.short[:])
			h.next(fieldExtraLength)
		}
	case fieldExtraLength:
		n = h.collect(src, 2)
		if h.fill == 2 {
			h.extra = int(h.short[0]) | int(h.short[1])<<8
			h.size += uint64(h.extra)
			if rule.Exceeds(h.size, limit) {
				problem(headerProblem{rule: &headerSize, at: int64(n) - 2, message: extraOverLimit,
					declared: rule.N(uint64(h.extra))})
				return n, false
			}
			h.field, h.fill = fieldExtra, 0
			if h.extra == 0 {
				h.next(fieldName)
			}
		}
	case fieldExtra:
		n = min(len(src), h.extra)
		h.sum(src[:n])
		h.sub.read(src[:n])
		h.extra -= n
		if h.extra == 0 {
			h.isBGZF = h.sub.isBGZF
			h.next(fieldName)
		}
	case fieldName, fieldComment:
		return h.parseText(src, limit, problem)
	case fieldHCRC:
		n = h.collect(src, 2)
		if h.fill == 2 {
			stored := uint16(h.short[0]) | uint16(h.short[1])<<8
			if sum := uint16(h.crc); stored != sum {
				problem(headerProblem{rule: &headerMalformed, at: int64(n) - 2,
					message:  "header checksum FHCRC is {declared}, the header's bytes give {actual}",
					declared: rule.N(uint64(stored)), actual: rule.N(uint64(sum))})
				return n, false
			}
			h.field = fieldDone
		}
	}
	return n, true
}

const (
	extraOverLimit = "FEXTRA declares {declared} bytes, header fields may have {limit}"
	textOverLimit  = "FEXTRA, FNAME and FCOMMENT have more than {limit} bytes"
)

// checkFixed judges the bytes of the fixed header from index before on.
func (h *header) checkFixed(before int) *headerProblem {
	malformed := func(i int, message string) *headerProblem {
		return &headerProblem{rule: &headerMalformed, at: int64(i - before), message: message,
			detail: string(appendHex(nil, h.short[i]))}
	}
	for i := before; i < h.fill; i++ {
		b := h.short[i]
		switch {
		case i == 0 && b != magic1, i == 1 && b != magic2:
			return malformed(i, "byte {detail} where gzip's magic 1f 8b should be")
		case i == 2 && b != methodDeflate:
			return malformed(i, "compression method {detail}, only 08 (deflate) exists")
		case i == 3 && b&flagReserved != 0:
			return malformed(i, "flags {detail} set reserved bits")
		}
	}
	return nil
}

func appendHex(dst []byte, b byte) []byte {
	const digits = "0123456789abcdef"
	return append(dst, digits[b>>4], digits[b&15])
}

// collect moves bytes of src into short until it holds want.
func (h *header) collect(src []byte, want int) int {
	n := copy(h.short[h.fill:want], src)
	if h.field != fieldHCRC { // the checksum does not cover itself
		h.sum(src[:n])
	}
	h.fill += n
	return n
}

func (h *header) sum(b []byte) {
	if h.flags&flagHCRC != 0 {
		h.crc = crc32.Update(h.crc, crc32.IEEETable, b)
	}
}

// next goes to the first field from f on that the flags announce.
func (h *header) next(f headerField) {
	h.fill = 0
	switch {
	case f <= fieldExtraLength && h.flags&flagExtra != 0:
		h.field = fieldExtraLength
	case f <= fieldName && h.flags&flagName != 0:
		h.field = fieldName
	case f <= fieldComment && h.flags&flagComment != 0:
		h.field = fieldComment
	case h.flags&flagHCRC != 0:
		h.field = fieldHCRC
	default:
		h.field = fieldDone
	}
}

// parseText reads on in a zero-terminated field.
func (h *header) parseText(src []byte, limit uint64, problem func(headerProblem)) (n int, ok bool) {
	body := src
	end := -1
	for i, b := range src {
		if b == 0 {
			body, end = src[:i], i
			break
		}
	}
	h.size += uint64(len(body))
	if rule.Exceeds(h.size, limit) {
		over := min(h.size-limit, uint64(len(body)))
		h.size -= over - 1 // as if the bytes had come one by one
		problem(headerProblem{rule: &headerSize, at: int64(len(body)) - int64(over), message: textOverLimit})
		return len(body), false
	}
	h.text.read(body)
	if end < 0 {
		h.sum(src)
		return len(src), true
	}
	n = end + 1
	h.sum(src[:n])
	if h.text.unsafe(h.field == fieldName) {
		message := "FNAME is unsafe to use as a file name or to print: {detail}"
		if h.field == fieldComment {
			message = "FCOMMENT is unsafe to print: {detail}"
		}
		problem(headerProblem{rule: &nameUnsafe, at: int64(end) - h.text.length, message: message, detail: h.text.excerpt()})
	}
	h.text = text{}
	h.next(h.field + 1)
	return n, true
}

// subfields finds BGZF's "BC" subfield in FEXTRA (SAM specification, 4.1),
// whatever pieces it arrives in.
type subfields struct {
	id     [4]byte // SI1 SI2 and the length
	fill   int
	skip   int // bytes of the present subfield still to come
	isBGZF bool
}

func (s *subfields) read(b []byte) {
	for len(b) > 0 {
		if s.skip > 0 {
			n := min(s.skip, len(b))
			s.skip -= n
			b = b[n:]
			continue
		}
		s.id[s.fill] = b[0]
		b = b[1:]
		if s.fill++; s.fill < len(s.id) {
			continue
		}
		s.fill = 0
		s.skip = int(s.id[2]) | int(s.id[3])<<8
		if s.id[0] == 'B' && s.id[1] == 'C' && s.skip == 2 {
			s.isBGZF = true
		}
	}
}

// text judges FNAME or FCOMMENT. It keeps the first 255 bytes for a message;
// the bytes after those are judged and forgotten.
type text struct {
	kept      [maxExcerpt]byte
	n         int
	length    int64 // of the field so far
	cut       bool
	control   bool // an ASCII control character
	separator bool // a slash or backslash
}

func (t *text) read(b []byte) {
	for _, c := range b {
		t.control = t.control || c < 0x20 || c == 0x7f
		t.separator = t.separator || c == '/' || c == '\\'
	}
	n := copy(t.kept[t.n:], b)
	t.n += n
	t.length += int64(len(b))
	t.cut = t.cut || n < len(b)
}

// unsafe reports whether the field can harm who prints it or, where it is a
// file name, who creates that file. RFC 1952 says Latin-1; today's writers
// store the file system's bytes, so UTF-8 is judged as UTF-8.
func (t *text) unsafe(isName bool) bool {
	if t.control || isName && (t.separator || string(t.kept[:t.n]) == "..") {
		return true
	}
	kept := t.kept[:t.n]
	if t.cut { // do not judge a character that the cut goes through
		for i := 0; i < utf8.UTFMax && len(kept) > 0 && !utf8.Valid(kept); i++ {
			kept = kept[:len(kept)-1]
		}
	}
	if !utf8.Valid(kept) {
		for _, c := range t.kept[:t.n] {
			if c >= 0x80 && c < 0xa0 {
				return true
			}
		}
		return false
	}
	for len(kept) > 0 {
		r, size := utf8.DecodeRune(kept)
		if !unicode.IsPrint(r) || unicode.Is(unicode.Cf, r) {
			return true
		}
		kept = kept[size:]
	}
	return false
}

func (t *text) excerpt() string {
	s := rule.Excerpt(t.kept[:t.n], maxExcerpt)
	if t.cut {
		s += "…"
	}
	return s
}
