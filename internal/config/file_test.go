package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/rule"
)

func parse(t *testing.T, text string) *File {
	t.Helper()
	f, err := Parse("x.yaml", "", []byte(text))
	require.NoError(t, err)
	return f
}

// resolve settles s without a format chain.
func resolve(s Settings) (*Resolved, error) {
	s.Chain = "auto"
	return s.Resolve()
}

func TestNestedAndDottedKeysAreTheSame(t *testing.T) {
	for _, text := range []string{
		"limits: {gzip.max-members: 16}\nseverity: {gzip/multi-member: error}",
		"limits:\n  gzip:\n    max-members: 16\nseverity:\n  gzip:\n    multi-member: error",
		"limits.gzip.max-members: 16\nseverity.gzip/multi-member: error",
	} {
		r, err := resolve(Settings{File: parse(t, text)})
		require.NoError(t, err)
		require.Equal(t, uint64(16), r.Config.Limits.Gzip.MaxMembers)
		require.Equal(t, rule.Error, r.Config.Severities["gzip/multi-member"])
	}
}

func TestFilesThatAreRefused(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"unknown key", "profil: gateway", `x.yaml:1: unknown key "profil": did you mean profile?`},
		{"unknown limit", "profile: gateway\nlimits:\n  gzip.max-member: 1", `x.yaml:3: unknown limit "gzip.max-member": did you mean gzip.max-members?`},
		{"unknown rule", "severity:\n  gzip/nope: error", `x.yaml:2: unknown rule "gzip/nope"`},
		{"unknown profile", "profile: gatewya", `x.yaml:1: unknown profile "gatewya": did you mean gateway?`},
		{"unknown level", "severity: {gzip/members: fatal}", `x.yaml:1: severity of gzip/members: unknown severity "fatal"`},
		{"level that a rule cannot have", "severity:\n  gzip/members: off", "x.yaml:2: the severity of gzip/members cannot be below error, because it ends the inspection: raise gzip.max-members instead"},
		{"fail-on off", "fail-on: off", `x.yaml:1: fail-on "off": use note, warning or error`},
		{"zero", "limits: {gzip.max-members: 0}", "x.yaml:1: limit gzip.max-members: 0 is no limit to work with: write none for no limit"},
		{"no value", "profile:", "x.yaml:1: a value is missing"},
		{"list for a value", "profile: [a]", "x.yaml:1: expected a single value"},
		{"value for a list", "exclude: a", "x.yaml:1: expected a list"},
		{"value for a mapping", "limits: 5", "x.yaml:1: expected a mapping"},
		{"a list", "- a", "x.yaml:1: expected a mapping"},
		{"twice", "profile: gateway\nprofile: strict", "x.yaml:2: profile is set twice, first in line 1"},
		{"twice, nested and dotted", "limits:\n  gzip.max-members: 1\n  gzip:\n    max-members: 2", "x.yaml:4: gzip.max-members is set twice, first in line 2"},
		{"merge key", "<<: {profile: gateway}", `unknown key "<<"`},
		{"glob", "exclude: ['a[']", `x.yaml:1: glob "a[" is malformed`},
		{"ignore without reason", "ignore:\n  - {rule: gzip/members, path: a}", "x.yaml:2: the ignore entry has no reason"},
		{"ignore of a misspelt rule", "ignore:\n  - {rule: gzip/member, path: a, reason: b}", `x.yaml:2: unknown rule "gzip/member": did you mean gzip/members?`},
		{"ignore of no judgement", "ignore:\n  - {rule: input/empty, path: a, reason: b}", "input/empty cannot be ignored: it says that no judgement was possible"},
		{"ignore until some day", "ignore:\n  - {rule: gzip/members, path: a, reason: b, until: soon}", `until "soon" is not a day: write it as 2027-12-31`},
		{"ignore with an unknown key", "ignore:\n  - {rule: gzip/members, path: a, reasn: b}", `unknown key "reasn" in an ignore entry: did you mean reason?`},
		{"anchor", "profile: &a gateway", "x.yaml:1: anchors and aliases are not allowed"},
		{"alias", "exclude:\n  - &a x\n  - *a", "anchors and aliases are not allowed"},
		{"tag", "profile: !!binary aGk=", `x.yaml:1: the tag "!!binary" is not allowed`},
		{"second document", "profile: gateway\n---\nprofile: bulk", "a second document"},
		{"no YAML", "profile: [", "x.yaml: line 1"},
		{"deep", "limits: " + strings.Repeat("{a: ", 40) + "1" + strings.Repeat("}", 40), "nested more than 32 levels deep"},
		{"flow flood", strings.Repeat("[", 1025), "x.yaml:1: more than 1024 of [ and { in the file"},
		{"compact flood", "a:\n  " + strings.Repeat("- ", 33) + "x", "x.yaml:2: more than 32 of - and ? in one line"},
		{"indent flood", "a:\n" + strings.Repeat(" ", 65) + "x", "x.yaml:2: more than 64 spaces"},
		{"long", strings.Repeat("#", maxFileSize+1), "longer than the 65536 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("x.yaml", "", []byte(tt.text))
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestFilesThatSayNothing(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing\n", "---\n"} {
		r, err := resolve(Settings{File: parse(t, text)})
		require.NoError(t, err, "%q", text)
		require.Empty(t, r.Loosened)
	}
}

// 100 KB of [ once cost a YAML parser 866 MiB.
func TestHostileFilesCostLittle(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"flow", strings.Repeat("[", maxFlow)},
		{"flow behind flow", strings.Repeat("[\n", maxFlow)},
		{"compact lines", strings.Repeat(strings.Repeat("- ", maxCompact)+"\n", maxFileSize/(2*maxCompact+1))},
		{"indented compact", indented(maxIndent) + strings.Repeat("? ", maxCompact)},
		{"quotes", strings.Repeat(`"`, maxFileSize)},
		{"keys", strings.Repeat("a: b\n", maxFileSize/5)},
		{"colons", strings.Repeat(":", maxFileSize)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Parse("x.yaml", "", []byte(tt.text))
			runtime.ReadMemStats(&after)
			require.Error(t, err)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))
		})
	}
}

func indented(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func TestPrecedence(t *testing.T) {
	file := parse(t, "profile: gateway\nlimits: {gzip.max-members: 5, gzip.max-ratio: 9}\nfail-on: note")
	r, err := resolve(Settings{File: file, Limits: []string{"gzip.max-members=7"}})
	require.NoError(t, err)
	require.Equal(t, "gateway", r.Profile)
	require.Equal(t, uint64(7), r.Config.Limits.Gzip.MaxMembers)
	require.Equal(t, "--limit", r.From("gzip.max-members"))
	require.Equal(t, uint64(9), r.Config.Limits.Gzip.MaxRatio)
	require.Equal(t, "x.yaml:2", r.From("gzip.max-ratio"))
	require.Equal(t, "profile gateway", r.From("gzip.max-work"))
	require.Equal(t, rule.Note, r.Config.FailOn)

	r, err = resolve(Settings{File: file, Profile: "bulk", FailOn: "warning"})
	require.NoError(t, err)
	require.Equal(t, "bulk", r.Profile)
	require.Equal(t, rule.Warning, r.Config.FailOn)
	require.Equal(t, uint64(5), r.Config.Limits.Gzip.MaxMembers, "a file's limit wins over any profile")
}

func TestFoundFileMayOnlyTighten(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		settings   Settings
		want       string // empty: allowed
	}{
		{"tighter profile", "profile: gateway", Settings{}, ""},
		{"stricter profile", "profile: strict", Settings{}, ""},
		{"lower limit", "limits: {gzip.max-members: 5}", Settings{}, ""},
		{"limit where none was", "limits: {gzip.max-ratio: 5}", Settings{}, ""},
		{"equal limit", "limits: {gzip.max-members: 262144}", Settings{}, ""},
		{"higher severity", "severity: {gzip/multi-member: error}", Settings{}, ""},
		{"lower fail-on", "fail-on: warning", Settings{}, ""},
		{"looser profile", "profile: bulk", Settings{}, "x.yaml:1: limits.input.max-size: from 128MiB to 2GiB (and "},
		{"unlimited", "profile: unlimited", Settings{}, "x.yaml:1: limits.input.max-size: from 128MiB to none"},
		{"higher limit", "\nlimits: {gzip.max-members: 262145}", Settings{}, "x.yaml:2: limits.gzip.max-members: from 262144 to 262145: a configuration file that nobody named may only tighten; accept it with --trust-config or --config x.yaml"},
		{"no limit", "limits: {gzip.max-members: none}", Settings{}, "from 262144 to none"},
		{"higher limit than a flag's profile", "limits: {gzip.max-members: 17}", Settings{Profile: "gateway"}, "from 16 to 17"},
		{"lower severity", "severity: {gzip/isize-forged: warning}", Settings{}, "severity.gzip/isize-forged: from error to warning"},
		{"check turned off", "severity: {json/duplicate-key: off}", Settings{}, "severity.json/duplicate-key: from warning to off"},
		{"higher fail-on", "fail-on: error", Settings{FailOn: ""}, ""},
		{"a flag wins over what is looser", "limits: {gzip.max-members: none}", Settings{Limits: []string{"gzip.max-members=3"}}, ""},
		{"exclude", "exclude: [a]", Settings{}, "x.yaml:1: exclude: a"},
		{"ignore", "ignore:\n  - {rule: gzip/members, path: a, reason: b}", Settings{}, "x.yaml:2: ignore: gzip/members in a"},
		{"fewer keys, duplicates only warn", "limits: {json.max-tracked-keys: 1}", Settings{}, ""},
		{"fewer keys, duplicates reject", "limits: {json.max-tracked-keys: 1}", Settings{Severities: []string{"json/duplicate-key=error"}}, "limits.json.max-tracked-keys: from 262144 to 1"},
		{"fewer keys, giving up rejects", "limits: {json.max-tracked-keys: 1}", Settings{FailOn: "warning"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.settings.File = parse(t, tt.text)
			named, err := resolve(tt.settings)
			require.NoError(t, err, "a file that was named may do anything")
			tt.settings.File.Found = true
			_, err = resolve(tt.settings)
			if tt.want == "" {
				require.NoError(t, err)
				require.Empty(t, named.Loosened)
				return
			}
			require.ErrorContains(t, err, tt.want)
			require.NotEmpty(t, named.Loosened)
		})
	}
}

func TestIgnores(t *testing.T) {
	file := parse(t, `ignore:
  - {rule: gzip/isize-forged, path: 'bad/**', reason: fixtures}
  - {rule: gzip/members, path: '*.gz', reason: old, until: 2026-05-01}
  - {rule: gzip/work, path: '*.gz', reason: never seen}
`)
	day := func(s string) time.Time {
		at, err := time.Parse(time.DateTime, s)
		require.NoError(t, err)
		return at
	}
	rejected := func(name string, rules ...string) *inspect.Report {
		r := inspect.NewReport()
		p := inspect.Payload{Name: name, Verdict: inspect.Rejected}
		for _, id := range rules {
			p.Violations = append(p.Violations, inspect.Violation{Rule: id, Severity: rule.Error})
		}
		r.Add(p)
		return r
	}
	g := file.Ignores(rule.Error, day("2026-05-01 23:59:59"))
	for _, tt := range []struct {
		name  string
		r     *inspect.Report
		want  inspect.Verdict
		aside []string
	}{
		{"set aside", rejected("bad/a.gz", "gzip/isize-forged"), inspect.Ignored, []string{"fixtures"}},
		{"other path", rejected("a", "gzip/isize-forged"), inspect.Rejected, []string{""}},
		{"one of two", rejected("bad/a", "gzip/isize-forged", "gzip/truncated"), inspect.Rejected, []string{"fixtures", ""}},
		{"both of two, on the last day", rejected("bad/a.gz", "gzip/isize-forged", "gzip/members"), inspect.Ignored, []string{"fixtures", "old"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g.Apply(tt.r)
			require.Equal(t, tt.want, tt.r.Payloads[0].Verdict)
			for i, reason := range tt.aside {
				require.Equal(t, reason, tt.r.Payloads[0].Violations[i].Ignored)
			}
			if tt.want == inspect.Ignored {
				require.Equal(t, inspect.Summary{Ignored: 1, Skipped: map[string]int{}}, tt.r.Summary)
			} else {
				require.Equal(t, inspect.Summary{Rejected: 1, Skipped: map[string]int{}}, tt.r.Summary)
			}
		})
	}
	require.Equal(t, []string{"x.yaml:4: the ignore entry for gzip/work in *.gz set nothing aside: remove it"}, g.Stale(true))
	require.Empty(t, g.Stale(false))

	late := file.Ignores(rule.Error, day("2026-05-02 00:00:00"))
	r := rejected("a.gz", "gzip/members")
	late.Apply(r)
	require.Equal(t, inspect.Rejected, r.Payloads[0].Verdict)
	require.Equal(t, []string{"x.yaml:3: the ignore entry for gzip/members in *.gz expired after 2026-05-01: fix what it is for, or move the date"}, late.Stale(false))
}

func TestSearch(t *testing.T) {
	if hasNoDirectories() {
		t.Skip("this platform has no working directory of its own")
	}
	top := t.TempDir()
	repo := filepath.Join(top, "repo")
	deep := filepath.Join(repo, "a", "b")
	require.NoError(t, os.MkdirAll(deep, 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(repo, ".git"), 0o755))
	put := func(dir, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, FileName), []byte(text), 0o644))
	}
	find := func(dir string, s Search) *File {
		t.Helper()
		t.Chdir(dir)
		f, err := s.File()
		require.NoError(t, err)
		return f
	}
	put(top, "profile: bulk")
	require.Nil(t, find(deep, Search{Discover: true}), "above the repository nothing is looked for")
	require.Equal(t, FileName, find(top, Search{Discover: true}).Path)
	outside := filepath.Join(top, "c")
	require.NoError(t, os.Mkdir(outside, 0o755))
	require.Nil(t, find(outside, Search{Discover: true}), "outside a repository only the working directory counts")

	put(repo, "profile: gateway")
	f := find(deep, Search{Discover: true})
	require.Equal(t, filepath.Join("..", "..", FileName), f.Path)
	require.True(t, f.Found)
	require.False(t, find(deep, Search{Discover: true, Trust: true}).Found)
	require.Nil(t, find(deep, Search{}))
	require.Nil(t, find(deep, Search{None: true, Discover: true, Env: "gone"}))

	put(deep, "profile: strict")
	require.Equal(t, FileName, find(deep, Search{Discover: true}).Path, "the nearest holds")
	named := find(deep, Search{Named: filepath.Join("..", "..", FileName), Env: "gone", Discover: true})
	require.Equal(t, filepath.Join("..", "..", FileName), named.Path)
	require.False(t, named.Found)
	require.False(t, find(deep, Search{Env: FileName, Discover: true}).Found)

	_, err := Search{Named: "gone"}.File()
	require.ErrorContains(t, err, "gone")
	_, err = Search{Env: "gone"}.File()
	require.ErrorContains(t, err, "HARDEN_CONFIG: open gone")

	require.NoError(t, os.Remove(filepath.Join(deep, FileName)))
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(deep, FileName)))
	_, err = Search{Discover: true}.File()
	require.ErrorContains(t, err, "is not a regular file")
}
