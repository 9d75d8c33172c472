package inspect

import "context"

// A BrokenError says that a sandbox that judged a payload broke over it.
type BrokenError struct{ Reason string }

func (e *BrokenError) Error() string { return "the sandbox broke: " + e.Reason }

// Failed returns the verdict on a payload of which nothing is known but that
// err kept it from being judged, in the words that Inspect has for it: ErrTime,
// a *[BrokenError], a context's error, or what a reader returned.
func (ins *Inspector) Failed(name string, err error) Payload {
	p := newPayload(name)
	j := job{ins: ins, ctx: context.Background(), lim: ins.cfg.Limits, payload: &p}
	j.fail(0, err)
	p.Verdict = j.verdict()
	return p
}
