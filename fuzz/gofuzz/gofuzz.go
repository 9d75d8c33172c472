//go:build gofuzz

// Package gofuzz has the fuzz targets for dvyukov/go-fuzz and, through
// go-fuzz-build -libfuzzer, for libFuzzer and the services that run it. The
// folder holds nothing else: OSS-Fuzz looks a target up by the text of its name
// in all files below a folder, and must find one.
package gofuzz

import "github.com/harden-input/harden/fuzz"

func FuzzDeflateMeter(data []byte) int { return fuzz.DeflateMeter(data) }

func FuzzGzipChunks(data []byte) int { return fuzz.GzipChunks(data) }

func FuzzGzipLimits(data []byte) int { return fuzz.GzipLimits(data) }

func FuzzGzipMeasure(data []byte) int { return fuzz.GzipMeasure(data) }

func FuzzGzipPeek(data []byte) int { return fuzz.GzipPeek(data) }

func FuzzGzipReader(data []byte) int { return fuzz.GzipReader(data) }

func FuzzGzipStructure(data []byte) int { return fuzz.GzipStructure(data) }

func FuzzGzipTruncation(data []byte) int { return fuzz.GzipTruncation(data) }

func FuzzMsgpackChunks(data []byte) int { return fuzz.MsgpackChunks(data) }

func FuzzMsgpackDecode(data []byte) int { return fuzz.MsgpackDecode(data) }

func FuzzMsgpackLimits(data []byte) int { return fuzz.MsgpackLimits(data) }

func FuzzMsgpackMeasure(data []byte) int { return fuzz.MsgpackMeasure(data) }

func FuzzMsgpackStream(data []byte) int { return fuzz.MsgpackStream(data) }

func FuzzMsgpackStructure(data []byte) int { return fuzz.MsgpackStructure(data) }

func FuzzMsgpackTruncation(data []byte) int { return fuzz.MsgpackTruncation(data) }

func FuzzTranscode(data []byte) int { return fuzz.Transcode(data) }

func FuzzJSONChunks(data []byte) int { return fuzz.JSONChunks(data) }

func FuzzJSONCounts(data []byte) int { return fuzz.JSONCounts(data) }

func FuzzJSONLimits(data []byte) int { return fuzz.JSONLimits(data) }

func FuzzJSONMeasure(data []byte) int { return fuzz.JSONMeasure(data) }

func FuzzJSONTruncation(data []byte) int { return fuzz.JSONTruncation(data) }

func FuzzChains(data []byte) int { return fuzz.Chains(data) }

func FuzzConfig(data []byte) int { return fuzz.Config(data) }

func FuzzExcerpt(data []byte) int { return fuzz.Excerpt(data) }

func FuzzFilter(data []byte) int { return fuzz.Filter(data) }

func FuzzInspect(data []byte) int { return fuzz.Inspect(data) }

func FuzzRenderers(data []byte) int { return fuzz.Renderers(data) }

func FuzzSift(data []byte) int { return fuzz.Sift(data) }
