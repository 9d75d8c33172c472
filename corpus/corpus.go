// Package corpus holds payloads that hurt decoders, payloads that are broken and
// payloads that are odd but honest, each with the verdict it must get:
//
//	for _, c := range corpus.All() {
//		payload := c.Open()
//		verdict, err := judge(c.FileName(), payload)
//		payload.Close()
//		…
//	}
//
// A [Case] is data: where the payload comes from, what it declares, what it
// costs those who believe it, and the bytes, written by internal/forge so that
// they never change with a compressor's release. Seeds of up to [SeedSize]
// bytes are also files beside this one ([Seeds]) for those who do not use Go;
// larger ones are made when they are read, in constant memory.
//
// README.md says how to add a case. [Export] lays cases out for fuzzers.
package corpus

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"
)

//go:generate go run ./internal/generate

// SeedSize is how many bytes a seed on disk has at most.
const SeedSize = 4096

// A Case is one payload and what must be said of it.
type Case struct {
	// ID is stable and starts with the outermost format: "gzip/isize-4g".
	ID string
	// Chain names the layers from the outside in: "gzip+json". Empty means
	// the ID's format alone. The file name claims it by its extension.
	Chain string
	// Story says what the payload is and whom it hurts.
	Story string
	// Declares is what the payload says of itself, Costs what that costs a
	// decoder without limits; either may be empty.
	Declares, Costs string
	Kind            Kind
	// Verdict and Rules are what inspect says of a file of this name and
	// content under the default profile: Rules are the violations of every
	// severity, sorted, each once.
	Verdict Verdict
	Rules   []string
	// CWE lists weakness numbers, References public documents.
	CWE        []int
	References []string
	// Large marks a payload above SeedSize: it is no file, and is made while
	// it is read.
	Large bool
	// Payload writes the bytes.
	Payload io.WriterTo
}

// Kind says what a payload is up to.
type Kind string

// The kinds of cases.
const (
	// Hostile payloads cost their reader far more than their sender.
	Hostile Kind = "hostile"
	// Malformed payloads break their format, as transport, bugs or attacks do.
	Malformed Kind = "malformed"
	// Benign payloads are to be accepted, odd as they look.
	Benign Kind = "benign"
)

// Verdict is the judgement a payload must get.
type Verdict string

// The verdicts.
const (
	Clean     Verdict = "clean"
	Rejected  Verdict = "rejected"
	Undecided Verdict = "undecided"
)

// All returns every case, sorted by ID.
func All() []Case {
	cases := slices.Concat(
		gzipTrailers(), gzipHeaders(), gzipMembers(), gzipBlocks(), gzipCodes(), gzipCuts(), gzipCosts(), gzipHonest(),
		gzipJSON(), gzipMsgpack(), gzipLayers(),
		msgpackPromises(), msgpackCuts(), msgpackValues(), msgpackHonest(),
		jsonCosts(), jsonSyntax(), jsonHonest(),
	)
	slices.SortFunc(cases, func(a, b Case) int { return strings.Compare(a.ID, b.ID) })
	return cases
}

// large returns c as a case that is made while it is read.
func large(c Case) Case {
	c.Large = true
	return c
}

// Format returns the outermost format: "gzip", "json" or "msgpack".
func (c Case) Format() string {
	format, _, _ := strings.Cut(c.ID, "/")
	return format
}

// Layers returns the formats from the outside in.
func (c Case) Layers() []string {
	if c.Chain == "" {
		return []string{c.Format()}
	}
	return strings.Split(c.Chain, "+")
}

// FileName returns the slash-separated name of the case as a file: its ID and
// the extensions of its layers from the inside out, "gzip/depth.json.gz".
func (c Case) FileName() string {
	name := c.ID
	for _, layer := range slices.Backward(c.Layers()) {
		if layer == "gzip" {
			layer = "gz"
		}
		name += "." + layer
	}
	return name
}

// WriteTo writes the payload.
func (c Case) WriteTo(w io.Writer) (int64, error) { return c.Payload.WriteTo(w) }

// Open returns the payload. A large one is made while it is read; Close ends
// that early. Errors of making it come out of Read.
func (c Case) Open() io.ReadCloser {
	if !c.Large {
		var b bytes.Buffer
		if _, err := c.WriteTo(&b); err != nil {
			return io.NopCloser(failedReader{err})
		}
		return io.NopCloser(&b)
	}
	r, w := io.Pipe()
	go func() {
		b := bufio.NewWriterSize(w, 64<<10)
		_, err := c.WriteTo(b)
		if err == nil {
			err = b.Flush()
		}
		w.CloseWithError(err)
	}()
	return r
}

type failedReader struct{ err error }

func (f failedReader) Read([]byte) (int, error) { return 0, f.err }
