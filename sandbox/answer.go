package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/rule"
)

// maxReason bounds the words of a guest that a report counts skipped files by,
// in bytes.
const maxReason = 64

// readReport reads the report of a guest, which may be the payload's work by
// now: it must be one that an Inspector could have made of one payload.
// alone says that the payload has no records.
func readReport(text []byte, alone bool) (*inspect.Report, error) {
	garbage := func(err error) error {
		return &inspect.BrokenError{Reason: "the instance gave no report that makes sense: " + err.Error()}
	}
	var r inspect.Report
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, garbage(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, garbage(errors.New("something follows it"))
	}
	if err := check(&r, alone); err != nil {
		return nil, garbage(err)
	}
	return &r, nil
}

func check(r *inspect.Report, alone bool) error {
	s := &r.Summary
	if r.Schema != inspect.Schema || r.Payloads == nil || s.Skipped == nil || r.Config != nil || s.Ignored != 0 {
		return errors.New("it is not a " + inspect.Schema)
	}
	skipped := 0
	for reason, n := range s.Skipped {
		if n != 1 || rule.Excerpt(reason, maxReason) != reason {
			return errors.New("its reason to skip is none")
		}
		skipped++
	}
	if min(s.Clean, s.Rejected, s.Undecided, s.Unlisted) < 0 || skipped > 1 {
		return errors.New("its summary does not count")
	}
	listed := map[inspect.Verdict]int{}
	for i := range r.Payloads {
		if err := checkPayload(&r.Payloads[i]); err != nil {
			return err
		}
		listed[r.Payloads[i].Verdict]++
	}
	if s.Clean < listed[inspect.Clean] || s.Rejected < listed[inspect.Rejected] || s.Undecided < listed[inspect.Undecided] {
		return errors.New("it lists more than it counts")
	}
	if counted := s.Clean + s.Rejected + s.Undecided + skipped; counted == 0 ||
		alone && (counted != 1 || len(r.Payloads)+skipped != 1) {
		return errors.New("it is not about one payload")
	}
	return nil
}

func checkPayload(p *inspect.Payload) error {
	switch p.Verdict {
	case inspect.Clean, inspect.Rejected, inspect.Undecided:
	default:
		return errors.New("a verdict is none")
	}
	if p.Layers == nil || p.Violations == nil || p.ViolationCounts == nil {
		return errors.New("a list is missing")
	}
	for i := range p.Violations {
		if v := &p.Violations[i]; v.Layer < 0 || v.Layer > len(p.Layers) || v.Offset < 0 {
			return errors.New("a violation is nowhere in the payload")
		}
	}
	return nil
}
