package msgpackcheck

import (
	"encoding/binary"
	"time"

	"github.com/harden-input/harden/internal/anycost"
)

// Ext is a decoded ext value of any type but the timestamp, which is decoded to
// a time.Time.
type Ext struct {
	// Type is 0 to 127 where applications define it; negative types are
	// reserved.
	Type int8
	Data []byte
}

// timestampType is the ext type of timestamps.
const timestampType = -1

// instant is a timestamp: seconds since 1970 and nanoseconds.
type instant struct {
	sec  int64
	nsec uint32
}

// parseTimestamp returns the instant of a timestamp's data, and whether it is
// one: 4, 8 or 12 bytes, with at most 999999999 nanoseconds.
func parseTimestamp(b []byte) (t instant, ok bool) {
	switch len(b) {
	case 4:
		t.sec = int64(binary.BigEndian.Uint32(b))
	case 8:
		v := binary.BigEndian.Uint64(b)
		t.nsec, t.sec = uint32(v>>34), int64(v&(1<<34-1))
	case 12:
		t.nsec, t.sec = binary.BigEndian.Uint32(b), int64(binary.BigEndian.Uint64(b[4:]))
	default:
		return t, false
	}
	return t, t.nsec <= 999_999_999
}

// shorter reports whether t, of n bytes, fits a shorter form.
func (t instant) shorter(n int) bool {
	switch n {
	case 8:
		return t.nsec == 0 && t.sec < 1<<32
	case 12:
		return t.sec >= 0 && t.sec < 1<<34
	}
	return false
}

// time returns t in UTC.
func (t instant) time() time.Time { return time.Unix(t.sec, int64(t.nsec)).UTC() }

// extBase is what an Ext, or a time.Time, costs boxed, without the data.
const extBase = anycost.Slice + 8
