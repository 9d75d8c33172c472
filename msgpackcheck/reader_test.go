package msgpackcheck

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/anycost"
	"github.com/harden-input/harden/rule"
)

// cutting reads from r in pieces of at most n bytes.
type cutting struct {
	r io.Reader
	n int
}

func (c cutting) Read(p []byte) (int, error) { return c.r.Read(p[:min(len(p), c.n)]) }

// requireEqualVerdict asserts that a reader's measurement is the slice's.
func requireEqualVerdict(t testing.TB, want, got Measurement, how string) {
	t.Helper()
	require.Equal(t, len(want.Violations.Kept()), len(got.Violations.Kept()), how)
	for i, w := range want.Violations.Kept() {
		g := got.Violations.Kept()[i]
		require.Equal(t, w.Error(), g.Error(), how)
		require.Equal(t, w.Pointer, g.Pointer, how)
	}
	want.Violations, got.Violations = rule.List{}, rule.List{}
	require.Equal(t, want, got, how)
}

// requireSameInPieces asserts that src has the same verdict as a slice and in
// pieces of any size, and nearly the same where its size is unknown.
func requireSameInPieces(t testing.TB, src []byte, lim Limits, pieces ...int) {
	t.Helper()
	want, _ := Measure(src, lim)
	for _, n := range pieces {
		how := fmt.Sprintf("in pieces of %d bytes: %x", n, src[:min(len(src), 100)])
		got, err := MeasureReader(cutting{bytes.NewReader(src), n}, int64(len(src)), lim)
		require.Equal(t, got.Violations.Err(), err, how)
		requireEqualVerdict(t, want, got, how)

		got, err = MeasureReader(cutting{bytes.NewReader(src), n}, -1, lim)
		require.Equal(t, got.Violations.Err(), err, how)
		requireNearlyEqual(t, want, got, how)
	}
}

// requireNearlyEqual asserts that a measurement of unknown size is that of
// the known size, apart from what an oversized header became.
func requireNearlyEqual(t testing.TB, want, got Measurement, how string) {
	t.Helper()
	require.Equal(t, want.Complete, got.Complete, how)
	if want.Violations.Count("msgpack/header-oversized") == 0 {
		for v := range want.Violations.Firsts() {
			require.Equal(t, want.Violations.Count(v.Rule.ID), got.Violations.Count(v.Rule.ID), how)
		}
		return
	}
	last := rule.Violation{}
	for _, v := range got.Violations.Kept() {
		if v.Rule.Stops {
			last = v
		}
	}
	require.NotNil(t, last.Rule, how)
	require.True(t, last.Rule.Kind == rule.Limit || last.Rule.Kind == rule.Truncated || last.Rule.Kind == rule.Malformed, how)
}

// samples are documents of all sorts and hostile ones, none above a megabyte.
func samples() []document {
	docs := randomDocuments(300)
	for _, d := range append(shapes(), hostile()...) {
		docs = append(docs, document{d.name, d.data[:min(len(d.data), 100_000)]})
	}
	long := strings.Repeat("日本語", 60_000)
	docs = append(docs,
		document{"long str", sizedString(long)},
		document{"long str that is not UTF-8", sizedString(long + "\xe6\x97")},
		document{"long key twice", append(append(append(append([]byte{0x82}, sizedString(long)...), 1), sizedString(long)...), 0xa1, 0xff)},
		document{"keys before a long str", append(append([]byte("\x81\xa1a\x81\xdb\x00\x00\x00\x05hello\x93\x01"), sizedString(long)...), 0xa1, 0xff)},
	)
	return docs
}

func sizedString(s string) []byte { return append(sized(nil, 0xdb, len(s)), s...) }

func TestReaderAgreesWithSlice(t *testing.T) {
	for _, lim := range []Limits{{}, DefaultLimits().with(UTF8), DefaultLimits().with(AllChecks), smallLimits.with(AllChecks)} {
		for _, doc := range samples() {
			t.Run(doc.name, func(t *testing.T) {
				requireSameInPieces(t, doc.data, lim, 1, 3, 4093, 1<<20)
			})
		}
	}
}

// A limit that a number as a key crossed was looked at before the number was
// read, and its pointer then depended on how much of it was in the window.
func TestLimitAtANumberKeyPointsToItHoweverItIsRead(t *testing.T) {
	src := []byte("\x81\xcb\x40\x09\x00\x00\x00\x00\x00\x00\xc0")
	m, err := Measure(src, Limits{MaxDecodedSize: anycost.MapSize(1)})
	requireRule(t, err, "msgpack/decoded-size")
	require.Equal(t, "/3.125", m.Violations.Kept()[0].Pointer)
	requireSameInPieces(t, src, Limits{MaxDecodedSize: anycost.MapSize(1)}, 1, 2, 5)
}

func TestReadersErrors(t *testing.T) {
	failure := errors.New("the line went dead")
	src := []byte("\x93\x01\xa5hello\x02")
	for n := range len(src) + 1 {
		for _, cause := range []error{failure, io.ErrUnexpectedEOF} {
			m, err := MeasureReader(io.MultiReader(bytes.NewReader(src[:n]), iotest.ErrReader(cause)), int64(len(src)), Limits{})
			require.ErrorIs(t, err, cause)
			require.False(t, m.Complete)
			require.True(t, m.Violations.Empty())
			var d Decoder
			_, err = d.DecodeReader(io.MultiReader(bytes.NewReader(src[:n]), iotest.ErrReader(cause)))
			require.ErrorIs(t, err, cause)
		}
	}
}

func TestReaderShorterThanItsSize(t *testing.T) {
	_, err := MeasureReader(strings.NewReader("\x93\x01"), 4, Limits{})
	requireRule(t, err, "msgpack/truncated")
}

func TestReaderLongerThanItsSize(t *testing.T) {
	_, err := MeasureReader(strings.NewReader("\x93\x01\x02\x03\x04"), 4, Limits{})
	requireRule(t, err, "msgpack/trailing-data")
}

// The fast loop must change nothing: it only walks what step would walk.
func TestFastLoopAgreesWithSteps(t *testing.T) {
	for _, lim := range []Limits{{}, DefaultLimits(), DefaultLimits().with(UTF8), smallLimits, {MaxDecodedSize: 3000}} {
		for _, doc := range samples() {
			s := newScan(doc.data, nil, 0, lim)
			s.unhurried = true
			s.value()
			s.end()
			want := s.m
			s.free()
			got, _ := Measure(doc.data, lim)
			requireEqualVerdict(t, want, got, doc.name)
		}
	}
}
