// Package gzipcheck tells what a gzip file (RFC 1952) would cost to decompress
// and whether it lies about it, before anything is decompressed.
//
// [Measure] is the place to start. It walks the members of a payload without
// producing their content, in constant memory, and returns exact sizes:
//
//	m, err := gzipcheck.Measure(payload, gzipcheck.DefaultLimits())
//	if err != nil {
//		return err // a *rule.Violation: forged, malformed, cut off or over a limit
//	}
//	buf := make([]byte, 0, m.Decompressed)
//
// A [Decoder] does that and then inflates into one allocation of exactly the
// measured size, verifying every CRC-32. [NewReader] enforces the same limits
// on a stream whose length is not known. [Peek] looks at header and trailer
// only.
//
// # What is trusted
//
// Nothing. The trailer's ISIZE is compared with the true length, never used as
// a size. A limit of zero is no limit; [DefaultLimits] suits requests from
// strangers of up to 128 MiB.
//
// # What Measure cannot see
//
// The CRC-32 covers the decompressed bytes, which Measure never makes: a wrong
// checksum is found by Decoder and Reader alone. Apart from that, what Measure
// finds clean decodes to exactly the measured length.
package gzipcheck
