package inspect

import (
	"github.com/harden-input/harden/gzipcheck"
	"github.com/harden-input/harden/jsoncheck"
	"github.com/harden-input/harden/msgpackcheck"
	"github.com/harden-input/harden/rule"
)

//go:generate go run ../internal/docgen ../docs

// Rules returns every rule that a report can name: those of inspect itself,
// then those of each format.
func Rules() []rule.Rule {
	all := []rule.Rule{
		inputEmpty, inputUnrecognised, inputUnreadable, inputTime, inputSandbox,
		formatMismatch, inputSize, inputLayers, inputDecompressedSize, inputRecordSize,
	}
	all = append(all, gzipcheck.Rules...)
	all = append(all, jsoncheck.Rules...)
	return append(all, msgpackcheck.Rules...)
}

var (
	inputEmpty = rule.Rule{
		ID: "input/empty", Default: rule.Error, Kind: rule.Unjudged, Undecided: true, Stops: true,
		Title: "there is nothing to judge",
		Why: "An empty input is what a failed download or a broken pipe leaves behind. A gate that calls it clean " +
			"passes whenever the step before it fails.",
		Fix:        "Look at what should have produced the payload.",
		References: []string{"https://github.com/yannh/kubeconform/issues/228"},
	}
	inputUnrecognised = rule.Rule{
		ID: "input/unrecognised", Default: rule.Error, Kind: rule.Unjudged, Undecided: true, Stops: true,
		Title: "the payload is in no format that can be inspected",
		Why:   "What was not looked at cannot be called clean.",
		Fix:   "Name the format with --as if it is one that harden knows; else leave the payload out.",
	}
	inputUnreadable = rule.Rule{
		ID: "input/unreadable", Default: rule.Error, Kind: rule.Unjudged, Undecided: true, Stops: true,
		Title: "the payload could not be read to its end",
		Why:   "Missing, not permitted, failed half way, or changed while it was read: what was not read was not judged.",
		Fix:   "Look at the error in the message, and run again.",
	}
	inputTime = rule.Rule{
		ID: "input/time", Default: rule.Error, Kind: rule.Limit, Undecided: true, Stops: true, LimitKey: "input.max-time",
		Title: "the time for one payload ran out",
		Why:   "Either the payload is very large or its source is slow. It was not judged to the end.",
		Fix:   "Raise input.max-time, or lower the size limits so that such a payload is refused early.",
		CWE:   []int{400},
	}
	inputSandbox = rule.Rule{
		ID: "input/sandbox", Default: rule.Error, Kind: rule.Unjudged, Undecided: true, Stops: true,
		Title: "the sandbox that judged the payload broke",
		Why: "The instance trapped, ran out of its memory or gave no report that makes sense. Only this payload is " +
			"concerned: the instance was thrown away, and every other payload had one of its own.",
		Fix: "Give the sandbox more memory where the message says that it had too little; else treat the payload as " +
			"hostile and report it: no payload should be able to do that.",
	}
	formatMismatch = rule.Rule{
		ID: "input/format-mismatch", Default: rule.Error, Kind: rule.Malformed, Stops: true,
		Title: "the payload is not in the format that it is said to be in",
		Why: "A check that guesses another format than the consumer uses checks nothing: the gate and the consumer " +
			"must agree on what the bytes are.",
		Fix: "Refuse the payload, or correct --as or the file's name.",
		CWE: []int{436, 646},
	}
	inputSize = rule.Rule{
		ID: "input/size", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: "input.max-size",
		Title: "the payload itself is larger than allowed",
		Why:   "The cheapest limit of all: what is too large is refused before it is read.",
		Fix:   "Refuse the payload, or raise input.max-size.",
		CWE:   []int{770},
	}
	inputLayers = rule.Rule{
		ID: "input/layers", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: "input.max-layers",
		Title: "more compressed layers inside each other than allowed",
		Why: "Each layer multiplies what the one inside can reach: 243 bytes hold 64 MiB in three layers, and a file " +
			"can contain itself without end.",
		Fix:        "Refuse the payload, or raise input.max-layers (never above 16).",
		CWE:        []int{409, 674},
		References: []string{"https://github.com/libarchive/libarchive/issues/660", "CVE-2025-66418"},
	}
	inputDecompressedSize = rule.Rule{
		ID: "input/decompressed-size", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: "input.max-decompressed-size",
		Title: "the content of all layers together is longer than allowed",
		Why:   "A limit for each layer alone lets nested layers add up.",
		Fix:   "Refuse the payload, or raise input.max-decompressed-size.",
		CWE:   []int{409},
	}
	inputRecordSize = rule.Rule{
		ID: "input/record-size", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: "input.max-record-size",
		Title: "a record of a stream is longer than allowed",
		Why:   "Consumers hold one record at a time. A stream without a line end is one record without end.",
		Fix:   "Refuse the record, or raise input.max-record-size.",
		CWE:   []int{770},
	}
)
