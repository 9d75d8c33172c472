package jsoncheck

import (
	"hash/maphash"
	"strconv"

	"github.com/harden-input/harden/internal/keyset"
	"github.com/harden-input/harden/internal/pointer"
	"github.com/harden-input/harden/rule"
)

const (
	// nameLevels is for how many levels, from the outermost on, the place of
	// the current name is known.
	nameLevels = 1024
	// deepLevels is for how many levels below those it is: for the ones that
	// a pointer shows last, as long as no deeper ones have taken their place.
	deepLevels = pointer.Last
	// keptWire is how many bytes of a name as written hold all that
	// pointer.KeptName decoded ones can take: an escape is 6 bytes for one.
	keptWire = 6 * pointer.KeptName
)

// Values of namePos that are no index.
const (
	noName   = -1 - iota // no name in this container yet
	nameKept             // the name has left the window and is in kept
)

// names is what a scanner knows about the names on the way to the value it is
// at. Names are left where they are in the window; only those that leave it
// are decoded and kept, in part.
type names struct {
	// namePos holds, for each open container, where in the window the name
	// of its current member starts, or one of the values above.
	namePos [nameLevels + deepLevels]int
	// deepLevel tells which level the places beyond nameLevels are of.
	deepLevel [deepLevels]int
	kept      []keptName

	// While a name is scanned by name:
	inName   bool
	nameFrom int64 // where in the text it starts
	// Where a name is too long to be kept whole in the window, what has left
	// it is hashed already.
	inPieces  bool
	pieceFrom int64 // where in the text the rest starts

	exact, folded keyset.Set
	hash, fold    maphash.Hash
	unchecked     bool // json/duplicate-unchecked was reported
}

// A keptName is the start of a decoded name.
type keptName struct {
	n    uint8
	text [pointer.KeptName]byte
}

// beginNames forgets the names of the text before.
func (s *scanner) beginNames() {
	s.inName, s.unchecked = false, false
	for i := range s.deepLevel {
		s.deepLevel[i], s.namePos[nameLevels+i] = -1, noName
	}
	if s.limits.Checks&DuplicateKeys != 0 {
		s.exact.Reset(s.limits.MaxTrackedKeys)
		s.hash.SetSeed(s.exact.Seed())
	}
	if s.limits.Checks&FoldedKeys != 0 {
		s.folded.Reset(s.limits.MaxTrackedKeys)
		s.fold.SetSeed(s.folded.Seed())
	}
}

// setDeepName is what the main loop does for levels from nameLevels on: pos is
// where the name starts, or noName where the container has just been opened.
func (s *scanner) setDeepName(level, pos int) {
	s.deepLevel[level%deepLevels] = level
	s.namePos[nameLevels+level%deepLevels] = pos
}

// setNamePos says where the name starts that is being scanned.
func (s *scanner) setNamePos(pos int) {
	if level := s.depth - 1; level < nameLevels {
		s.namePos[level] = pos
	} else {
		s.setDeepName(level, pos)
	}
}

// nameAt returns the current name in the container at level, decoded, or the
// start of it, if it is still known.
func (s *scanner) nameAt(level int) (name []byte, known bool) {
	slot := level
	if level >= nameLevels {
		slot = nameLevels + level%deepLevels
		if s.deepLevel[level%deepLevels] != level {
			return nil, false
		}
	}
	switch pos := s.namePos[slot]; pos {
	case noName:
		return nil, false
	case nameKept:
		k := &s.kept[slot]
		return k.text[:k.n], true
	default:
		name, _ = appendDecoded(make([]byte, 0, pointer.KeptName), s.buf[pos:])
		return name, true
	}
}

// keepNames decodes the names on the way that are still in the window.
func (s *scanner) keepNames() {
	for slot := range min(s.depth, nameLevels) {
		s.keepName(slot)
	}
	for i := range deepLevels {
		s.keepName(nameLevels + i)
	}
}

func (s *scanner) keepName(slot int) {
	if pos := s.namePos[slot]; pos >= 0 {
		if s.kept == nil {
			s.kept = make([]keptName, len(s.namePos))
		}
		k := &s.kept[slot]
		name, _ := appendDecoded(k.text[:0], s.buf[pos:])
		k.n = uint8(len(name))
		s.namePos[slot] = nameKept
	}
}

// slideName decides what a slide to buf[i] keeps of the name that is being
// scanned: all of it as long as it is short, nothing from then on. It returns
// where the bytes to keep start.
func (s *scanner) slideName(i int) int {
	if start := s.nameFrom - s.base; !s.inPieces && int64(i)-start <= keptWire {
		return int(start)
	}
	if !s.inPieces {
		s.inPieces, s.pieceFrom = true, s.nameFrom
		s.hash.Reset()
		s.fold.Reset()
	}
	s.hashPiece(s.buf[s.pieceFrom-s.base : i])
	s.pieceFrom = s.base + int64(i)
	return i
}

// hashPiece adds a piece of a name to the hashes of the checks asked for.
func (s *scanner) hashPiece(text []byte) {
	if s.limits.Checks&(DuplicateKeys|FoldedKeys) == 0 {
		return
	}
	var space [256]byte
	for len(text) > 0 {
		decoded, n := appendDecoded(space[:0], text)
		if n == 0 {
			return
		}
		text = text[n:]
		if s.limits.Checks&DuplicateKeys != 0 {
			s.hash.Write(decoded)
		}
		if s.limits.Checks&FoldedKeys != 0 {
			s.writeFolded(decoded)
		}
	}
}

// plainName checks a name without escapes that is whole in the window, from
// buf[start] on.
func (s *scanner) plainName(name []byte, start int) {
	at := s.base + int64(start)
	if s.limits.Checks&DuplicateKeys != 0 {
		if s.duplicate(maphash.Bytes(s.exact.Seed(), name), at) {
			return
		}
	}
	if s.limits.Checks&FoldedKeys != 0 {
		s.fold.Reset()
		s.writeFolded(name)
		s.duplicateFold(s.fold.Sum64(), at)
	}
}

// checkName checks the name that name has scanned, and that ends before buf[i].
func (s *scanner) checkName(i int) {
	if !s.inPieces {
		s.pieceFrom = s.nameFrom
		s.hash.Reset()
		s.fold.Reset()
	}
	s.hashPiece(s.buf[s.pieceFrom-s.base : i])
	if s.limits.Checks&DuplicateKeys != 0 {
		if s.duplicate(s.hash.Sum64(), s.nameFrom) {
			return
		}
	}
	if s.limits.Checks&FoldedKeys != 0 {
		s.duplicateFold(s.fold.Sum64(), s.nameFrom)
	}
}

// duplicate looks up a name that starts at byte at of the text, and reports it
// where its object has it already.
func (s *scanner) duplicate(hash uint64, at int64) bool {
	first, result := s.exact.Add(hash, uint32(s.depth), at)
	switch {
	case result == keyset.Full:
		s.addUnchecked(at)
	case result == keyset.Seen && s.confirmed(first, at, false):
		s.m.DuplicateNames++
		s.add(rule.Violation{
			Rule:    &Rules[ruleDuplicateKey],
			Message: "name appears twice in one object, first at byte {detail}",
			Detail:  strconv.FormatInt(first-1, 10),
		}, at-1, true)
		return true
	}
	return false
}

// duplicateFold is duplicate for names under case folding.
func (s *scanner) duplicateFold(hash uint64, at int64) {
	first, result := s.folded.Add(hash, uint32(s.depth), at)
	switch {
	case result == keyset.Full:
		s.addUnchecked(at)
	case result == keyset.Seen && s.confirmed(first, at, true):
		s.add(rule.Violation{
			Rule:    &Rules[ruleDuplicateKeyFold],
			Message: "name differs at most in case from another one of its object, at byte {detail}",
			Detail:  strconv.FormatInt(first-1, 10),
		}, at-1, true)
	}
}

// addUnchecked says, once a text, that the check for duplicates is not complete.
func (s *scanner) addUnchecked(at int64) {
	if s.unchecked {
		return
	}
	s.unchecked = true
	s.add(rule.Violation{
		Rule:       &Rules[ruleDuplicateUnchecked],
		LimitValue: rule.N(s.limits.MaxTrackedKeys),
		Unit:       unitNames,
		Message:    "objects open here have more than {limit} names: from here on not all are checked for duplicates",
	}, at-1, true)
}

// confirmed reports whether the names at bytes a and b of the text are equal,
// after both had the same hash. Over a reader the first is gone, and equal
// hashes have to do.
func (s *scanner) confirmed(a, b int64, folding bool) bool {
	if s.src.R != nil {
		return true
	}
	return equalNames(s.buf[a:], s.buf[b:], folding)
}

// closeNames forgets the names of the innermost object, which has ended.
func (s *scanner) closeNames(depth int) {
	if s.limits.Checks&DuplicateKeys != 0 {
		s.exact.Close(uint32(depth))
	}
	if s.limits.Checks&FoldedKeys != 0 {
		s.folded.Close(uint32(depth))
	}
}
