package main

import (
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/harden-input/harden/internal/report"
	"github.com/urfave/cli/v2"
)

// reportOptions reads the flags of outputFlags that say how a report looks.
func (c *Command) reportOptions(ctx *cli.Context) (report.Options, error) {
	color, err := wantsColor(ctx.String("color"), c.Stdout)
	next := ""
	if !ctx.Bool("verbose") {
		next = "Add -v to see why each of these rules exists, and what to do."
	}
	return report.Options{
		Next:        next,
		Quiet:       ctx.Bool("quiet"),
		Verbose:     ctx.Bool("verbose"),
		Color:       color,
		Annotations: os.Getenv("GITHUB_ACTIONS") == "true",
		Version:     version(),
	}, err
}

// wantsColor says whether text on w is coloured. The flag wins over NO_COLOR,
// NO_COLOR over FORCE_COLOR, and that over what w is.
func wantsColor(when string, w io.Writer) (bool, error) {
	force := os.Getenv("FORCE_COLOR")
	switch {
	case when == "always":
		return true, nil
	case when == "never":
		return false, nil
	case when != "auto":
		return false, fmt.Errorf("--color %q: use auto, always or never", when)
	case os.Getenv("NO_COLOR") != "", force == "0", force == "false":
		return false, nil
	case force != "":
		return true, nil
	}
	return isTerminal(w) && understandsColor(), nil
}

// understandsColor reports whether a terminal here reads escape sequences. Old
// consoles of Windows print them.
func understandsColor() bool {
	if runtime.GOOS == "windows" {
		return os.Getenv("WT_SESSION") != "" || os.Getenv("TERM") != ""
	}
	return os.Getenv("TERM") != "dumb"
}
