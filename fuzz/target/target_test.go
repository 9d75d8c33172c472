package target_test

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/fuzz/target"
)

// Fuzzing services find a target by the text of its name.
func TestNoNameIsThePrefixOfAnother(t *testing.T) {
	for _, a := range target.All() {
		require.Regexp(t, `^Fuzz[A-Z][A-Za-z]+$`, a.Name)
		for _, b := range target.All() {
			require.False(t, a != b && strings.HasPrefix(b.Name, a.Name), "%s and %s", a.Name, b.Name)
		}
	}
}

func TestEveryFormatHasADictionary(t *testing.T) {
	for _, a := range target.All() {
		require.Equal(t, a.Format != "", target.Dictionary(a.Format) != nil, a.Name)
	}
}

// maxWord is the longest word that AFL++ takes, in bytes.
const maxWord = 128

func TestDictionaries(t *testing.T) {
	for _, format := range []string{"gzip", "msgpack", "json"} {
		t.Run(format, func(t *testing.T) {
			words, err := parse(target.Dictionary(format))
			require.NoError(t, err)
			require.Greater(t, len(words), 50)
			// AFL++ tries all words of up to 512 and then some of them.
			require.Less(t, len(words), 512)
			named := map[string]string{}
			for name, word := range words {
				require.LessOrEqual(t, len(word), maxWord, name)
				require.Empty(t, named[word], "%s is the same word", name)
				named[word] = name
			}
		})
	}
}

func TestMsgpackDictionaryHasEveryHeader(t *testing.T) {
	words, err := parse(target.Dictionary("msgpack"))
	require.NoError(t, err)
	var has [256]bool
	for _, word := range words {
		has[word[0]] = true
	}
	for header := 0xc0; header <= 0xdf; header++ {
		require.True(t, has[header], "%#x", header)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, line := range map[string]string{
		"no quotes":           `a=b`,
		"no name":             `="b"`,
		"name with a hyphen":  `a-b="b"`,
		"empty word":          `a=""`,
		"quote in the word":   `a="b"c"`,
		"open at the end":     `a="b\"`,
		"unknown escape":      `a="\n"`,
		"one hex digit":       `a="\x1"`,
		"not ASCII":           `a="é"`,
		"control character":   "a=\"\t\"",
		"space behind it":     `a="b" `,
		"comment behind it":   `a="b" # c`,
		"name twice":          "a=\"b\"\na=\"c\"",
		"space in front":      ` a="b"`,
		"space on empty line": "\n \n",
	} {
		_, err := parse([]byte(line + "\n"))
		require.Error(t, err, name)
	}
}

// parse reads the strict part of the syntax that AFL++ and libFuzzer share:
// empty lines, comments that start a line, and name="word" with the escapes
// \", \\ and \xNN. It returns the words by name.
func parse(dictionary []byte) (map[string]string, error) {
	words := map[string]string{}
	for line := range bytes.Lines(dictionary) {
		text, ended := strings.CutSuffix(string(line), "\n")
		if !ended {
			return nil, fmt.Errorf("the last line does not end: %q", line)
		}
		if text == "" || text[0] == '#' {
			continue
		}
		name, quoted, found := strings.Cut(text, `="`)
		word, closed := strings.CutSuffix(quoted, `"`)
		if !found || !closed || word == "" {
			return nil, fmt.Errorf("not name=\"word\": %q", line)
		}
		if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			return nil, fmt.Errorf("not a name: %q", line)
		}
		if _, twice := words[name]; twice {
			return nil, fmt.Errorf("a second word of this name: %q", line)
		}
		unescaped, err := unescape(word)
		if err != nil {
			return nil, fmt.Errorf("%w: %q", err, line)
		}
		words[name] = unescaped
	}
	return words, nil
}

func unescape(word string) (string, error) {
	var b strings.Builder
	for word != "" {
		c := word[0]
		switch {
		case c < ' ' || c > '~' || c == '"':
			return "", fmt.Errorf("byte %#x has to be escaped", c)
		case c != '\\':
			b.WriteByte(c)
			word = word[1:]
		case len(word) >= 2 && (word[1] == '\\' || word[1] == '"'):
			b.WriteByte(word[1])
			word = word[2:]
		case len(word) >= 4 && word[1] == 'x':
			n, err := strconv.ParseUint(word[2:4], 16, 8)
			if err != nil {
				return "", err
			}
			b.WriteByte(byte(n))
			word = word[4:]
		default:
			return "", fmt.Errorf("no such escape")
		}
	}
	return b.String(), nil
}
