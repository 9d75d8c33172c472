package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst moves the flags in args, which follow cmd's name, before its paths,
// because package flag stops looking for flags at the first path. A "--" ends
// the flags.
func flagsFirst(cmd *cli.Command, args []string) ([]string, error) {
	if cmd.SkipFlagParsing {
		return append([]string{"--"}, args...), nil
	}
	takesValue := map[string]bool{}
	for _, f := range cmd.Flags {
		d, ok := f.(cli.DocGenerationFlag)
		for _, flag := range f.Names() {
			takesValue[flag] = ok && d.TakesValue()
		}
	}
	var flags, paths []string
	for rest := args; len(rest) > 0; rest = rest[1:] {
		arg := rest[0]
		if arg == "--" {
			paths = append(paths, rest[1:]...)
			break
		}
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			if strings.HasPrefix(cmd.ArgsUsage, "--") {
				why := "reads stdin and takes no path: redirect it with <, or write -- before a command"
				if cmd.Name == "probe" {
					why = "runs a command: write -- before it"
				}
				return nil, &usageError{fmt.Errorf("%s %s", cmd.Name, why), cmd.HelpName + " --help"}
			}
			paths = append(paths, arg)
			continue
		}
		flags = append(flags, arg)
		flag := strings.TrimLeft(arg, "-")
		if strings.Contains(flag, "=") || !takesValue[flag] {
			continue
		}
		if len(rest) == 1 {
			return nil, &usageError{fmt.Errorf("a value is missing after %s", arg), cmd.HelpName + " --help"}
		}
		flags = append(flags, rest[1])
		rest = rest[1:]
	}
	return append(append(flags, "--"), paths...), nil
}
