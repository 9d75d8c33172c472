package forge

import (
	"encoding/binary"
	"io"
)

// BGZF returns a member in the blocked form of the SAM specification, section
// 4.1: a BC subfield states the member's whole length less one, plus wrong.
// The member is at most 64 KiB long; body is run twice, to learn its length.
func BGZF(body Body, wrong int) Gzip {
	member := bgzf(body, 0)
	n, err := member.WriteTo(io.Discard)
	if err != nil || n > 1<<16 {
		member.Body = func(d *Deflate) {
			body(d)
			d.fail("a BGZF member of %d bytes: at most 65536", n)
		}
		return member
	}
	return bgzf(body, uint16(int(n)-1+wrong))
}

// BGZFEnd returns the empty member that ends a BGZF file.
func BGZFEnd() Gzip { return BGZF(nil, 0) }

func bgzf(body Body, bsize uint16) Gzip {
	return Gzip{
		OS:    255,
		Extra: []Subfield{{ID: [2]byte{'B', 'C'}, Data: binary.LittleEndian.AppendUint16(nil, bsize)}},
		Body:  body,
	}
}
