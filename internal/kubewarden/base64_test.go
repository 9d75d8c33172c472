package kubewarden

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBase64IsTakenOff(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // nil: not base64
	}{
		{"of one byte", "Lg==", []string{"."}},
		{"of two bytes", "Li4=", []string{".."}},
		{"without padding", "Li4", []string{".."}},
		{"with too little padding", "Lg=", nil},
		{"with too much padding", "Li4==", nil},
		{"with more after the padding", "Lg==Lg==", nil},
		{"with line ends", "L\ng=\r\n=\n", []string{"."}},
		{"with a space", "Li 4=", nil},
		{"in the standard alphabet", "+/+/", []string{"\xfb\xff\xbf"}},
		{"in the alphabet for URLs", "-_-_", []string{"\xfb\xff\xbf"}},
		{"in both alphabets", "+/-_", nil},
		{"with bits left over", "Li5=", []string{".."}},
		{"cut off", "L", nil},
		{"twice", base64.StdEncoding.EncodeToString([]byte("Lg==")), []string{"Lg==", "."}},
		{"three times", base64.StdEncoding.EncodeToString([]byte("TGc9PQ==")), []string{"TGc9PQ==", "Lg=="}},
		{"of nothing", "", []string{"", ""}},
		{"not at all", "hello, world", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, b := range peel([]byte(c.text)) {
				got = append(got, string(b))
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestPeelDoesNotChangeWhatItIsGiven(t *testing.T) {
	given := []byte("Lg==")
	peel(given)
	require.Equal(t, "Lg==", string(given))
}
