package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/forge/json"
)

func TestTexts(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    io.WriterTo
		want string
	}{
		{"nested arrays", json.Nested("[", "", "]", 3), "[[[]]]"},
		{"nested objects", json.Nested(`{"a":`, "1", "}", 2), `{"a":{"a":1}}`},
		{"empty array", json.Array(0, forge.Bytes("0")), "[]"},
		{"array", json.Array(3, forge.Bytes("{}")), "[{},{},{}]"},
		{"empty object", json.Object(0, forge.Bytes("0")), "{}"},
		{"object", json.Object(3, forge.Bytes("null")), `{"0":null,"1":null,"2":null}`},
		{"object of no duplicates", json.Duplicates(0, forge.Bytes("null")), "{}"},
		{"object of duplicates", json.Duplicates(3, forge.Bytes("null")), `{"a":null,"a":null,"a":null}`},
		{"string", json.String('a', 4), `"aaaa"`},
		{"integer", json.Integer(5), "11111"},
		{"fraction", json.Fraction(2), "0.11"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			n, err := tt.p.WriteTo(&out)
			require.NoError(t, err)
			require.Equal(t, int64(out.Len()), n)
			require.Equal(t, tt.want, out.String())
			require.True(t, stdjson.Valid(out.Bytes()))
		})
	}
}

func TestObjectNamesAreDistinct(t *testing.T) {
	var out bytes.Buffer
	_, err := json.Object(1000, forge.Bytes("0")).WriteTo(&out)
	require.NoError(t, err)
	var members map[string]int
	require.NoError(t, stdjson.Unmarshal(out.Bytes(), &members))
	require.Len(t, members, 1000)
}
