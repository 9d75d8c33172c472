package mutate

import (
	"slices"

	"github.com/harden-input/harden/internal/forge"
)

// maxContent bounds what one mutant inflates to, in bytes.
const maxContent = 64 << 10

// A stream writes blocks, and knows the content that they inflate to.
type stream struct {
	*forge.Deflate
	content []byte
}

// reachable returns tokens as they can stand at the end of the content: each
// match reaches no further back than that, and none starts before it.
func (s *stream) reachable(tokens []token) []token {
	var all []token
	for _, t := range tokens {
		if len(s.content)+max(t.length, 1) > maxContent {
			return all
		}
		if t.length > 0 && len(s.content) == 0 {
			t = token{literal: byte(t.distance)}
		}
		if t.length == 0 {
			s.content = append(s.content, t.literal)
		}
		t.distance = min(t.distance, len(s.content), 32768)
		for range t.length {
			s.content = append(s.content, s.content[len(s.content)-t.distance])
		}
		all = append(all, t)
	}
	return all
}

// block writes b, and what is broken in the block that is broken.
func (s *stream) block(b *block, final bool, wrong damage) {
	start := len(s.content)
	tokens := s.reachable(b.tokens)
	switch b.kind {
	case forge.BlockStored:
		content := s.content[start:]
		if wrong == storedLength {
			s.StoredAs(final, uint16(len(content)), uint16(len(content)), content)
			return
		}
		s.Stored(final, content)
		return
	case forge.BlockFixed:
		s.Fixed(final)
	default:
		s.dynamic(b, final, tokens, wrong)
	}
	for _, t := range tokens {
		if t.length == 0 {
			s.Write([]byte{t.literal})
		} else {
			s.Match(t.length, t.distance)
		}
	}
	if wrong == distanceTooFar && b.kind == forge.BlockFixed {
		s.Match(3, min(len(s.content)+1, 32768))
	}
	if wrong == symbolUnused && b.kind == forge.BlockFixed {
		s.Symbol(286)
	}
	if wrong != noEndOfBlock {
		s.EndBlock()
	}
}

// dynamic opens a block with codes for the tokens, and for what b wants besides.
func (s *stream) dynamic(b *block, final bool, tokens []token, wrong damage) {
	litlen := append([]uint{forge.EndOfBlock}, b.unused...)
	var distances []uint
	for _, t := range tokens {
		if t.length == 0 {
			litlen = append(litlen, uint(t.literal))
			continue
		}
		litlen = append(litlen, 257+uint(symbolOf(lengthBase[:], t.length)))
		distances = append(distances, uint(symbolOf(distanceBase[:], t.distance)))
	}
	codes := forge.Codes{LitLen: lengths(litlen, b.skew, b.reversed), Distance: lengths(distances, b.skew, b.reversed)}
	switch h := codes.Header(); wrong {
	case codesOversubscribed:
		codes.LitLen[forge.EndOfBlock] = 1
		codes.LitLen[slices.Max(litlen)], codes.LitLen[slices.Min(litlen)] = 1, 1
		codes.LitLen = append(codes.LitLen, 1)
		h = codes.Header()
		s.DynamicAs(final, h)
	case codesTooMany:
		h.HLIT = 30
		s.DynamicAs(final, h)
	case codesCopyNothing:
		h.Symbols = append([]forge.LengthToken{{Symbol: forge.CopyPrevious}}, h.Symbols...)
		h.Recode()
		s.DynamicAs(final, h)
	default:
		s.DynamicAs(final, h)
	}
	s.Use(codes)
}

// lengths returns code lengths for symbols: 1, 2, 3, … bits for as many as skew
// says and there is room for, and about equal ones for the others.
func lengths(symbols []uint, skew int, reversed bool) []uint8 {
	slices.Sort(symbols)
	symbols = slices.Compact(symbols)
	if reversed {
		slices.Reverse(symbols)
	}
	if len(symbols) == 0 {
		return nil
	}
	skew = max(0, min(skew, len(symbols)-2, 15-9))
	all := make([]uint8, slices.Max(symbols)+1)
	for i, symbol := range symbols[:skew] {
		all[symbol] = uint8(i + 1)
	}
	for symbol, length := range forge.CodesFor(nil, symbols[skew:]).Distance {
		if length > 0 {
			all[symbol] = length + uint8(skew)
		}
	}
	return all
}
