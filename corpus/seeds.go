package corpus

import (
	"embed"
	"io/fs"
)

//go:embed manifest.json gzip json msgpack
var seeds embed.FS

// Seeds returns the cases that are not large as files under their
// [Case.FileName], and manifest.json, which describes every case, for readers
// in any language. README.md says what its fields mean.
func Seeds() fs.FS { return seeds }
