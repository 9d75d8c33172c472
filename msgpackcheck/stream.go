package msgpackcheck

import "io"

// A Stream decodes values that follow each other without anything between
// them, with the limits of its [Decoder] for each.
//
//	st := d.Stream(r)
//	defer st.Close()
//	for st.Next() {
//		v, err := st.Value()
//		…
//	}
//	if err := st.Err(); err != nil {
//		return err
//	}
//
// A record that cannot be decoded, and whose end is known (it holds a duplicate
// key, say), is followed by the next one. One whose end is not known is the last.
type Stream struct {
	d       *Decoder
	records Scanner
	whole   []byte // the source, if it is a slice
	b       builder
	value   any
	err     error
}

// Stream returns a Stream over r. Nothing is read from it before Next.
func (d *Decoder) Stream(r io.Reader) *Stream {
	st := &Stream{d: d, records: Scanner{s: newScan(nil, r, -1, d.limits())}}
	st.records.s.sink, st.records.s.unhurried = &st.b, true
	return st
}

// StreamBytes returns a Stream over src. Each record is measured before it is
// decoded.
func (d *Decoder) StreamBytes(src []byte) *Stream {
	return &Stream{d: d, whole: src, records: Scanner{s: newScan(src, nil, 0, d.limits())}}
}

// Next goes to the next record and decodes it. It returns false where there is
// none.
func (st *Stream) Next() bool {
	st.b = builder{d: st.d}
	st.value, st.err = nil, nil
	if !st.records.Next() {
		return false
	}
	m := &st.records.m
	switch {
	case st.records.s.sink != nil:
		st.value, st.err = st.b.result(st.records.s)
	case m.Violations.Err() != nil:
		st.err = m.Violations.Err()
	default:
		at := st.records.at
		st.value, st.err = st.d.tree(st.whole[at:at+int64(m.Consumed)], at)
	}
	st.b = builder{}
	return true
}

// Value returns the record that Next found, or why it could not be decoded.
func (st *Stream) Value() (any, error) { return st.value, st.err }

// Offset returns where in the input the record starts.
func (st *Stream) Offset() int64 { return st.records.Offset() }

// Err returns why the records ended before the input did; see [Scanner.Err].
func (st *Stream) Err() error { return st.records.Err() }

// Close ends the stream, which finds no further record. It does not close the
// reader.
func (st *Stream) Close() { st.records.Close() }
