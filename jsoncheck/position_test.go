package jsoncheck

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLocate(t *testing.T) {
	text := []byte("{\n \"a\":1,\r\n\n\"b\" 2}")
	for _, c := range []struct {
		name         string
		offset       int64
		line, column uint64
	}{
		{"start", 0, 1, 1}, {"line feed", 1, 1, 2}, {"second line", 2, 2, 1}, {"in the second line", 3, 2, 2},
		{"behind CRLF", 11, 3, 1}, {"behind an empty line", 12, 4, 1}, {"last byte", 17, 4, 6}, {"end", 18, 4, 7}, {"beyond", 99, 4, 7}, {"before", -1, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, Position{c.line, c.column}, Locate(text, c.offset))
		})
	}
}

func TestPositionAfterPieces(t *testing.T) {
	text := []byte("ab\ncd\n\nefg")
	for cut := range text {
		require.Equal(t, Locate(text, 10), Locate(text, int64(cut)).After(text[cut:]), "cut at %d", cut)
	}
}
