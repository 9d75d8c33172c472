package corpus_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	kgzip "github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/internal/forge"
)

func Example() {
	for _, c := range corpus.All() {
		if c.ID != "msgpack/array32-4g" {
			continue
		}
		payload := c.Open()
		defer payload.Close()
		b, err := io.ReadAll(payload)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s is % x\n", c.FileName(), b)
		fmt.Println("declares", c.Declares)
		fmt.Println(c.Verdict, c.Rules)
	}
	// Output:
	// msgpack/array32-4g.msgpack is dd ff ff ff ff
	// declares 4294967295 values
	// rejected [msgpack/header-oversized]
}

// read returns the payload of a case that is not large.
func read(t *testing.T, c corpus.Case) []byte {
	t.Helper()
	r := c.Open()
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	return b
}

func TestCasesAreWellStated(t *testing.T) {
	id := regexp.MustCompile(`^(gzip|json|msgpack)/[a-z0-9]+(-[a-z0-9]+)*$`)
	ruleID := regexp.MustCompile(`^(input|gzip|json|msgpack)/[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := make(map[string]bool)
	for _, c := range corpus.All() {
		t.Run(c.ID, func(t *testing.T) {
			require.Regexp(t, id, c.ID)
			require.False(t, seen[c.ID], "two cases have this ID")
			seen[c.ID] = true
			require.Equal(t, c.Format(), c.Layers()[0], "the chain starts with the ID's format")
			require.True(t, strings.HasSuffix(c.Story, "."), "the story is a sentence")
			require.Contains(t, []corpus.Kind{corpus.Hostile, corpus.Malformed, corpus.Benign}, c.Kind)
			require.Contains(t, []corpus.Verdict{corpus.Clean, corpus.Rejected, corpus.Undecided}, c.Verdict)
			require.True(t, slices.IsSorted(c.Rules))
			require.Equal(t, len(c.Rules), len(slices.Compact(slices.Clone(c.Rules))))
			for _, r := range c.Rules {
				require.Regexp(t, ruleID, r)
			}
			if c.Verdict != corpus.Clean {
				require.NotEmpty(t, c.Rules, "a verdict that is not clean has a reason")
			}
			if c.Kind == corpus.Hostile {
				require.NotEmpty(t, c.CWE, "what is hostile has a weakness that it is after")
			}
			for _, ref := range c.References {
				require.True(t, strings.HasPrefix(ref, "https://"), ref)
			}
		})
	}
}

func TestFileNames(t *testing.T) {
	names := make(map[string]string)
	for _, c := range corpus.All() {
		names[c.ID] = c.FileName()
	}
	require.Equal(t, "gzip/isize-4g.gz", names["gzip/isize-4g"])
	require.Equal(t, "gzip/json-depth.json.gz", names["gzip/json-depth"])
	require.Equal(t, "gzip/layers-two.gz.gz", names["gzip/layers-two"])
	require.Equal(t, "msgpack/nil.msgpack", names["msgpack/nil"])
}

func TestLargeIsAboveSeedSize(t *testing.T) {
	for _, c := range corpus.All() {
		r := c.Open()
		n, err := io.CopyN(io.Discard, r, corpus.SeedSize+1)
		if c.Large {
			require.NoError(t, err, "%s has %d bytes and is not large", c.ID, n)
		} else {
			require.ErrorIs(t, err, io.EOF, "%s is large", c.ID)
		}
		require.NoError(t, r.Close())
	}
}

func TestSeedsHoldEverySmallCase(t *testing.T) {
	want := []string{"manifest.json"}
	for _, c := range corpus.All() {
		if c.Large {
			continue
		}
		want = append(want, c.FileName())
		seed, err := fs.ReadFile(corpus.Seeds(), c.FileName())
		require.NoError(t, err)
		require.Equal(t, read(t, c), seed, c.ID)
	}
	var got []string
	require.NoError(t, fs.WalkDir(corpus.Seeds(), ".", func(p string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			got = append(got, p)
		}
		return err
	}))
	require.ElementsMatch(t, want, got)
}

// A large payload can be left before its end, and ends when it is read.
func TestOpenStreams(t *testing.T) {
	var bomb corpus.Case
	for _, c := range corpus.All() {
		if c.ID == "gzip/bomb-1t" {
			bomb = c
		}
	}
	r := bomb.Open()
	head := make([]byte, 2)
	_, err := io.ReadFull(r, head)
	require.NoError(t, err)
	require.Equal(t, []byte{0x1f, 0x8b}, head)
	require.NoError(t, r.Close())
	_, err = r.Read(head)
	require.ErrorIs(t, err, io.ErrClosedPipe)
}

func TestOpenReportsWhatWentWrong(t *testing.T) {
	broken := errors.New("broken")
	for _, large := range []bool{false, true} {
		c := corpus.Case{Large: large, Payload: forge.Func(func(io.Writer) error { return broken })}
		_, err := io.ReadAll(c.Open())
		require.ErrorIs(t, err, broken, "large %v", large)
	}
}

// decoders say whether a whole payload of a format decodes, by an
// implementation that is not ours.
var decoders = map[string]func([]byte) error{
	"gzip": func(b []byte) error {
		r, err := kgzip.NewReader(bytes.NewReader(b))
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		return err
	},
	"json": func(b []byte) error {
		var v json.RawMessage
		return json.Unmarshal(b, &v)
	},
	"msgpack": func(b []byte) error {
		rest, err := msgp.Skip(b)
		if err == nil && len(rest) > 0 {
			err = errors.New("trailing bytes")
		}
		return err
	},
}

// Decoders that are not ours refuse what is malformed and take what is clean,
// except where they are known to differ.
func TestOtherDecodersAgree(t *testing.T) {
	accepts := []string{ // though a case that violates this rule is malformed
		"json/utf8",         // replaced by U+FFFD
		"msgpack/timestamp", // not looked into
	}
	refuses := []string{ // though the case is clean
		"gzip/trailing-zeros",
		"json/bom",
	}
	for _, c := range corpus.All() {
		limited := slices.ContainsFunc(c.Rules, func(r string) bool {
			switch path.Base(r) {
			case "depth", "exponent", "number-length", "layers", "decompressed-size":
				return true
			}
			return false
		})
		if c.Large || limited || len(c.Layers()) > 1 {
			continue
		}
		if c.Format() == "msgpack" && strconv.IntSize < 64 {
			continue // the decoder asked counts in int, some headers in more
		}
		t.Run(c.ID, func(t *testing.T) {
			err := decoders[c.Format()](read(t, c))
			accepted := slices.ContainsFunc(c.Rules, func(r string) bool { return slices.Contains(accepts, r) })
			differs := accepted || slices.Contains(refuses, c.ID)
			if (c.Verdict == corpus.Clean) != differs {
				require.NoError(t, err)
			} else {
				require.Error(t, err)
			}
		})
	}
}

// Honest gzip of any size inflates, with its trailer verified.
func TestLargeHonestGzipInflates(t *testing.T) {
	for _, c := range corpus.All() {
		if !c.Large || c.Format() != "gzip" || c.Verdict != corpus.Clean || c.ID == "gzip/comment-1m" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			payload := c.Open()
			defer payload.Close()
			r, err := gzip.NewReader(payload)
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, r)
			require.NoError(t, err)
		})
	}
}
