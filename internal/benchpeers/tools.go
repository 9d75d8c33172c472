package main

import "strings"

// A tool is a program and the arguments that make it test the file named last.
type tool struct {
	name string
	path string
	args []string
	// install is the Debian package that has it.
	install string
}

// command is how a user would write the call.
func (t tool) command() string { return strings.Join(append([]string{t.name}, t.args...), " ") }

// peers are the testers to compare with.
func peers() []tool {
	return []tool{
		{name: "gzip", args: []string{"-t"}, install: "gzip"},
		{name: "pigz", args: []string{"-t"}, install: "pigz"},
		{name: "igzip", args: []string{"-t"}, install: "isal"},
		{name: "libdeflate-gzip", args: []string{"-t"}, install: "libdeflate-tools"},
	}
}

// findPeers looks the peers up and returns those that are there and those that
// are not.
func findPeers(lookPath func(string) (string, error)) (found, missing []tool) {
	for _, t := range peers() {
		path, err := lookPath(t.name)
		if err != nil {
			missing = append(missing, t)
			continue
		}
		t.path = path
		found = append(found, t)
	}
	return found, missing
}
