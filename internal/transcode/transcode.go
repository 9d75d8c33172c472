// Package transcode writes msgpack as JSON, by the rules of docs/decode.md.
//
//	err := transcode.Msgpack(os.Stdout, payload, transcode.Options{Limits: lim})
//	var v *rule.Violation
//	if errors.As(err, &v) {
//		return fmt.Errorf("refused: %w", v) // nothing was written
//	}
//
// What JSON cannot say is refused with its pointer and not changed in silence,
// unless [Options.Lossy] asks for it. Maps keep the order of the payload.
package transcode

import (
	"io"

	"github.com/harden-input/harden/internal/pointer"
	"github.com/harden-input/harden/msgpackcheck"
	"github.com/harden-input/harden/rule"
)

// Options say how msgpack becomes JSON. The zero Options have no limits and
// refuse what cannot be written without loss.
type Options struct {
	// Limits bounds the payload. Its checks are not run.
	Limits msgpackcheck.Limits
	// MaxOutput bounds the JSON text, in bytes; 0 is no limit.
	MaxOutput uint64
	// Lossy writes null for NaN and the infinities, U+FFFD for bytes that are
	// not UTF-8, and the first of several keys that have one name in JSON.
	Lossy bool
}

// maxDepth is how deep values may nest even without limits, as for
// msgpackcheck.Decoder: a deeper text overflows the stack of the next reader.
const maxDepth = 10_000

// Msgpack writes the one msgpack value that src holds to w, as one line of JSON.
//
// The error is a *[rule.Violation] where the payload is at fault; nothing was
// written then, because src is walked once before. Any other error is w's.
// Memory is that of the keys of open maps, which have to be told apart.
func Msgpack(w io.Writer, src []byte, opt Options) error {
	lim := opt.Limits
	lim.Checks = 0
	if lim.MaxDepth == 0 || lim.MaxDepth > maxDepth {
		lim.MaxDepth = maxDepth
	}
	if _, err := msgpackcheck.Measure(src, lim); err != nil {
		return err
	}
	if err := write(io.Discard, src, opt); err != nil {
		return err
	}
	return write(w, src, opt)
}

// write walks src, which was measured, once.
func write(w io.Writer, src []byte, opt Options) error {
	t := text{w: w, src: src, lossy: opt.Lossy, most: opt.MaxOutput}
	if err := t.value(); err != nil {
		return err
	}
	t.out = append(t.out, '\n')
	return t.flush()
}

// outBuffer is how many bytes of text are gathered before they are written.
const outBuffer = 32 << 10

// A text is the JSON of a value as far as it was written.
type text struct {
	src []byte
	pos int // of the next byte of src

	w     io.Writer
	out   []byte
	total uint64 // bytes written to w
	most  uint64 // 0: no limit
	lossy bool

	path  []pointer.Segment
	names []map[string]struct{} // of the maps that are open, one inside the other
	name  []byte                // the name that is being made
}

// room writes out what has gathered, once that is enough.
func (t *text) room() error {
	if len(t.out) < outBuffer {
		return nil
	}
	return t.flush()
}

func (t *text) flush() error {
	t.total += uint64(len(t.out))
	if rule.Exceeds(t.total, t.most) {
		return &rule.Violation{Rule: &Rules[output], LimitValue: rule.N(t.most), Unit: rule.UnitBytes,
			Offset: int64(t.pos), Message: "as JSON it has more than {limit} bytes"}
	}
	_, err := t.w.Write(t.out)
	t.out = t.out[:0]
	return err
}

// TooLong is the violation of content that is size bytes long and is not
// written, because no more than most may be.
func TooLong(size, most uint64) *rule.Violation {
	return &rule.Violation{Rule: &Rules[output], Actual: rule.N(size), LimitValue: rule.N(most),
		Unit: rule.UnitBytes, Message: "the content has {actual} bytes, allowed are {limit}"}
}

// refuse is a violation at offset at of the value that path leads to.
func (t *text) refuse(r index, at int, message, detail string) error {
	return &rule.Violation{Rule: &Rules[r], Offset: int64(at), Message: message, Detail: detail,
		Pointer: pointer.Render(len(t.path), func(level int) pointer.Segment { return t.path[level] })}
}

// Reads reports whether content of the format with this name is to be
// transcoded, and not written as it is.
func Reads(format string) bool { return format == "msgpack" }
