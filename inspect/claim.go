package inspect

import (
	"path"
	"slices"
	"strings"
)

// claimOf returns the chain that a payload's name claims, the zero Chain where
// it claims none. What claims a format is judged as that format, never skipped.
func claimOf(name string) Chain {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	stem, gz := strings.CutSuffix(base, ".gz")
	for _, f := range formats() {
		if !slices.Contains(f.claims, path.Ext(stem)) {
			continue
		}
		if gz {
			return Chain{links: []link{{format: &gzipFormat}, {format: f}}}
		}
		return Chain{links: []link{{format: f}}}
	}
	return Chain{}
}
