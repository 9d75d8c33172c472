package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/internal/catalog"
	"github.com/harden-input/harden/internal/spell"
)

// dumped is how many bytes of a payload show prints in hexadecimal.
const dumped = 256

func (c *Command) corpusShowCommand() *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "say everything about a case, or write its payload",
		UsageText: "harden corpus show [--raw] ID",
		ArgsUsage: "ID",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "raw", Usage: "write the payload itself to stdout, which must not be a terminal"},
		},
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() != 1 {
				return corpusUsage(ctx, errors.New("give one case, such as msgpack/array32-4g; harden corpus list lists all"))
			}
			chosen, err := caseOf(ctx.Args().First())
			if err != nil {
				return corpusUsage(ctx, err)
			}
			if !ctx.Bool("raw") {
				return describe(c.Stdout, chosen)
			}
			if isTerminal(c.Stdout) {
				return errors.New("corpus show: stdout is a terminal: send the payload to a file (> payload) or a pipe")
			}
			b := bufio.NewWriterSize(c.Stdout, 64<<10)
			if _, err := chosen.WriteTo(b); err != nil {
				return fmt.Errorf("writing the payload: %w", err)
			}
			if err := b.Flush(); err != nil {
				return fmt.Errorf("writing the payload: %w", err)
			}
			return nil
		},
	}
}

// caseOf returns the case with this ID.
func caseOf(id string) (corpus.Case, error) {
	var ids []string
	for _, c := range corpus.All() {
		if c.ID == id {
			return c, nil
		}
		ids = append(ids, c.ID)
	}
	message := fmt.Sprintf("unknown case %q", id)
	if closest := spell.Closest(id, ids); closest != "" {
		message += fmt.Sprintf(": did you mean %s?", closest)
	}
	return corpus.Case{}, errors.New(message)
}

// describe prints what there is to say of a case, and the start of its payload.
func describe(w io.Writer, c corpus.Case) error {
	m, err := corpus.ReadManifest()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(m.Cases, func(e corpus.Entry) bool { return e.ID == c.ID })
	if i < 0 {
		return fmt.Errorf("manifest.json has no %s", c.ID)
	}
	entry := m.Cases[i]

	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s\n%s\n\n", c.ID, c.Kind, c.Verdict, c.Story)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-10s %s\n", name, value)
		}
	}
	line("declares", c.Declares)
	line("costs", c.Costs)
	for _, id := range c.Rules {
		title := ""
		if r, ok := catalog.Rule(id); ok {
			title = ": " + r.Title
		}
		line("rule", id+title)
	}
	for _, n := range c.CWE {
		line("weakness", fmt.Sprintf("https://cwe.mitre.org/data/definitions/%d.html", n))
	}
	for _, ref := range c.References {
		line("see", ref)
	}
	line("layers", strings.Join(c.Layers(), " > "))
	size := plural(entry.Size, "byte")
	if entry.Size >= 1<<10 {
		size += " (" + humanize.IBytes(uint64(entry.Size)) + ")"
	}
	if c.Large {
		size += ", made when it is asked for"
	}
	line("size", size)
	line("file", c.FileName())

	payload := c.Open()
	defer payload.Close()
	head, err := io.ReadAll(io.LimitReader(payload, dumped))
	if err != nil {
		return err
	}
	if entry.Size > dumped {
		fmt.Fprintf(&b, "\nThe first %d bytes (--raw writes all):\n", dumped)
	} else if len(head) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(hex.Dump(head))
	_, err = io.WriteString(w, b.String())
	return err
}
