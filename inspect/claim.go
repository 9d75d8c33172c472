package inspect

import (
	"path"
	"slices"
	"strings"
)

// claimOf returns the chain that a payload's name claims, the zero Chain where
// it claims none. What claims a format is judged as that format, never skipped.
func claimOf(name string) Chain {
	ext, gz := claimedBy(name)
	for _, f := range formats() {
		if !slices.Contains(f.claims, ext) {
			continue
		}
		if gz {
			return Chain{links: []link{{format: &gzipFormat}, {format: f}}}
		}
		return Chain{links: []link{{format: f}}}
	}
	return Chain{}
}

// claimsLines reports whether a payload's name claims one JSON text a line.
func claimsLines(name string) bool {
	ext, _ := claimedBy(name)
	return ext == ".ndjson" || ext == ".jsonl"
}

// claimsGzip reports whether a payload's name ends in .gz. Of what is inside
// that says nothing, so alone it is no claim to a format chain.
func claimsGzip(name string) bool {
	_, gz := claimedBy(name)
	return gz
}

// claimedBy returns the extension of name, and whether .gz stands behind it.
func claimedBy(name string) (ext string, gz bool) {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	stem, gz := strings.CutSuffix(base, ".gz")
	return path.Ext(stem), gz
}
