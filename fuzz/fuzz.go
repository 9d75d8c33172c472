// Package fuzz holds the properties that harden's engines must keep for every
// input, one function each: the bodies of the fuzz targets, whatever fuzzer
// runs them.
//
//	fuzz.GzipMeasure(payload) // panics where a property is broken
//
// A body takes nothing but bytes, reads no files and keeps no state that shows.
// It returns 1 for an input that is worth more mutations (it passed the first
// check), 0 for any other, and -1 for one that is out of its reach and must not
// be kept, as dvyukov/go-fuzz wants it. A property that does not hold is a
// panic that says what differs. Whatever else a body needs to decide (where to
// cut an input into reads, which limits to set) it draws from the bytes
// themselves, so that an input alone reproduces a finding.
//
// The bodies are wrapped twice: for go test -fuzz by the tests of this package,
// for go-fuzz and libFuzzer by its folder gofuzz. Folder target lists them and
// has their dictionaries.
package fuzz

import (
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/harden-input/harden/rule"
)

// What a body returns.
const (
	interesting = 1
	ordinary    = 0
	unwanted    = -1
)

// broken is called where a property does not hold.
func broken(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// worth is what a body returns for an input that held, where deeper says that
// it came past the first check.
func worth(deeper bool) int {
	if deeper {
		return interesting
	}
	return ordinary
}

// draw returns a source of decisions that depends on data alone.
func draw(data []byte) *rand.Rand {
	h := fnv.New64a()
	h.Write(data)
	return rand.New(rand.NewPCG(h.Sum64(), uint64(len(data))))
}

// cut is a reader that delivers data in pieces of the lengths that next says,
// at least one byte each. Where early is set, io.EOF comes with the last of
// them, as readers may do.
type cut struct {
	data  []byte
	next  func() int
	early bool
}

func (c *cut) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), max(1, c.next()))], c.data)
	c.data = c.data[n:]
	if c.early && len(c.data) == 0 {
		return n, io.EOF
	}
	return n, nil
}

// bytewise delivers data byte by byte.
func bytewise(data []byte) io.Reader {
	return &cut{data: data, next: func() int { return 1 }}
}

// piecewise delivers data in pieces that are drawn, short and long ones.
func piecewise(data []byte, r *rand.Rand) io.Reader {
	return &cut{data: data, next: func() int { return r.IntN(1 << r.IntN(12)) }, early: r.IntN(2) == 0}
}

// findings is everything that a list says, as text.
func findings(l *rule.List) string {
	if l.Empty() {
		return ""
	}
	var b strings.Builder
	for v, n := range l.Firsts() {
		fmt.Fprintf(&b, "%d of %s, ", n, v.Rule.ID)
	}
	for _, v := range l.Kept() {
		fmt.Fprintf(&b, "\n\t%v (%q)", &v, v.Pointer)
	}
	return b.String()
}

// same holds that two measurements are equal, those of violations included.
func same[M any](how string, want, got M, list func(*M) *rule.List) {
	w, g := list(&want), list(&got)
	if a, b := findings(w), findings(g); a != b {
		broken("%s: violations %s\nnot %s", how, b, a)
	}
	*w, *g = rule.List{}, rule.List{}
	if !reflect.DeepEqual(want, got) {
		broken("%s: measured %+v\nnot %+v", how, got, want)
	}
}

// sameError holds that two passes return equal errors.
func sameError(how string, want, got error) {
	if fmt.Sprint(want) != fmt.Sprint(got) {
		broken("%s: error %v, not %v", how, got, want)
	}
}

// completeness holds that a pass is incomplete where a rule stopped it, and
// nowhere else.
func completeness(complete bool, l *rule.List) {
	stopped := false
	for v := range l.Firsts() {
		stopped = stopped || v.Rule.Stops
	}
	if complete == stopped {
		broken("complete is %t with %s", complete, findings(l))
	}
}
