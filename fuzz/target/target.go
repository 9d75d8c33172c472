// Package target lists the fuzz targets of this module and holds their
// dictionaries. It imports nothing of the module, so that build scripts and
// exports of the corpus can use it without the engines:
//
//	for _, t := range target.All() {
//		os.WriteFile(t.Name+".dict", target.Dictionary(t.Format), 0o644)
//	}
//
// The targets themselves are in the folders around it: see fuzz/README.md.
package target

import (
	"bytes"
	_ "embed"
)

//go:generate go run ./generate .

//go:embed gzip.dict
var gzipWords []byte

//go:embed msgpack.dict
var msgpackWords []byte

//go:embed json.dict
var jsonWords []byte

// A Target is one fuzz target.
type Target struct {
	// Name is that of its function in every wrapping: FuzzGzipMeasure.
	Name string
	// Format is the format of its inputs, "gzip", "msgpack" or "json": what
	// seeds and dictionary suit it. Empty where it takes any bytes.
	Format string
}

// All returns every target, those of one format together.
func All() []Target {
	return []Target{
		{"FuzzDeflateMeter", "gzip"},
		{"FuzzGzipChunks", "gzip"},
		{"FuzzGzipLimits", "gzip"},
		{"FuzzGzipMeasure", "gzip"},
		{"FuzzGzipPeek", "gzip"},
		{"FuzzGzipReader", "gzip"},
		{"FuzzGzipStructure", "gzip"},
		{"FuzzGzipTruncation", "gzip"},
		{"FuzzMsgpackChunks", "msgpack"},
		{"FuzzMsgpackDecode", "msgpack"},
		{"FuzzMsgpackLimits", "msgpack"},
		{"FuzzMsgpackMeasure", "msgpack"},
		{"FuzzMsgpackStream", "msgpack"},
		{"FuzzMsgpackStructure", "msgpack"},
		{"FuzzMsgpackTruncation", "msgpack"},
		{"FuzzTranscode", "msgpack"},
		{"FuzzJSONChunks", "json"},
		{"FuzzJSONCounts", "json"},
		{"FuzzJSONLimits", "json"},
		{"FuzzJSONMeasure", "json"},
		{"FuzzJSONTruncation", "json"},
		{"FuzzChains", ""},
		{"FuzzConfig", ""},
		{"FuzzExcerpt", ""},
		{"FuzzFilter", ""},
		{"FuzzInspect", ""},
		{"FuzzRenderers", ""},
		{"FuzzSift", ""},
	}
}

// Dictionary returns the words of a format in the syntax that AFL++ (-x) and
// libFuzzer (-dict) share, nil where there are none for it.
func Dictionary(format string) []byte {
	switch format {
	case "gzip":
		return bytes.Clone(gzipWords)
	case "msgpack":
		return bytes.Clone(msgpackWords)
	case "json":
		return bytes.Clone(jsonWords)
	}
	return nil
}
