package jsoncheck

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLooks(t *testing.T) {
	long := strings.Repeat("x", LookAhead)
	for _, c := range []struct {
		name, window string
		want         string // "value", "scalar" or ""
	}{
		{"object", `{"a":1}`, "value"},
		{"empty object", `{ }`, "value"},
		{"object over lines", "\n{\n\t\"a\" : 1\n}", "value"},
		{"object behind a byte order mark", "\xef\xbb\xbf{}", "value"},
		{"empty array", `[ ]`, "value"},
		{"array of numbers", `[1,2]`, "value"},
		{"array of strings", `["a"]`, "value"},
		{"array of objects", `[{"a":1}]`, "value"},
		{"array of arrays", `[[[1]]]`, "value"},
		{"array of literals", `[ null ]`, "value"},
		{"records", "{\"a\":1}\n{\"a\":2}\n", "value"},
		{"bad UTF-8", "{\"\xff\":1}", "value"},
		{"bad escape", `{"\x":1}`, "value"},
		{"error behind the second token", `[1 2`, "value"},
		{"only open brackets", strings.Repeat("[", 100), "value"},
		{"object cut off", `{`, "value"},
		{"name cut off", `{"a`, "value"},
		{"colon cut off", `{"a" `, "value"},
		{"literal cut off", `[tru`, "value"},
		{"name longer than the window", `{"` + long, "value"},
		{"number", "12\n", "scalar"},
		{"negative number", "-1.5e-3", "scalar"},
		{"string", `"a b"`, "scalar"},
		{"true", " true ", "scalar"},
		{"string longer than the window", `"` + long + long + `" x`, "scalar"},

		{"nothing", "", ""},
		{"white space", " \n", ""},
		{"byte order mark", "\xef\xbb\xbf", ""},
		{"gzip", "\x1f\x8b\x08\x00", ""},
		{"msgpack", "\x81\xa1a\x01", ""},
		{"Go", "package main\n", ""},
		{"Go composite", "{a: 1}", ""},
		{"block of code", "{\n\tx := 1\n}", ""},
		{"template", `{{ .Name }}`, ""},
		{"string without colon", `{"a"}`, ""},
		{"shell", "#!/bin/sh\n", ""},
		{"Markdown link", "[harden](https://example.com)", ""},
		{"Markdown badge", "[![build](x)](y)", ""},
		{"Markdown reference", "[1]: https://example.com\n", "value"},
		{"INI section", "[section]\nkey=1\n", ""},
		{"INI section like a literal", "[trunk]\n", ""},
		{"version heading", "[1.2.3] - 2026-01-01\n", ""},
		{"date heading", "[2026-01-01] release\n", ""},
		{"TOML tables", "[[bin]]\nname = 1\n", ""},
		{"log line", "[12:30:01] started\n", ""},
		{"sentence", "true story\n", ""},
		{"two numbers", "1 2\n", ""},
		{"number and unit", "12 MB", ""},
		{"leading zero", "007", ""},
		{"CSV", "1,2,3\n", ""},
		{"string cut off", `"abc`, ""},
		{"literal cut off by itself", "tru", ""},
		{"line end in a string", "[\"a\nb\"]", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			fits, scalar := Looks([]byte(c.window), true)
			require.Equal(t, c.want != "", fits)
			require.Equal(t, c.want == "scalar", scalar)
		})
	}
}

func TestLooksTakesUnfinishedScalarsWhereMoreFollows(t *testing.T) {
	for _, window := range []string{`"abc`, "tru", "12", "1.", "1e", "-"} {
		fits, scalar := Looks([]byte(window), false)
		require.True(t, fits && scalar, window)
	}
	fits, _ := Looks([]byte("12 x"), false)
	require.False(t, fits)
}

// What is JSON looks like it, in any part of it that a window may hold.
func TestLooksFitsConformanceFiles(t *testing.T) {
	for name, text := range conformanceFiles(t, "y_") {
		for n := len(text); n > 0; n-- {
			if strings.Trim(string(text[:n]), " \t\r\n") == "" {
				continue
			}
			fits, _ := Looks(text[:n], n == len(text))
			require.True(t, fits, "%s: %q", name, text[:n])
		}
	}
}
