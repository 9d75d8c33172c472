package fuzz

import (
	"fmt"

	"github.com/harden-input/harden/msgpackcheck"
)

// MsgpackStream holds that values in a row are found one behind the other, each
// as it is alone, in whatever pieces they arrive, and decoded by Stream to what
// Decode makes of each.
func MsgpackStream(data []byte) int {
	r := draw(data)
	lim := msgpackLimits
	lim.Checks = msgpackcheck.AllChecks
	whole := scanned(msgpackcheck.NewScannerBytes(data, lim))
	at, clean := int64(0), 0
	for _, rec := range whole {
		if rec.offset != at {
			broken("a record starts at %d, the one before ends at %d", rec.offset, at)
		}
		end := at + int64(rec.m.Consumed)
		if rec.m.Complete {
			alone, err := msgpackcheck.Measure(data[at:end], lim)
			if !alone.Complete || (err == nil) != (rec.m.Violations.Err() == nil) || alone.Values != rec.m.Values {
				broken("bytes %d to %d: %s\nalone %s, %v", at, end, findings(&rec.m.Violations), findings(&alone.Violations), err)
			}
			clean++
		}
		at = end
	}
	if n := len(whole); n > 0 && whole[n-1].m.Complete && at != int64(len(data)) {
		broken("the records end at %d of %d", at, len(data))
	}
	sized := scanned(msgpackcheck.NewScanner(piecewise(data, r), int64(len(data)), lim))
	if len(sized) != len(whole) {
		broken("%d records piecewise, %d at once", len(sized), len(whole))
	}
	for i, rec := range sized {
		same(fmt.Sprintf("record %d piecewise", i), whole[i].m, rec.m, msgpackList)
	}
	decodedAlike(data, lim, whole)
	return worth(clean > 0)
}

// A scannedRecord is what a Scanner says of one value.
type scannedRecord struct {
	offset int64
	m      msgpackcheck.Measurement
}

func scanned(s *msgpackcheck.Scanner) (records []scannedRecord) {
	defer s.Close()
	for s.Next() {
		records = append(records, scannedRecord{s.Offset(), s.Measurement()})
		if n := len(records); n > 1 && !records[n-2].m.Complete {
			broken("record %d follows one whose end is unknown", n)
		}
	}
	return records
}

// decodedAlike holds that Stream finds the records of a Scanner, and decodes
// those that Decode decodes.
func decodedAlike(data []byte, lim msgpackcheck.Limits, records []scannedRecord) {
	d := msgpackcheck.Decoder{Limits: lim}
	st := d.StreamBytes(data)
	defer st.Close()
	for i, rec := range records {
		if !st.Next() {
			broken("Stream ends before record %d of %d: %v", i, len(records), st.Err())
		}
		value, err := st.Value()
		if st.Offset() != rec.offset {
			broken("record %d at %d, not %d", i, st.Offset(), rec.offset)
		}
		if !rec.m.Complete {
			if err == nil {
				broken("record %d is decoded, but is not complete", i)
			}
			continue
		}
		alone, aloneErr := d.Decode(data[rec.offset : rec.offset+int64(rec.m.Consumed)])
		if (err == nil) != (aloneErr == nil) || printed(value) != printed(alone) {
			broken("record %d: %v, %v\nalone %v, %v", i, value, err, alone, aloneErr)
		}
	}
	if st.Next() {
		broken("Stream has more than %d records", len(records))
	}
}
