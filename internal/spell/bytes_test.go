package spell_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/spell"
)

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]uint64{
		"0":                    0,
		"1048576":              1 << 20,
		"64KiB":                64 << 10,
		"64 kib":               64 << 10,
		"64kB":                 64000,
		"1.5GiB":               3 << 29,
		"100TiB":               100 << 40,
		"9007199254740993":     1<<53 + 1, // a float64 would make it even
		"18446744073709551615": math.MaxUint64,
	} {
		t.Run(text, func(t *testing.T) {
			n, err := spell.ParseBytes(text)
			require.NoError(t, err)
			require.Equal(t, want, n)
		})
	}
}

func TestParseBytesRefuses(t *testing.T) {
	for _, text := range []string{"", "-1", "many", "12potatoes", "9EiB", "1e3", "NaN", "none"} {
		t.Run(text, func(t *testing.T) {
			_, err := spell.ParseBytes(text)
			require.ErrorContains(t, err, "is not a size: write bytes such as 1048576")
		})
	}
}
