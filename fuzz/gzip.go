package fuzz

import (
	"bytes"
	"errors"
	"io"
	"sync"

	kgzip "github.com/klauspost/compress/gzip"

	"github.com/harden-input/harden/gzipcheck"
	"github.com/harden-input/harden/rule"
)

// gzipLimits keep what one input can cost small.
var gzipLimits = gzipcheck.Limits{MaxDecompressedSize: 64 << 10, MaxHeaderSize: 64 << 10}

func gzipList(m *gzipcheck.Measurement) *rule.List { return &m.Violations }

// GzipMeasure holds that what Measure finds clean is what decoders make of it,
// ours and klauspost's: the same length, and nothing that they refuse or that
// we refuse and they take.
func GzipMeasure(data []byte) int {
	m, err := gzipcheck.Measure(data, gzipLimits)
	completeness(m.Complete, &m.Violations)
	out, decodeErr := gzipcheck.NewDecoder(gzipLimits).Decode(nil, data)
	var v *rule.Violation
	switch {
	case err != nil && decodeErr == nil:
		broken("Decode takes what Measure refuses: %v", err)
	case err != nil:
		sameError("Decode", err, decodeErr)
	case errors.As(decodeErr, &v) && v.Rule.ID == "gzip/crc-mismatch":
	case decodeErr != nil:
		broken("Measure found nothing, Decode %v", decodeErr)
	case m.Decompressed != uint64(len(out)):
		broken("measured %d bytes, decoded %d", m.Decompressed, len(out))
	}
	gunzipped, ended, peerErr := gunzip(data)
	switch {
	case decodeErr == nil && m.TrailingZeros == 0 && peerErr != nil && !errors.Is(peerErr, kgzip.ErrHeader):
		// klauspost knows no padding, and no name of more than 511 bytes.
		broken("klauspost refuses %d bytes that were decoded: %v", len(out), peerErr)
	case decodeErr == nil && peerErr == nil && !bytes.Equal(out, gunzipped):
		broken("klauspost decodes %d bytes, we decode %d others", len(gunzipped), len(out))
	case decodeErr != nil && peerErr == nil && ended && !overLimit(decodeErr):
		broken("klauspost decodes %d bytes, we say %v", len(gunzipped), decodeErr)
	}
	return worth(m.Decompressed > 0)
}

// overLimit reports whether a payload was refused for its cost alone.
func overLimit(err error) bool {
	var v *rule.Violation
	return errors.As(err, &v) && v.Rule.Kind == rule.Limit
}

// A gunzipper is what klauspost needs to decode.
type gunzipper struct {
	reader kgzip.Reader
	src    bytes.Reader
	out    bytes.Buffer
}

var gunzippers = sync.Pool{New: func() any { return new(gunzipper) }}

// gunzip decodes with klauspost's gzip, of the output no more than twice what
// gzipLimits allow; ended says that this was all of it.
func gunzip(data []byte) (out []byte, ended bool, err error) {
	g := gunzippers.Get().(*gunzipper)
	defer gunzippers.Put(g)
	g.src.Reset(data)
	g.out.Reset()
	if err := g.reader.Reset(&g.src); err != nil {
		return nil, false, err
	}
	n, err := io.CopyN(&g.out, &g.reader, 2*int64(gzipLimits.MaxDecompressedSize))
	if err == io.EOF {
		return bytes.Clone(g.out.Bytes()), true, nil
	}
	return bytes.Clone(g.out.Bytes()[:n]), false, err
}

// GzipPeek holds that Peek blames a payload for nothing that Measure takes, and
// tells of a single member what Measure finds true.
func GzipPeek(data []byte) int {
	p, err := gzipcheck.Peek(bytes.NewReader(data), int64(len(data)))
	m, measureErr := gzipcheck.Measure(data, gzipcheck.Limits{})
	switch {
	case p.HeaderSize > int64(len(data)):
		broken("a header of %d bytes in %d", p.HeaderSize, len(data))
	case err != nil && measureErr == nil:
		broken("Peek: %v, Measure takes it", err)
	case p.ProvablyForged && measureErr == nil:
		broken("ISIZE %d is provably forged, and Measure takes it", p.ISIZE)
	case measureErr == nil && m.Members == 1 && m.TrailingZeros == 0 && (p.ISIZE != uint32(m.Decompressed) || p.Bound < m.Decompressed):
		broken("ISIZE %d, bound %d, measured %d", p.ISIZE, p.Bound, m.Decompressed)
	}
	return worth(measureErr == nil)
}

// GzipChunks holds that verdict, rules, offsets and counts do not depend on how
// the bytes arrive.
func GzipChunks(data []byte) int {
	r := draw(data)
	lim := gzipLimits
	if r.IntN(2) == 0 {
		lim = drawLimits(r, gzipcheck.LimitTable())
	}
	want, wantErr := gzipcheck.Measure(data, lim)
	for how, src := range map[string]io.Reader{"bytewise": bytewise(data), "piecewise": piecewise(data, r)} {
		m, err := gzipcheck.MeasureReader(src, int64(len(data)), lim)
		sameError(how, wantErr, err)
		same(how, want, m, gzipList)
	}
	m, err := gzipcheck.MeasureReader(piecewise(data, r), -1, lim)
	if want.Complete != m.Complete || (wantErr == nil) != (err == nil) {
		broken("of unknown size: %v, not %v", err, wantErr)
	}
	return worth(want.Decompressed > 0)
}

// readGzip reads all that a Reader gives.
func readGzip(src io.Reader, lim gzipcheck.Limits, all bool) ([]byte, gzipcheck.Measurement, error) {
	z := gzipcheck.NewReader(src, lim)
	defer z.Close()
	z.CollectAll(all)
	out, err := io.ReadAll(z)
	return out, z.Measurement(), err
}

// GzipReader holds that Reader sees what Measure sees and gives what Decoder
// gives, in whatever pieces its source delivers.
func GzipReader(data []byte) int {
	r := draw(data)
	want, wantErr := gzipcheck.Measure(data, gzipLimits)
	decoded, decodeErr := gzipcheck.NewDecoder(gzipLimits).Decode(nil, data)
	out, _, err := readGzip(bytes.NewReader(data), gzipLimits, false)
	switch {
	case decodeErr == nil && err != nil:
		broken("Reader: %v, Decoder takes it", err)
	case decodeErr == nil && !bytes.Equal(decoded, out):
		broken("Reader gives %d bytes, Decoder %d others", len(out), len(decoded))
	case decodeErr != nil && err == nil:
		broken("Reader takes what Decoder refuses: %v", decodeErr)
	}
	all, m, err := readGzip(piecewise(data, r), gzipLimits, true)
	again, other, otherErr := readGzip(bytewise(data), gzipLimits, true)
	sameError("Reader of everything, bytewise", err, otherErr)
	same("Reader of everything, bytewise", m, other, gzipList)
	if !bytes.Equal(all, again) {
		broken("Reader of everything gives %d bytes, bytewise %d", len(all), len(again))
	}
	if m.Violations.Count("gzip/crc-mismatch") == 0 {
		if a, b := findings(&want.Violations), findings(&m.Violations); a != b || want.Complete != m.Complete {
			broken("Reader found %s\nMeasure %s, %v", b, a, wantErr)
		}
	}
	return worth(want.Decompressed > 0)
}

// GzipTruncation holds that a part of a payload is never clean, unless that part
// decodes as well: it ends where a member does.
func GzipTruncation(data []byte) int {
	if _, err := gzipcheck.Measure(data, gzipLimits); err != nil {
		return ordinary
	}
	r := draw(data)
	for _, n := range prefixes(r, len(data)) {
		m, err := gzipcheck.Measure(data[:n], gzipLimits)
		if err != nil {
			continue
		}
		if _, _, peerErr := gunzip(data[:n]); m.TrailingZeros == 0 && errors.Is(peerErr, io.ErrUnexpectedEOF) {
			broken("the first %d of %d bytes are clean, but truncated for klauspost", n, len(data))
		}
	}
	return interesting
}

// prefixes returns lengths at which to cut n bytes: all of a short input, those
// near the ends of a long one and some between them.
func prefixes(r interface{ IntN(int) int }, n int) []int {
	const near = 24
	var cuts []int
	for i := range n {
		if n <= 8*near || i < near || i >= n-near {
			cuts = append(cuts, i)
		}
	}
	if n > 8*near {
		for range near {
			cuts = append(cuts, r.IntN(n))
		}
	}
	return cuts
}

// GzipLimits holds that lower limits refuse no less, and that limits are exact.
func GzipLimits(data []byte) int {
	r := draw(data)
	table := gzipcheck.LimitTable()
	measure := func(lim gzipcheck.Limits) error {
		_, err := gzipcheck.Measure(data, lim)
		return err
	}
	monotone(r, table, drawLimits(r, table), measure)
	m, err := gzipcheck.Measure(data, gzipcheck.Limits{})
	if err != nil {
		return ordinary
	}
	exact(table, map[string]uint64{
		"gzip.max-decompressed-size": m.Decompressed,
		"gzip.max-members":           m.Members,
		"gzip.max-header-size":       m.LargestHeader,
	}, measure)
	return interesting
}
