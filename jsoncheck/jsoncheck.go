// Package jsoncheck tells what a JSON text would cost to decode, without
// decoding it, and whether it is JSON at all.
//
// One pass checks all of RFC 8259, UTF-8 included, counts against [Limits],
// and fills a [Measurement]. It builds nothing, does not recurse, and
// allocates nothing while the text is clean:
//
//	m, err := jsoncheck.Measure(body, jsoncheck.DefaultLimits())
//	if err != nil {
//		return err // json/depth at byte 500: arrays and objects are nested …
//	}
//	log.Printf("%d values, about %d bytes of memory", m.Values(), m.DecodedSize)
//	return json.Unmarshal(body, &v)
//
// [MeasureReader] makes the same pass over a stream and finds the same, in
// memory that depends on neither its length nor what it claims. A [Scanner]
// measures many small texts, such as the lines of a log.
//
// What Go decodes but others read differently (a name twice in an object, half
// of a surrogate pair) is looked for where [Limits.Checks] asks for it, and is
// a violation without being an error: look at [Measurement.Violations].
package jsoncheck

import "io"

// Measure makes one pass over src, which is to hold one JSON text.
//
// The error is the first violation of a rule whose default severity is error,
// a *rule.Violation, or nil. The measurement is filled as far as the pass got,
// and holds all violations found, warnings included. The zero Limits limit
// nothing. src is not changed, and not kept.
func Measure(src []byte, lim Limits) (Measurement, error) {
	s := pool.Get().(*scanner)
	m, err := s.measure(src, nil, -1, &lim)
	pool.Put(s)
	return m, err
}

// MeasureReader is [Measure] over all that r delivers, up to io.EOF. It finds
// the same as Measure would, whatever the sizes of the reads are, in at most
// 512 KiB, 8 bytes for each level of nesting, and 32 to 46 bytes for each name
// that the checks for duplicates track. As names are gone by the time another
// one has the same 64-bit hash, n tracked names give a false duplicate with
// odds of n²/2⁶⁵.
//
// size is the number of bytes r holds, -1 where it is not known. JSON states
// no sizes that could be held against it: it saves reading into more memory
// than a short text needs.
//
// An error of r other than io.EOF is returned wrapped: the text was then not
// judged, and the measurement is not complete.
func MeasureReader(r io.Reader, size int64, lim Limits) (Measurement, error) {
	s := pool.Get().(*scanner)
	m, err := s.measure(nil, r, size, &lim)
	pool.Put(s)
	return m, err
}

// A Scanner measures one text after another under the same limits, in memory
// that it keeps: records of a stream cost no allocation, and no clearing of
// what a larger record needed before. The limits hold for each text by itself.
// A Scanner must not be used by two goroutines at once.
type Scanner struct {
	limits Limits
	s      scanner
}

// NewScanner returns a Scanner of texts under lim.
func NewScanner(lim Limits) *Scanner { return &Scanner{limits: lim} }

// Measure is the function [Measure] under the limits of sc.
func (sc *Scanner) Measure(src []byte) (Measurement, error) {
	return sc.s.measure(src, nil, -1, &sc.limits)
}

// MeasureReader is the function [MeasureReader] under the limits of sc. For
// the lines of a stream, r is to end where the line does.
func (sc *Scanner) MeasureReader(r io.Reader, size int64) (Measurement, error) {
	return sc.s.measure(nil, r, size, &sc.limits)
}
