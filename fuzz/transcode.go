package fuzz

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/harden-input/harden/internal/transcode"
	"github.com/harden-input/harden/msgpackcheck"
	"github.com/harden-input/harden/rule"
)

// Transcode holds that msgpack is refused with nothing written, or becomes one
// line of valid JSON; that what is written without loss is written the same
// with it; and that a limit on the output is exact.
func Transcode(data []byte) int {
	opt := transcode.Options{Limits: msgpackcheck.DefaultLimits()}
	text, err := transcoded(data, opt)
	opt.Lossy = true
	lossy, lossyErr := transcoded(data, opt)
	if err == nil && (lossyErr != nil || !bytes.Equal(text, lossy)) {
		broken("without loss %q, with it %q, %v", text, lossy, lossyErr)
	}
	if lossyErr != nil {
		return ordinary
	}
	opt.MaxOutput = uint64(len(lossy))
	if _, err := transcoded(data, opt); err != nil {
		broken("with room for all %d bytes: %v", len(lossy), err)
	}
	opt.MaxOutput--
	if _, err := transcoded(data, opt); err == nil {
		broken("%d bytes were written into room for one less", len(lossy))
	}
	return interesting
}

func transcoded(data []byte, opt transcode.Options) ([]byte, error) {
	var b bytes.Buffer
	err := transcode.Msgpack(&b, data, opt)
	var v *rule.Violation
	switch {
	case err == nil && (!json.Valid(b.Bytes()) || !utf8.Valid(b.Bytes()) || bytes.IndexByte(b.Bytes(), '\n') != b.Len()-1):
		broken("not one line of JSON: %q", b.Bytes())
	case err != nil && !errors.As(err, &v):
		broken("the payload is not to blame: %v", err)
	case err != nil && b.Len() > 0:
		broken("%v, and %q was written", err, b.Bytes())
	}
	return b.Bytes(), err
}
