package report

import (
	"encoding/json"
	"net/url"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNameCanStandAtTheStartOfALine(t *testing.T) {
	for name, c := range map[string]struct{ name, want string }{
		"plain":                 {"a/b.gz", "a/b.gz"},
		"absolute":              {"/a/b.gz", "/a/b.gz"},
		"hidden":                {".a", ".a"},
		"not ASCII":             {"é.gz", "é.gz"},
		"stdin":                 {"-", "stdin"},
		"flag":                  {"--quiet", "./--quiet"},
		"workflow command":      {"::error::boom", "./::error::boom"},
		"command anywhere":      {"a ##[error]boom", `a #\x23[error]boom`},
		"more number signs":     {"a####", `a#\x23#\x23`},
		"space first":           {" ::error::boom", "./ ::error::boom"},
		"line feed":             {"\n::error::boom", `\x0a::error::boom`},
		"escape sequence":       {"\x1b[31mred", `\x1b[31mred`},
		"C1 control":            {"a\u009b31m", `a\u{9b}31m`},
		"bidirectional control": {"a\u202egz.exe", `a\u{202e}gz.exe`},
		"not UTF-8":             {"a\xff", `a\xff`},
		"empty":                 {"", "./"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, Name(c.name)) })
	}
}

func TestSafeKeepsWhatIsEscapedAlready(t *testing.T) {
	require.Equal(t, `a\x1bb\\c`, safe(`a\x1bb\\c`))
	require.Equal(t, `a\x1b\u{2028}`, safe("a\x1b\u2028"))
}

func TestSafeJSONChangesNoValue(t *testing.T) {
	for name, c := range map[string]struct{ value, want string }{
		"plain":        {"aé€", `"aé€"`},
		"DEL":          {"\x7f", `"\u007f"`},
		"C1":           {"\u009b", `"\u009b"`},
		"U+2028":       {"\u2028", `"\u2028"`},
		"bidi":         {"\u202e", `"\u202e"`},
		"tag":          {"\U000e0041", `"\udb40\udc41"`},
		"number signs": {"####", `"#\u0023\u0023\u0023"`},
		"one":          {"#a#", `"#a#"`},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := json.Marshal(c.value)
			require.NoError(t, err)
			got := appendSafeJSON(nil, text)
			require.Equal(t, c.want, string(got))
			var back string
			require.NoError(t, json.Unmarshal(got, &back))
			require.Equal(t, c.value, back)
		})
	}
}

func TestArtifactURI(t *testing.T) {
	for name, c := range map[string]struct{ name, want string }{
		"relative":         {"a/b.gz", "a/b.gz"},
		"stdin":            {"-", "stdin"},
		"space":            {"a b", "a%20b"},
		"percent":          {"a%20b", "a%2520b"},
		"question, hash":   {"a?b#c", "a%3Fb%23c"},
		"colon is no URI":  {"javascript:x", "javascript%3Ax"},
		"not UTF-8":        {"a\xff", "a%FF"},
		"not ASCII":        {"é", "%C3%A9"},
		"bidirectional":    {"\u202e", "%E2%80%AE"},
		"up":               {"../a", "../a"},
		"escape sequences": {"\x1b[31m", "%1B%5B31m"},
	} {
		t.Run(name, func(t *testing.T) {
			got := artifactURI(c.name)
			require.Equal(t, c.want, got)
			_, err := url.Parse(got)
			require.NoError(t, err)
		})
	}
}

func TestArtifactURIOfAbsolutePath(t *testing.T) {
	if runtime.GOOS == "windows" {
		require.Equal(t, "file:///C:/a%20b", artifactURI(`C:\a b`))
		require.Equal(t, "file://host/share/a", artifactURI(`\\host\share\a`))
		return
	}
	require.Equal(t, "file:///a%20b", artifactURI("/a b"))
	require.Equal(t, "a%5Cb", artifactURI(`a\b`))
}
