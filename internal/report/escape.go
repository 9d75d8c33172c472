package report

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/rule"
)

// maxName bounds how much of a payload's name is printed, in bytes.
const maxName = 1 << 10

// Name returns a payload's name in a form that can stand at the start of a
// line. Where it begins with a sign, as commands in CI logs do, "./" comes
// before it.
func Name(name string) string {
	if name == "-" {
		return "stdin"
	}
	escaped := safe(rule.Excerpt(name, maxName))
	first, _ := utf8.DecodeRuneInString(escaped)
	if unicode.IsLetter(first) || unicode.IsDigit(first) || strings.ContainsRune(`./\_`, first) {
		return escaped
	}
	return "./" + escaped
}

// payloadName is Name with the record's place in its stream.
func payloadName(p *inspect.Payload) string {
	name := Name(p.Name)
	if p.Record != 0 {
		name += fmt.Sprintf(", record %d", p.Record)
	}
	if p.Line != 0 {
		name += fmt.Sprintf(", line %d", p.Line)
	}
	return name
}

// safe escapes in s what is not printable, as rule.Excerpt does, and a doubled
// number sign, which starts a command anywhere in a line of some CI logs.
// Excerpts inside s were escaped before, so backslashes stay single.
func safe(s string) string {
	if !strings.ContainsFunc(s, steers) && !strings.Contains(s, "##") {
		return s
	}
	parts := strings.Split(s, `\`)
	for i, part := range parts {
		parts[i] = rule.Excerpt(part, len(part))
	}
	return strings.ReplaceAll(strings.Join(parts, `\`), "##", `#\x23`)
}

// steers reports whether a terminal could take r for more than a character.
// Bytes that are not UTF-8 come as U+FFFD, and are taken for the worst.
func steers(r rune) bool {
	return r == utf8.RuneError || !unicode.IsPrint(r) || r >= 0x80 && unicode.Is(unicode.Cf, r)
}

// appendSafeJSON appends JSON text with the same characters escaped that safe
// escapes. They can only be inside strings, so it changes no value.
func appendSafeJSON(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c == 0x7f || c == '#' && i > 0 && text[i-1] == '#' {
				dst = fmt.Appendf(dst, `\u%04x`, c)
			} else {
				dst = append(dst, c)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError || !steers(r) { // the encoder has written U+FFFD for what was not UTF-8
			dst = append(dst, text[i:i+size]...)
		} else {
			for _, unit := range utf16.AppendRune(nil, r) {
				dst = fmt.Appendf(dst, `\u%04x`, unit)
			}
		}
		i += size
	}
	return dst
}

// artifactURI returns a payload's name as a URI reference of ASCII alone: a
// relative path stays relative, stdin is "stdin".
func artifactURI(name string) string {
	if name == "-" {
		return "stdin"
	}
	volume := filepath.VolumeName(name)
	path := percentEncode(filepath.ToSlash(name[len(volume):]))
	switch {
	case strings.HasPrefix(filepath.ToSlash(volume), "//"):
		return "file:" + "//" + percentEncode(filepath.ToSlash(volume)[2:]) + path
	case volume != "":
		return "file:///" + volume + path
	case strings.HasPrefix(path, "/"):
		return "file://" + path
	}
	return path
}

// percentEncode keeps slashes and RFC 3986's unreserved characters.
func percentEncode(path string) string {
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
