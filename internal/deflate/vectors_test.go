package deflate

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const conformance = "../../../shared/testdata"

// A vector is one stream of deflate-vectors/vectors.json.
type vector struct {
	Name         string
	Hex          string
	Source       string
	Zlib         string
	ZlibMessage  string  `json:"zlib_message"`
	OutputLength *uint64 `json:"output_length"`
	InputLength  *int    `json:"input_length"`
}

func (v *vector) bytes(t testing.TB) []byte {
	b, err := hex.DecodeString(v.Hex)
	require.NoError(t, err)
	return b
}

func vectors(t testing.TB) []vector {
	raw, err := os.ReadFile(filepath.Join(conformance, "deflate-vectors", "vectors.json"))
	if os.IsNotExist(err) {
		t.Skip("the conformance data is not here: ", conformance)
	}
	require.NoError(t, err)
	var all []vector
	require.NoError(t, json.Unmarshal(raw, &all))
	require.NotEmpty(t, all)
	return all
}

func TestVectorsAreJudgedAsZlibDoes(t *testing.T) {
	messages := map[Reason]string{
		BlockType:      "invalid block type",
		StoredLength:   "invalid stored block lengths",
		TooManyCodes:   "too many length or distance symbols",
		CodeLengthSet:  "invalid code lengths set",
		Repeat:         "invalid bit length repeat",
		NoEndOfBlock:   "invalid code -- missing end-of-block",
		LiteralSet:     "invalid literal/lengths set",
		DistanceSet:    "invalid distances set",
		LiteralCode:    "invalid literal/length code",
		DistanceCode:   "invalid distance code",
		DistanceTooFar: "invalid distance too far back",
	}
	for _, v := range vectors(t) {
		t.Run(v.Source+"/"+v.Name, func(t *testing.T) {
			var m Meter
			n, s := m.Run(v.bytes(t), true, Unlimited)
			switch v.Zlib {
			case "valid":
				require.Equal(t, Done, s)
				require.Equal(t, *v.OutputLength, m.Out)
				require.Equal(t, *v.InputLength, n)
				require.Nil(t, m.Err())
			case "truncated":
				require.Equal(t, Truncated, s)
				require.Nil(t, m.Err())
			case "invalid":
				require.Equal(t, Malformed, s)
				require.Equal(t, v.ZlibMessage, messages[m.Err().Reason])
			default:
				t.Fatalf("unknown class %q", v.Zlib)
			}
		})
	}
}

func TestFiles(t *testing.T) {
	dir := filepath.Join(conformance, "deflate-files")
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("the conformance data is not here: ", dir)
	}
	for _, name := range files {
		if strings.HasSuffix(name, ".decompressed") {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			stream, err := os.ReadFile(name)
			require.NoError(t, err)
			var m Meter
			n, s := m.Run(stream, true, Unlimited)
			if strings.HasPrefix(filepath.Base(name), "distance-code-31") {
				require.Equal(t, Malformed, s)
				require.Equal(t, DistanceCode, m.Err().Reason)
				return
			}
			require.Equal(t, Done, s)
			require.Equal(t, len(stream), n)
			if whole, err := os.ReadFile(name + ".decompressed"); err == nil {
				require.Equal(t, uint64(len(whole)), m.Out)
			}
		})
	}
}
