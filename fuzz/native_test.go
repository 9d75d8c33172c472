package fuzz

import "testing"

// The targets for go test -fuzz. What each holds is written at its body.

func FuzzDeflateMeter(f *testing.F) { run(f, DeflateMeter) }

func FuzzGzipChunks(f *testing.F) { run(f, GzipChunks) }

func FuzzGzipLimits(f *testing.F) { run(f, GzipLimits) }

func FuzzGzipMeasure(f *testing.F) { run(f, GzipMeasure) }

func FuzzGzipPeek(f *testing.F) { run(f, GzipPeek) }

func FuzzGzipReader(f *testing.F) { run(f, GzipReader) }

func FuzzGzipStructure(f *testing.F) { run(f, GzipStructure) }

func FuzzGzipTruncation(f *testing.F) { run(f, GzipTruncation) }

func FuzzMsgpackChunks(f *testing.F) { run(f, MsgpackChunks) }

func FuzzMsgpackDecode(f *testing.F) { run(f, MsgpackDecode) }

func FuzzMsgpackLimits(f *testing.F) { run(f, MsgpackLimits) }

func FuzzMsgpackMeasure(f *testing.F) { run(f, MsgpackMeasure) }

func FuzzMsgpackStream(f *testing.F) { run(f, MsgpackStream) }

func FuzzMsgpackStructure(f *testing.F) { run(f, MsgpackStructure) }

func FuzzMsgpackTruncation(f *testing.F) { run(f, MsgpackTruncation) }

func FuzzTranscode(f *testing.F) { run(f, Transcode) }

func FuzzJSONChunks(f *testing.F) { run(f, JSONChunks) }

func FuzzJSONCounts(f *testing.F) { run(f, JSONCounts) }

func FuzzJSONLimits(f *testing.F) { run(f, JSONLimits) }

func FuzzJSONMeasure(f *testing.F) { run(f, JSONMeasure) }

func FuzzJSONTruncation(f *testing.F) { run(f, JSONTruncation) }

func FuzzChains(f *testing.F) { run(f, Chains) }

func FuzzConfig(f *testing.F) { run(f, Config) }

func FuzzExcerpt(f *testing.F) { run(f, Excerpt) }

func FuzzFilter(f *testing.F) { run(f, Filter) }

func FuzzInspect(f *testing.F) { run(f, Inspect) }

func FuzzRenderers(f *testing.F) { run(f, Renderers) }

func FuzzSift(f *testing.F) { run(f, Sift) }
