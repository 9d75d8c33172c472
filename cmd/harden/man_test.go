//go:build !wasip1

package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/urfave/cli/v2"
)

// The man page has every command and flag, and the binary has no part in it.
func TestManPage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	page, err := exec.Command("go", "run", "-tags", "harden_man", ".").Output()
	require.NoError(t, err)
	text := strings.ReplaceAll(string(page), `\-`, "-")
	require.Contains(t, text, ".TH harden 1")
	require.Contains(t, text, "The exit code is 0 where")
	requireDocumented(t, text, (&Command{}).app(new(int)).VisibleCommands())
	require.NotContains(t, text, "print what may follow on a command line")
}

func requireDocumented(t *testing.T, page string, commands []*cli.Command) {
	// Without the fonts and the escapes of roff.
	plain := strings.NewReplacer(`\fB`, "", `\fI`, "", `\fP`, "", `\fR`, "", `\&`, "").Replace(page)
	for _, cmd := range commands {
		require.Contains(t, page, cmd.Usage)
		for _, f := range cmd.Flags {
			require.Contains(t, page, dashed(f.Names()[0]), cmd.Name)
			// Usages are text, not Markdown.
			usage := strings.ReplaceAll(f.(cli.DocGenerationFlag).GetUsage(), "`", "")
			require.Contains(t, plain, usage, cmd.Name)
		}
		requireDocumented(t, page, visible(cmd.Subcommands))
	}
}
