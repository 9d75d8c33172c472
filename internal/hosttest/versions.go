package hosttest

import (
	_ "embed"
	"strings"
)

//go:embed go.mod
var requirements string

// required returns the version of a module in go.mod, without the v.
func required(path string) string {
	_, after, _ := strings.Cut(requirements, path+" v")
	version, _, _ := strings.Cut(after, "\n")
	return version
}
