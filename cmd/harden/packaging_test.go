//go:build !wasip1 && !windows

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// rootFile reads a file of the repository's root.
func rootFile(t *testing.T, name string) []byte {
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	require.NoError(t, err)
	return text
}

// readYAML decodes a file of the repository's root and refuses keys that into
// does not have.
func readYAML(t *testing.T, name string, into any) {
	decoder := yaml.NewDecoder(bytes.NewReader(rootFile(t, name)))
	decoder.KnownFields(true)
	require.NoError(t, decoder.Decode(into), name)
}

func TestPreCommitHooks(t *testing.T) {
	var hooks []struct {
		ID, Name, Description, Language, Entry, Files string
		Args, Types                                   []string
	}
	readYAML(t, ".pre-commit-hooks.yaml", &hooks)
	require.Len(t, hooks, 3)
	languages := map[string]bool{}
	for _, hook := range hooks {
		t.Run(hook.ID, func(t *testing.T) {
			languages[hook.Language] = true
			require.Equal(t, "--", hook.Args[len(hook.Args)-1])
			files := regexp.MustCompile(hook.Files)
			for _, name := range []string{"a.gz", "a.json", "d/a.json.gz", "a.geojson", "a.msgpack", "a.mpk", "a.ndjson", "a.jsonl"} {
				require.True(t, files.MatchString(name), name)
			}
			for _, name := range []string{"json", "a.go", "a.json.txt", "agz"} {
				require.False(t, files.MatchString(name), name)
			}

			// As pre-commit runs it: entry, args, the staged files.
			dir := checkout(t)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "--help.json"), []byte(`{"a":1}`), 0o644))
			command := strings.TrimPrefix(hook.Entry, "/") + " " + strings.Join(hook.Args, " ")
			code, output := runShell(t, dir, command+" testdata/ok.json.gz testdata/ok.json --help.json")
			require.Equal(t, 0, code, output)
			code, output = runShell(t, dir, "printf '[1,' > cut.json; "+command+" cut.json testdata/ok.json")
			require.Equal(t, 1, code, output)
			require.Contains(t, output, "cut.json: rejected")
		})
	}
	require.Equal(t, map[string]bool{"golang": true, "docker": true, "system": true}, languages)
}

// An action is action.yml.
type action struct {
	Name, Description, Author string
	Branding                  struct{ Icon, Color string }
	Inputs                    map[string]struct{ Description, Default string }
	Outputs                   map[string]struct{ Description, Value string }
	Runs                      struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	ID, If, Uses, Shell, Run string
	With, Env                map[string]string
}

func readAction(t *testing.T) action {
	var a action
	readYAML(t, "action.yml", &a)
	require.Equal(t, "composite", a.Runs.Using)
	return a
}

func (a action) step(t *testing.T, id string) actionStep {
	for _, step := range a.Runs.Steps {
		if step.ID == id {
			return step
		}
	}
	t.Fatalf("action.yml has no step %s", id)
	return actionStep{}
}

// What a pull request or a workflow passes in must not become shell.
func TestActionPutsNoExpressionIntoShell(t *testing.T) {
	for _, step := range readAction(t).Runs.Steps {
		require.NotContains(t, step.Run, "${{", step.ID)
		require.Equal(t, step.Run != "", step.Shell == "bash", step.ID)
		require.NotEqual(t, step.Run != "", step.Uses != "", "a step runs or uses")
	}
}

func TestActionUsesItsInputs(t *testing.T) {
	text, a := string(rootFile(t, "action.yml")), readAction(t)
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllStringSubmatch(text, -1) {
		require.Contains(t, a.Inputs, m[1])
		used[m[1]] = true
	}
	docs := string(rootFile(t, filepath.Join("docs", "ci.md")))
	for name := range a.Inputs {
		require.True(t, used[name], name)
		require.Contains(t, docs, "| `"+name+"` |")
	}
}

func TestActionScriptsPassShellcheck(t *testing.T) {
	if _, err := exec.LookPath("shellcheck"); err != nil {
		t.Skip("shellcheck is not installed")
	}
	for _, step := range readAction(t).Runs.Steps {
		requireShellcheck(t, step.Run)
	}
	requireShellcheck(t, bashCompletion)
}

func requireShellcheck(t *testing.T, script string) {
	cmd := exec.Command("shellcheck", "--shell=bash", "-")
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// The step that inspects, run as the runner does, on a checkout that brings a
// configuration of its own.
func TestActionInspects(t *testing.T) {
	step := readAction(t).step(t, "inspect")
	for _, tt := range []struct {
		name, paths, hostile string
		want                 string
	}{
		{"clean", "testdata/ok.json\n\ntestdata/ok.json.gz\n", "", "exit-code=0\n"},
		{"rejected", "testdata", "[1,", "exit-code=1\n"},
		{"missing", "testdata\nno-such-file", "", "exit-code=2\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, temp := checkout(t), t.TempDir()
			harden, err := exec.LookPath("harden")
			require.NoError(t, err)
			require.NoError(t, os.Mkdir(filepath.Join(temp, "harden-bin"), 0o755))
			require.NoError(t, os.Symlink(harden, filepath.Join(temp, "harden-bin", "harden")))
			require.NoError(t, os.WriteFile(filepath.Join(dir, ".harden.yaml"), []byte("severity: {json/truncated: off}\nexclude: ['**']\n"), 0o644))
			if tt.hostile != "" {
				require.NoError(t, os.WriteFile(filepath.Join(dir, "testdata", "bad.json"), []byte(tt.hostile), 0o644))
			}
			output := filepath.Join(temp, "output")
			code, out := runShell(t, dir, step.Run,
				"RUNNER_TEMP="+temp, "GITHUB_OUTPUT="+output, "INPUT_PATHS="+tt.paths, "INPUT_AS=auto",
				"INPUT_PROFILE=default", "INPUT_FAIL_ON=error", "INPUT_CONFIG=", "INPUT_SARIF=harden.sarif")
			require.Zero(t, code, out)
			got, err := os.ReadFile(output)
			require.NoError(t, err)
			require.Equal(t, tt.want, string(got), out)
			require.FileExists(t, filepath.Join(dir, "harden.sarif"))
		})
	}
}

func TestActionDownloadsOnlyVersions(t *testing.T) {
	step := readAction(t).step(t, "download")
	for _, version := range []string{"latest", "v1", "v1.2.3/../../x", "v1.2.3;id", "v1.2.3\nx", ""} {
		code, out := runShell(t, t.TempDir(), step.Run, "VERSION="+version, "RUNNER_TEMP=/nonexistent")
		require.Equal(t, 2, code, "%q: %s", version, out)
		require.Contains(t, out, "version must look like v1.2.3")
	}
}

// A release is unpacked only if it is what its checksums say.
func TestActionChecksWhatItDownloads(t *testing.T) {
	step := readAction(t).step(t, "download")
	for _, tt := range []struct {
		name, sum string
		code      int
	}{
		{"the release", "$(sha256sum < $archive | cut -d' ' -f1)", 0},
		{"another file", strings.Repeat("0", 64), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, temp := t.TempDir(), t.TempDir()
			// A release of one file, and a curl that finds it: its last
			// argument is the address, --output is followed by the file.
			code, out := runShell(t, dir, "archive=harden_linux_amd64.tar.gz; echo binary > harden; tar -czf $archive harden; "+
				`printf '%s  %s\n' "`+tt.sum+`" $archive > checksums.txt; mkdir bin; `+
				`printf '#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" = --output ] && out=$2; shift; done\ncp "`+dir+`/${1##*/}" "$out"\n' > bin/curl; chmod +x bin/curl`)
			require.Zero(t, code, out)
			code, out = runShell(t, dir, step.Run, "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"),
				"VERSION=v1.2.3", "RUNNER_TEMP="+temp, "RUNNER_OS=Linux", "RUNNER_ARCH=X64")
			require.Equal(t, tt.code, code, out)
			unpacked := filepath.Join(temp, "harden-bin", "harden")
			if tt.code == 0 {
				require.FileExists(t, unpacked)
			} else {
				require.NoFileExists(t, unpacked)
			}
		})
	}
}

// A release is the .goreleaser.yaml of this repository, as far as it is used.
type release struct {
	Version     int
	ProjectName string `yaml:"project_name"`
	Before      struct{ Hooks []string }
	Builds      []struct {
		ID, Main, Binary                        string
		Env, Goos, Goarch, Flags, Ldflags, Tags []string
		ModTimestamp                            string `yaml:"mod_timestamp"`
	}
	Archives []struct {
		ID              string
		IDs, Formats    []string
		FormatOverrides []struct {
			Goos    string
			Formats []string
		} `yaml:"format_overrides"`
		NameTemplate string `yaml:"name_template"`
		Files        []any
	}
	Checksum struct {
		NameTemplate string `yaml:"name_template"`
		Algorithm    string
	}
	Snapshot struct {
		VersionTemplate string `yaml:"version_template"`
	}
	Release struct{ Draft bool }
}

// The Makefile builds the platforms that are released, and the action downloads
// what a release is made of.
func TestReleaseConfiguration(t *testing.T) {
	var r release
	readYAML(t, ".goreleaser.yaml", &r)
	require.Equal(t, 2, r.Version)
	var platforms []string
	for _, b := range r.Builds {
		require.DirExists(t, filepath.Join("..", "..", b.Main))
		require.Equal(t, []string{"CGO_ENABLED=0"}, b.Env)
		require.Equal(t, []string{"-trimpath"}, b.Flags)
		require.Equal(t, []string{"urfave_cli_no_docs"}, b.Tags)
		for _, goos := range b.Goos {
			for _, goarch := range b.Goarch {
				platforms = append(platforms, goos+"/"+goarch)
			}
		}
	}
	m := regexp.MustCompile(`(?m)^PLATFORMS = (.*)$`).FindSubmatch(rootFile(t, "Makefile"))
	require.NotNil(t, m)
	require.ElementsMatch(t, strings.Fields(string(m[1])), platforms)

	require.Len(t, r.Archives, 2)
	require.Equal(t, "harden_{{ .Os }}_{{ .Arch }}", r.Archives[0].NameTemplate)
	require.Equal(t, []string{"tar.gz"}, r.Archives[0].Formats)
	require.Equal(t, []string{"zip"}, r.Archives[0].FormatOverrides[0].Formats)
	download := readAction(t).step(t, "download").Run
	require.Contains(t, download, "archive=harden_${os}_$arch.$ending")
	require.Contains(t, download, r.Checksum.NameTemplate)
	require.Equal(t, "sha256", r.Checksum.Algorithm)
}

func TestDockerfile(t *testing.T) {
	var instructions []string
	for _, line := range strings.Split(string(rootFile(t, "Dockerfile")), "\n") {
		if line != "" && !strings.HasPrefix(line, "#") {
			instructions = append(instructions, line)
		}
	}
	text := strings.Join(instructions, "\n")
	_, final, ok := strings.Cut(text, "\nFROM scratch\n")
	require.True(t, ok)
	require.Equal(t, "COPY --from=build /harden /harden\nCOPY LICENSE /LICENSE\nUSER 65532:65532\nENTRYPOINT [\"/harden\"]\nCMD [\"--help\"]", final)

	// Its build, in this tree.
	m := regexp.MustCompile(`(?m)^RUN (CGO_ENABLED=0 .*) -o /harden (\S+)$`).FindStringSubmatch(text)
	require.NotNil(t, m)
	if testing.Short() {
		t.Skip("builds a program")
	}
	binary := filepath.Join(t.TempDir(), "harden")
	code, out := runShell(t, filepath.Join("..", ".."), m[1]+" -o "+binary+" "+m[2], "TARGETOS=linux", "TARGETARCH=amd64")
	require.Zero(t, code, out)
	require.FileExists(t, binary)
}
