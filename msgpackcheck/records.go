package msgpackcheck

import "io"

// A Scanner measures values that follow each other without anything between
// them, one record after the other, with limits for each and in memory that
// does not depend on any.
//
//	s := msgpackcheck.NewScanner(r, -1, msgpackcheck.DefaultLimits())
//	defer s.Close()
//	for s.Next() {
//		m := s.Measurement()
//		fmt.Println(s.Offset(), m.Consumed, m.Violations.Err())
//	}
//	if err := s.Err(); err != nil {
//		return err
//	}
//
// A record that breaks a rule without stopping the pass is followed by the
// next one. Where the end of a record is not known, because it breaks a rule
// that stops or the reader failed, nothing after it can be found: it is the last.
type Scanner struct {
	s       *scan
	at      int64
	m       Measurement
	err     error
	stopped bool
}

// NewScanner returns a Scanner over r. size is that of all records together, or
// −1 where it is not known; see [MeasureReader].
func NewScanner(r io.Reader, size int64, lim Limits) *Scanner {
	return &Scanner{s: newScan(nil, r, size, lim)}
}

// NewScannerBytes returns a Scanner over src.
func NewScannerBytes(src []byte, lim Limits) *Scanner {
	return &Scanner{s: newScan(src, nil, 0, lim)}
}

// Next measures the next record. It returns false where there is none: at the
// end of input, after a record whose end is unknown, and after Close.
func (r *Scanner) Next() bool {
	if r.s == nil || r.stopped || !r.s.need(1) {
		r.halt()
		return false
	}
	r.s.start()
	r.at = r.s.offset()
	r.s.value()
	r.m = r.s.m
	if !r.m.Complete {
		r.halt()
		if r.err == nil {
			r.err = r.m.Violations.Err()
		}
	}
	return true
}

// halt makes this the end, and notes what the reader said.
func (r *Scanner) halt() {
	r.stopped = true
	if r.s != nil && r.err == nil {
		r.err = r.s.err
	}
}

// Measurement returns what was measured of the record that Next found. Offsets
// of violations count from the start of the input. Complete says that the record
// ended: if not, it is the last.
func (r *Scanner) Measurement() Measurement { return r.m }

// Offset returns where in the input the record starts; it is
// Measurement().Consumed bytes long.
func (r *Scanner) Offset() int64 { return r.at }

// Err returns why the records ended before the input did: the error of the
// reader, wrapped, or the violation that stopped the last record. At the end
// of input it is nil.
func (r *Scanner) Err() error { return r.err }

// Close lets others use the memory of r, which finds no further record. It
// does not close the reader.
func (r *Scanner) Close() {
	if r.s != nil {
		r.halt()
		r.s.free()
		r.s = nil
	}
}
