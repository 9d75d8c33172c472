package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// run finds the command that args name, parses its flags and runs it. The first
// of args is the program's name.
//
// cli declares the commands and their flags and reads the flags' values; its
// App.Run is not used. That prints help with text/template, which looks methods
// up by their names, so that the linker has to keep every method there is: a
// quarter of the WASI module. Most of what Run does besides had to be undone: it
// prints usage errors to stdout, ends at a path, splits values at commas, and
// obeys a hidden last argument of every command.
func (c *Command) run(ctx context.Context, app *cli.App, args []string) error {
	if len(args) < 2 {
		return &usageError{errors.New("no command given"), "harden --help"}
	}
	switch first := args[1]; {
	case first == "--help" || first == "-h":
		return c.helpOfAll(app)
	case first == "--version":
		args = slices.Concat(args[:1], []string{"version"}, args[2:])
	case strings.HasPrefix(first, "-") && first != "-":
		name, _, _ := strings.Cut(strings.TrimLeft(first, "-"), "=")
		return &usageError{errors.New("unknown flag " + dashed(name)), "harden --help"}
	}
	cmd, rest := commandOf(app, args[1:])
	if cmd == nil {
		return unknownCommand("harden", app.Commands, args[1])
	}
	args, err := flagsFirst(cmd, rest)
	if err != nil {
		return err
	}
	set, err := parseFlags(cmd, args)
	if errors.Is(err, flag.ErrHelp) {
		return c.help(cmd)
	}
	if err != nil {
		return &usageError{flagError(err), cmd.HelpName + " --help"}
	}
	call := cli.NewContext(app, set, nil)
	call.Context, call.Command = ctx, cmd
	return cmd.Action(call)
}

// commandOf returns the command that words start with, or nil, and the words
// behind its name. The command's HelpName is how it is called.
func commandOf(app *cli.App, words []string) (cmd *cli.Command, rest []string) {
	commands, name := app.Commands, app.Name
	for len(words) > 0 {
		next := commandNamed(commands, words[0])
		if next == nil {
			break
		}
		name += " " + next.Name
		cmd, commands, words = next, next.Subcommands, words[1:]
		cmd.HelpName = name
	}
	return cmd, words
}

func commandNamed(commands []*cli.Command, name string) *cli.Command {
	for _, cmd := range commands {
		if cmd.HasName(name) {
			return cmd
		}
	}
	return nil
}

// parseFlags parses what flagsFirst returned. It fails with flag.ErrHelp where
// help is asked for.
func parseFlags(cmd *cli.Command, args []string) (*flag.FlagSet, error) {
	set := flag.NewFlagSet(cmd.Name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	lists := map[string]*repeated{}
	for _, f := range cmd.Flags {
		if err := f.Apply(set); err != nil {
			return nil, err
		}
		if list, ok := f.(*cli.StringSliceFlag); ok {
			given := set.Lookup(list.Name)
			lists[list.Name] = &repeated{Value: given.Value}
			given.Value = lists[list.Name]
		}
	}
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	for name, list := range lists {
		set.Lookup(name).Value = list.read()
	}
	return set, agree(cmd.Flags, set)
}

// repeated is the value of a flag that may be given more than once, while flags
// are parsed: cli's own would split it at commas.
type repeated struct {
	flag.Value // what cli made, with the default
	given      []string
}

func (r *repeated) Set(v string) error {
	r.given = append(r.given, v)
	return nil
}

// read returns the value that cli reads.
func (r *repeated) read() flag.Value {
	if r.given == nil {
		return r.Value
	}
	return cli.NewStringSlice(r.given...)
}

// agree gives all names of a flag the value that one of them was given.
func agree(flags []cli.Flag, set *flag.FlagSet) error {
	values := map[string]string{}
	set.Visit(func(f *flag.Flag) { values[f.Name] = f.Value.String() })
	for _, f := range flags {
		for _, given := range f.Names() {
			value, ok := values[given]
			if !ok {
				continue
			}
			for _, name := range f.Names() {
				if _, ok := values[name]; ok {
					continue
				}
				if err := set.Set(name, value); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// flagError says in harden's words what package flag found.
func flagError(err error) error {
	text := strings.Replace(err.Error(), "flag provided but not defined: -", "unknown flag --", 1)
	return errors.New(strings.Replace(text, "flag needs an argument: -", "a value is missing after --", 1))
}
