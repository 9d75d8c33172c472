package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst moves the flags of a command line before its paths, because cli
// stops looking for flags at the first path. A "--" ends the flags.
func flagsFirst(app *cli.App, args []string) ([]string, error) {
	if len(args) < 2 {
		return args, nil
	}
	cmd := app.Command(args[1])
	if cmd == nil {
		return args, nil
	}
	takesValue := map[string]bool{}
	for _, f := range cmd.Flags {
		d, ok := f.(cli.DocGenerationFlag)
		for _, name := range f.Names() {
			takesValue[name] = ok && d.TakesValue()
		}
	}
	flags, paths := append([]string{}, args[:2]...), []string{}
	for rest := args[2:]; len(rest) > 0; rest = rest[1:] {
		arg := rest[0]
		if arg == "--" {
			paths = append(paths, rest[1:]...)
			break
		}
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			if strings.HasPrefix(cmd.ArgsUsage, "--") {
				return nil, &usageError{fmt.Errorf("%s reads stdin and takes no path: redirect it with <, or write -- before a command", cmd.Name), "harden " + cmd.Name + " --help"}
			}
			paths = append(paths, arg)
			continue
		}
		flags = append(flags, arg)
		name := strings.TrimLeft(arg, "-")
		if strings.Contains(name, "=") || !takesValue[name] {
			continue
		}
		if len(rest) == 1 {
			return nil, &usageError{fmt.Errorf("a value is missing after %s", arg), "harden " + cmd.Name + " --help"}
		}
		flags = append(flags, rest[1])
		rest = rest[1:]
	}
	return append(append(flags, "--"), paths...), nil
}
