package mutate

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/harden-input/harden/internal/forge"
)

// damage is what is wrong with a mutant, in one place.
type damage int

const (
	none damage = iota
	isize
	checksum
	reservedFlag
	headerChecksum
	method
	cutOff
	zeros
	garbage
	reservedBlock
	noFinalBlock
	noEndOfBlock
	storedLength
	distanceTooFar
	symbolUnused
	codesOversubscribed
	codesTooMany
	codesCopyNothing
	damages // how many there are
)

// A GzipMutant is one that knows what it inflates to.
type GzipMutant struct {
	Mutant
	Content []byte // of all members; only if Whole
	Members int
}

// Gzip returns a payload of gzip members that is made of data. One in four is
// broken: a wrong trailer or header, a malformed block, or a cut.
func Gzip(data []byte) GzipMutant {
	members, end := readGzip(data)
	t := newTape(data, end)
	if len(members) == 0 {
		members = []member{{blocks: []block{{kind: forge.BlockFixed, tokens: []token{{literal: 'a'}, {length: 3, distance: 1}}}}}}
	}
	for range 1 + t.up(16) {
		members = edit(members, t)
	}
	wrong := none
	if t.one(4) {
		wrong = damage(1 + t.below(int(damages)-1))
	}
	at := t.below(len(members))

	m := GzipMutant{Mutant: Mutant{Whole: wrong == none}, Members: len(members)}
	var b bytes.Buffer
	for i := range members {
		w := none
		if i == at {
			w = wrong
		}
		m.Content = append(m.Content, members[i].write(&b, t, w)...)
	}
	m.Payload = b.Bytes()
	switch wrong {
	case cutOff:
		m.Payload = m.Payload[:len(m.Payload)-1-t.up(len(m.Payload))]
	case zeros:
		m.Payload = append(m.Payload, make([]byte, 1+t.up(600))...)
	case garbage:
		m.Payload = append(m.Payload, byte(1+t.below(255)), byte(t.byte()))
	}
	return m
}

// write writes m and returns what it inflates to.
func (m *member) write(b *bytes.Buffer, t *tape, wrong damage) (content []byte) {
	g := forge.Gzip{Text: m.text, HeaderCRC: m.headerCRC, RawExtra: m.extra, Name: m.name, Comment: m.comment}
	g.Body = func(d *forge.Deflate) {
		s := stream{Deflate: d}
		breaks := t.below(max(len(m.blocks), 1))
		for i := range m.blocks {
			w := none
			if i == breaks {
				w = wrong
			}
			final := i == len(m.blocks)-1 && wrong != noFinalBlock && wrong != reservedBlock
			s.block(&m.blocks[i], final, w)
		}
		switch {
		case wrong == reservedBlock:
			d.BlockHeader(forge.Final, forge.BlockReserved)
		case len(m.blocks) == 0:
			d.Fixed(forge.Final)
			d.EndBlock()
		}
		content = s.content
	}
	switch wrong {
	case isize:
		g.Trailer = func(tr *forge.Trailer) { tr.ISIZE ^= 1 << t.below(32) }
	case checksum:
		g.Trailer = func(tr *forge.Trailer) { tr.CRC ^= 1 << t.below(32) }
	case reservedFlag:
		g.ReservedFlags = 0x20 << t.below(3)
	case headerChecksum:
		g.WrongHeaderCRC = true
	case method:
		g.Method = byte(1 + t.below(7))
	}
	if _, err := g.WriteTo(b); err != nil {
		panic(fmt.Sprintf("mutate: a member that cannot be written: %v", err))
	}
	return content
}

// edit changes one thing about members.
func edit(members []member, t *tape) []member {
	at := t.below(len(members))
	m := &members[at]
	switch t.below(8) {
	case 0:
		m.editHeader(t)
		return members
	case 1:
		switch copied := members[at]; {
		case t.one(2) && len(members) < maxMembers:
			copied.blocks = slices.Clone(copied.blocks)
			return slices.Insert(members, t.below(len(members)+1), copied)
		case t.one(2) && len(members) > 1:
			return slices.Delete(members, at, at+1)
		default:
			to := t.below(len(members))
			members[at], members[to] = members[to], members[at]
		}
		return members
	}
	if len(m.blocks) == 0 || t.one(8) && len(m.blocks) < maxBlocks {
		m.blocks = slices.Insert(m.blocks, t.below(len(m.blocks)+1), block{kind: t.below(3)})
		return members
	}
	i := t.below(len(m.blocks))
	if b := &m.blocks[i]; t.one(6) && len(b.tokens) > 1 && len(m.blocks) < maxBlocks {
		at := 1 + t.below(len(b.tokens)-1)
		second := block{kind: t.below(3), tokens: slices.Clone(b.tokens[at:])}
		b.tokens = b.tokens[:at:at]
		m.blocks = slices.Insert(m.blocks, i+1, second)
		return members
	}
	m.blocks[i] = m.blocks[i].edited(t)
	return members
}

func (m *member) editHeader(t *tape) {
	switch t.below(6) {
	case 0:
		m.text = !m.text
	case 1:
		m.headerCRC = !m.headerCRC
	case 2:
		m.name = text(t)
	case 3:
		m.comment = text(t)
	case 4:
		m.extra = []byte(text(t)) // subfields need not add up
	case 5: // BGZF, whose BSIZE the tape makes up
		m.extra = []byte{'B', 'C', 2, 0, byte(t.byte()), byte(t.byte())}
	}
}

// text is a short field without zeros, a long one at times.
func text(t *tape) string {
	b := make([]byte, t.up(2000))
	for i := range b {
		b[i] = "a/.\xff\x1b~"[i%6]
		if i < 8 {
			b[i] = byte(1 + t.below(255))
		}
	}
	return string(b)
}

// edited returns b with one change. Blocks of members that were copied share
// their tokens, so these are never changed in place.
func (b block) edited(t *tape) block {
	choice := t.below(8)
	if len(b.tokens) == 0 && choice > 2 {
		choice = 3
	}
	at := t.below(max(len(b.tokens), 1))
	b.tokens = slices.Clone(b.tokens)
	switch choice {
	case 0:
		b.kind = t.below(3)
	case 1:
		b.skew, b.reversed = t.below(13), t.one(2)
	case 2:
		b.unused = append(slices.Clone(b.unused[:min(len(b.unused), 16)]), uint(t.below(286)))
	case 3:
		b.tokens = slices.Insert(b.tokens, at, token{literal: byte(t.byte())})
	case 4:
		b.tokens[at] = token{literal: byte(t.byte())}
	case 5:
		b.tokens[at] = token{length: 3 + t.up(256), distance: 1 + t.up(32768)}
	case 6:
		n := 1 + t.up(64)
		if len(b.tokens)+n <= maxTokens {
			b.tokens = slices.Insert(b.tokens, at, slices.Repeat(b.tokens[at:at+1], n)...)
		}
	case 7:
		b.tokens = slices.Delete(b.tokens, at, min(at+1+t.up(64), len(b.tokens)))
	}
	return b
}
