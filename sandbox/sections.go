package sandbox

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Sections of a module, by number; they stand in the order of sectionOrder.
const (
	customSection = iota
	typeSection
	importSection
	functionSection
	tableSection
	memorySection
	globalSection
	exportSection
	startSection
	elementSection
	codeSection
	dataSection
	dataCountSection
	sections
)

var sectionOrder = [...]int{
	typeSection, importSection, functionSection, tableSection, memorySection, globalSection, exportSection,
	startSection, elementSection, dataCountSection, codeSection, dataSection,
}

const header = "\x00asm\x01\x00\x00\x00"

// split returns the content of each section; custom ones are left out.
func split(module []byte) (content [sections][]byte, err error) {
	r := reader{rest: module}
	if string(r.bytes(uint64(len(header)))) != header {
		return content, errors.New("not a module of version 1")
	}
	for len(r.rest) > 0 && r.err == nil {
		id := r.byte()
		section := r.bytes(r.number())
		switch {
		case id == customSection:
		case int(id) >= sections || content[id] != nil:
			return content, fmt.Errorf("section %d is unknown, or there twice", id)
		default:
			content[id] = section
		}
	}
	return content, r.err
}

// join is the module that has these sections.
func join(content [sections][]byte) []byte {
	module := []byte(header)
	for _, id := range sectionOrder {
		if content[id] != nil {
			module = appendSized(append(module, byte(id)), content[id])
		}
	}
	return module
}

// appended is a section with one entry more at its end, and how many it had.
func appended(section, entry []byte) (longer []byte, n uint64, err error) {
	r := reader{rest: section}
	if section != nil {
		n = r.number()
	}
	longer = append(binary.AppendUvarint(nil, n+1), r.rest...)
	return append(longer, entry...), n, r.err
}

func appendSized(to, b []byte) []byte {
	return append(binary.AppendUvarint(to, uint64(len(b))), b...)
}

// maxGap is up to how many zeros are written out between two data segments.
const maxGap = 256

// A segment is data and where it goes in memory.
type segment struct {
	at   uint64
	data []byte
}

// mergeData makes few data segments out of the tens of thousands that Go's
// linker leaves where it cuts out zeros: an instance pays for each. It leaves a
// section alone whose segments are not all active, or overlap: else their order
// means nothing, and between them are zeros.
func mergeData(section []byte) ([]byte, error) {
	r := reader{rest: section}
	var all []segment
	for range r.count() {
		if flag := r.byte(); flag != 0 {
			return section, r.err
		}
		op, offset, closing := r.byte(), r.signed(), r.byte()
		data := r.bytes(r.number())
		if r.err != nil {
			return nil, r.err
		}
		if op != opConst32 || closing != opEnd {
			return section, nil
		}
		all = append(all, segment{uint64(uint32(offset)), data})
	}
	slices.SortStableFunc(all, func(a, b segment) int { return cmp.Compare(a.at, b.at) })
	var merged []segment
	var end uint64
	for i, s := range all {
		if s.at < end {
			return section, nil
		}
		if i == 0 || s.at-end > maxGap {
			merged = append(merged, segment{at: s.at})
			end = s.at
		}
		last := &merged[len(merged)-1]
		last.data = append(append(last.data, make([]byte, s.at-end)...), s.data...)
		end = s.at + uint64(len(s.data))
	}
	out := binary.AppendUvarint(nil, uint64(len(merged)))
	for _, s := range merged {
		out = append(append(out, 0, opConst32), appendSigned(nil, int64(int32(uint32(s.at))))...)
		out = appendSized(append(out, opEnd), s.data)
	}
	return out, r.end()
}

// A reader takes a module apart. After an error it returns zeros.
type reader struct {
	rest []byte
	err  error
}

var (
	errCut  = errors.New("the module ends too early, or has a number that is too long")
	errMore = errors.New("a section of the module has bytes behind its last entry")
)

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err, r.rest = err, nil
	}
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail(errCut)
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) byte() byte {
	if b := r.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

// number reads an unsigned LEB128 of up to 32 bits.
func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > 1<<32-1 {
		r.fail(errCut)
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

// end is the error of a section that has been read: also bytes behind its last
// entry are one.
func (r *reader) end() error {
	if len(r.rest) > 0 {
		r.fail(errMore)
	}
	return r.err
}

// count reads how many entries follow, of a byte or more each: a module that
// says there are more than it has bytes is cut.
func (r *reader) count() uint64 {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.fail(errCut)
		return 0
	}
	return n
}

// signed reads a signed LEB128 of up to 64 bits.
func (r *reader) signed() (n int64) {
	for shift := 0; shift < 70 && r.err == nil; shift += 7 {
		b := r.byte()
		n |= int64(b&0x7f) << shift
		if b < 0x80 {
			if shift < 57 && b&0x40 != 0 {
				n |= -1 << (shift + 7)
			}
			return n
		}
	}
	r.fail(errCut)
	return 0
}

// appendSigned writes n as signed LEB128.
func appendSigned(to []byte, n int64) []byte {
	for n > 63 || n < -64 {
		to = append(to, byte(n)&0x7f|0x80)
		n >>= 7
	}
	return append(to, byte(n)&0x7f)
}
