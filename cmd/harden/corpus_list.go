package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/corpus"
)

func (c *Command) corpusListCommand() *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "list the cases, one a line",
		UsageText: "harden corpus list [FLAG…]",
		Description: "A line has the case's ID, its kind, its verdict, its size in bytes and the start of its story.\n" +
			"A large case has no file: it is made when it is asked for.",
		Flags: append(caseFlags(), referenceOutput()),
		Action: func(ctx *cli.Context) error {
			if ctx.Args().Present() {
				return corpusUsage(ctx, fmt.Errorf("list takes no arguments, got %q: use show for one case", ctx.Args().First()))
			}
			format := ctx.String("output")
			if err := choice(ctx, "output", format, []string{"text", "json"}); err != nil {
				return err
			}
			cases, err := chosenCases(ctx)
			if err != nil {
				return err
			}
			m, err := corpus.ReadManifest()
			if err != nil {
				return err
			}
			m = m.Of(cases)
			if format == "json" {
				return m.Encode(c.Stdout)
			}
			w := tabwriter.NewWriter(c.Stdout, 0, 0, 2, ' ', 0)
			for _, e := range m.Cases {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", e.ID, e.Kind, e.Verdict, sizeOf(e), beginning(e.Story, 60))
			}
			return w.Flush()
		},
	}
}

// beginning returns the first words of text that fit width bytes.
func beginning(text string, width int) string {
	if len(text) <= width {
		return text
	}
	end := strings.LastIndexByte(text[:width+1], ' ')
	return strings.TrimRight(text[:max(end, 0)], " ,:;.") + " …"
}
