package config

import "github.com/harden-input/harden/inspect"

// Reported is what a report says of the file that was used, nil where none was.
func (r *Resolved) Reported() *inspect.ConfigFile {
	if r.File == nil {
		return nil
	}
	return &inspect.ConfigFile{Path: r.File.Path, SHA256: r.File.SHA256, Loosened: append([]string{}, r.Loosened...)}
}
