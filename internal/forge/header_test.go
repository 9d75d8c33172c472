package forge

import (
	"bytes"
	"compress/flate"
	"encoding/hex"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// The header of every code set tells a decoder the same code set.
func TestHeaderStatesTheCodes(t *testing.T) {
	every := make([]uint, 286)
	for i := range every {
		every[i] = uint(i)
	}
	for _, tt := range []struct {
		name             string
		litlen, distance []uint
	}{
		{"end of block alone", nil, nil},
		{"one literal", []uint{'x'}, nil},
		{"one distance", []uint{'x', 285}, []uint{0}},
		{"last symbols alone", []uint{'x', 285}, []uint{0, 29}},
		{"every symbol", every, every[:30]},
		{"every second literal", []uint{'x', 'z', '|', '~', 128}, []uint{0, 2, 4}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stream, _ := run(t, func(d *Deflate) {
				d.Dynamic(Final, CodesFor(tt.litlen, tt.distance))
				if len(tt.litlen) > 0 {
					d.WriteString("x")
				}
				if len(tt.distance) > 0 && len(tt.litlen) != 5 {
					d.Match(258, 1)
				}
				d.EndBlock()
			})
			inflate(t, stream)
		})
	}
}

func TestHeaderForged(t *testing.T) {
	codes := CodesFor([]uint{'a', 'b', 257}, []uint{0, 1})
	for _, tt := range []struct {
		name   string
		change func(h *Header)
	}{
		{"repeat with nothing before it", func(h *Header) {
			h.Symbols[0] = LengthToken{CopyPrevious, 0}
			h.Recode()
		}},
		{"run past the end", func(h *Header) {
			h.Symbols = append(h.Symbols[:len(h.Symbols)-1], LengthToken{ZerosLong, 127})
			h.Recode()
		}},
		{"HLIT 31", func(h *Header) { h.HLIT = 31 }},
		{"HDIST 31", func(h *Header) { h.HDIST = 31 }},
		{"over-subscribed code length code", func(h *Header) {
			h.CodeLengths = [19]uint8{1, 1, 1}
			h.HCLEN, h.Symbols = 15, nil
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := codes.Header()
			tt.change(&h)
			stream, _ := run(t, func(d *Deflate) {
				d.DynamicAs(Final, h)
				d.Use(codes)
				d.WriteString("abababab")
				d.EndBlock()
			})
			_, err := io.ReadAll(flate.NewReader(bytes.NewReader(stream)))
			require.Error(t, err)
		})
	}
}

// Code sets that are no prefix codes are written as they are given.
func TestOverSubscribedCodesAreWritten(t *testing.T) {
	stream, _ := run(t, func(d *Deflate) {
		d.Dynamic(Final, Codes{LitLen: append(make([]uint8, 256), 1, 1, 1)})
		d.EndBlock()
	})
	_, err := io.ReadAll(flate.NewReader(bytes.NewReader(stream)))
	require.ErrorContains(t, err, "corrupt input")
}

func TestLengthTokens(t *testing.T) {
	lengths := append(make([]uint8, 150), 5, 5, 5, 5, 5, 0, 0, 0, 7, 7)
	require.Equal(t, []LengthToken{
		{ZerosLong, 127}, {ZerosLong, 1},
		{5, 0}, {CopyPrevious, 1},
		{ZerosShort, 0},
		{7, 0}, {7, 0},
	}, LengthTokens(lengths))
}

// The bytes are part of the contract: seeds on disk are made of them.
func TestBytesStay(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		body       Body
	}{
		{"fixed", "4b4c440000", func(d *Deflate) {
			d.Fixed(Final)
			d.WriteString("aa")
			d.Match(10, 1)
			d.EndBlock()
		}},
		{"zeros", "edc0810000000080a0fda917a9000000000006", Zeros(1 + 20*258)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stream, _ := run(t, tt.body)
			inflate(t, stream)
			require.Equal(t, tt.want, hex.EncodeToString(stream))
		})
	}
}
