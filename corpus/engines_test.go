package corpus_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/gzipcheck"
	"github.com/harden-input/harden/jsoncheck"
	"github.com/harden-input/harden/msgpackcheck"
	"github.com/harden-input/harden/rule"
)

// The limits under which engines judge the corpus.
var (
	gzipLimits    = []gzipcheck.Limits{{}, gzipcheck.DefaultLimits()}
	msgpackLimits = []msgpackcheck.Limits{{}, {Checks: msgpackcheck.AllChecks}, withMsgpackChecks(msgpackcheck.DefaultLimits())}
	jsonLimits    = []jsoncheck.Limits{{}, {Checks: allJSONChecks}, withJSONChecks(jsoncheck.DefaultLimits())}
)

const allJSONChecks = jsoncheck.DuplicateKeys | jsoncheck.FoldedKeys | jsoncheck.LoneSurrogates

func withMsgpackChecks(lim msgpackcheck.Limits) msgpackcheck.Limits {
	lim.Checks = msgpackcheck.AllChecks
	return lim
}

func withJSONChecks(lim jsoncheck.Limits) jsoncheck.Limits {
	lim.Checks = allJSONChecks
	return lim
}

// agree holds that a payload is measured as a slice as it is in pieces.
func agree[L, M any](t *testing.T, data []byte, lim L, slice func([]byte, L) (M, error), reader func(io.Reader, int64, L) (M, error)) {
	t.Helper()
	want, wantErr := slice(data, lim)
	for _, r := range []io.Reader{
		bytes.NewReader(data),
		iotest.OneByteReader(bytes.NewReader(data)),
		iotest.HalfReader(bytes.NewReader(data)),
		iotest.DataErrReader(bytes.NewReader(data)),
	} {
		m, err := reader(r, int64(len(data)), lim)
		require.Equal(t, wantErr, err)
		require.Equal(t, want, m)
	}
	// Without a known size headers that promise too much may be called cut off.
	_, err := reader(iotest.HalfReader(bytes.NewReader(data)), -1, lim)
	require.Equal(t, wantErr == nil, err == nil, "%v, of known size %v", err, wantErr)
}

// Every engine judges every small case of its format alike over a slice and over
// readers, whatever the limits and checks.
func TestEnginesAgreeOverSlicesAndReaders(t *testing.T) {
	for _, c := range corpus.All() {
		if c.Large {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			data := read(t, c)
			switch c.Format() {
			case "gzip":
				for _, lim := range gzipLimits {
					agree(t, data, lim, gzipcheck.Measure, gzipcheck.MeasureReader)
				}
			case "msgpack":
				for _, lim := range msgpackLimits {
					agree(t, data, lim, msgpackcheck.Measure, msgpackcheck.MeasureReader)
				}
			case "json":
				for _, lim := range jsonLimits {
					agree(t, data, lim, jsoncheck.Measure, jsoncheck.MeasureReader)
				}
			}
		})
	}
}

// streamed measures a payload that is too large to be held, without limits and
// with them, and holds that those of its format break the rules it states.
func streamed[L, M any](t *testing.T, e corpus.Entry, c corpus.Case, limits []L, reader func(io.Reader, int64, L) (M, error), violations func(*M) *rule.List) {
	t.Helper()
	for i, lim := range limits {
		r := c.Open()
		m, err := reader(r, e.Size, lim)
		require.NoError(t, r.Close())
		if i < len(limits)-1 {
			continue // no limit of the default profile
		}
		for _, id := range c.Rules {
			if strings.HasPrefix(id, c.Format()+"/") && len(c.Layers()) == 1 {
				require.NotZero(t, violations(&m).Count(id), "%s: %v", id, err)
			}
		}
	}
}

// Every engine measures the large cases of its format as they are made.
func TestEnginesMeasureLargeCases(t *testing.T) {
	if testing.Short() {
		t.Skip("streams gigabytes")
	}
	m, err := corpus.ReadManifest()
	require.NoError(t, err)
	for i, c := range corpus.All() {
		if !c.Large || slices.Contains(c.Rules, "input/size") {
			continue
		}
		e := m.Cases[i]
		t.Run(c.ID, func(t *testing.T) {
			switch c.Format() {
			case "gzip":
				streamed(t, e, c, gzipLimits, gzipcheck.MeasureReader, func(m *gzipcheck.Measurement) *rule.List { return &m.Violations })
			case "msgpack":
				streamed(t, e, c, msgpackLimits, msgpackcheck.MeasureReader, func(m *msgpackcheck.Measurement) *rule.List { return &m.Violations })
			case "json":
				streamed(t, e, c, jsonLimits, jsoncheck.MeasureReader, func(m *jsoncheck.Measurement) *rule.List { return &m.Violations })
			}
		})
	}
}

// monotone holds that a payload which is refused without limits is refused with
// any limit, however low.
func monotone[L, M any](t *testing.T, data []byte, table []rule.LimitField[L], slice func([]byte, L) (M, error)) {
	t.Helper()
	var none L
	_, err := slice(data, none)
	for _, field := range table {
		for _, n := range []uint64{1, 2, 10} {
			lim := none
			*field.Field(&lim) = n
			_, limited := slice(data, lim)
			require.False(t, err != nil && limited == nil, "%s %d takes what is otherwise refused: %v", field.Key, n, err)
		}
	}
}

func TestEnginesLimitsAreMonotone(t *testing.T) {
	for _, c := range corpus.All() {
		if c.Large {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			data := read(t, c)
			switch c.Format() {
			case "gzip":
				monotone(t, data, gzipcheck.LimitTable(), gzipcheck.Measure)
			case "msgpack":
				monotone(t, data, msgpackcheck.LimitTable(), msgpackcheck.Measure)
			case "json":
				monotone(t, data, jsoncheck.LimitTable(), jsoncheck.Measure)
			}
		})
	}
}

// What is measured clean decodes to the length that was measured, unless its CRC
// is wrong; what is not does not.
func TestEnginesInflateWhatTheyFindClean(t *testing.T) {
	lim := gzipcheck.DefaultLimits()
	for _, c := range corpus.All() {
		if c.Large || c.Format() != "gzip" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			data := read(t, c)
			m, err := gzipcheck.Measure(data, lim)
			out, decodeErr := gzipcheck.NewDecoder(lim).Decode(nil, data)
			streamedOut, readErr := io.ReadAll(gzipcheck.NewReader(iotest.HalfReader(bytes.NewReader(data)), lim))
			require.Equal(t, decodeErr == nil, readErr == nil, "Decode %v, Read %v", decodeErr, readErr)
			switch {
			case err != nil:
				require.Error(t, decodeErr)
			case decodeErr != nil:
				var v *rule.Violation
				require.ErrorAs(t, decodeErr, &v)
				require.Equal(t, "gzip/crc-mismatch", v.Rule.ID)
			default:
				require.EqualValues(t, m.Decompressed, len(out))
				require.True(t, bytes.Equal(out, streamedOut))
			}
		})
	}
}

// A glance at header and trailer never condemns what is well measured.
func TestEnginesPeekAsTheyMeasure(t *testing.T) {
	for _, c := range corpus.All() {
		if c.Large || c.Format() != "gzip" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			data := read(t, c)
			_, err := gzipcheck.Peek(bytes.NewReader(data), int64(len(data)))
			if _, measureErr := gzipcheck.Measure(data, gzipcheck.Limits{}); measureErr == nil {
				require.NoError(t, err)
			}
		})
	}
}

// Decoders take what is measured clean, but for keys that no Go map can have.
func TestEnginesDecodeWhatTheyFindClean(t *testing.T) {
	lim := withMsgpackChecks(msgpackcheck.DefaultLimits())
	for _, c := range corpus.All() {
		if c.Large || c.Format() != "msgpack" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			data := read(t, c)
			m, err := msgpackcheck.Measure(data, lim)
			d := msgpackcheck.Decoder{Limits: lim, InternKeys: true}
			value, decodeErr := d.Decode(data)
			fromReader, readErr := d.DecodeReader(iotest.HalfReader(bytes.NewReader(data)))
			require.Equal(t, decodeErr == nil, readErr == nil, "Decode %v, DecodeReader %v", decodeErr, readErr)
			switch {
			case err != nil:
				require.Error(t, decodeErr)
			case decodeErr != nil:
				require.NotZero(t, m.Violations.Count("msgpack/key-type")+m.Violations.Count("msgpack/duplicate-key"), "%v", decodeErr)
			case c.ID != "msgpack/key-nan-twice" && c.ID != "msgpack/every-type" && c.ID != "msgpack/floats": // NaN is not equal to itself
				require.Equal(t, value, fromReader)
			}
		})
	}
}

// A stream of one value is that value, over a slice and over a reader.
func TestEnginesStreamWhatTheyDecode(t *testing.T) {
	lim := withMsgpackChecks(msgpackcheck.DefaultLimits())
	for _, c := range corpus.All() {
		if c.Large || c.Format() != "msgpack" || slices.Contains(c.Rules, "msgpack/trailing-data") {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			data := read(t, c)
			d := msgpackcheck.Decoder{Limits: lim}
			_, want := d.Decode(data)
			for _, st := range []*msgpackcheck.Stream{d.StreamBytes(data), d.Stream(iotest.HalfReader(bytes.NewReader(data)))} {
				values := 0
				var err error
				for st.Next() && err == nil {
					values++
					_, err = st.Value()
				}
				if err == nil {
					err = st.Err()
				}
				st.Close()
				if len(data) == 0 {
					require.NoError(t, err, "a stream may have no values")
					require.Zero(t, values)
					continue
				}
				require.Equal(t, want == nil, err == nil, "Stream %v, Decode %v", err, want)
			}
			scanner := msgpackcheck.NewScanner(iotest.HalfReader(bytes.NewReader(data)), int64(len(data)), lim)
			values := 0
			for scanner.Next() {
				values++
			}
			m := scanner.Measurement()
			if _, err := msgpackcheck.Measure(data, lim); err == nil {
				require.Equal(t, 1, values)
				require.True(t, m.Complete)
			}
			scanner.Close()
		})
	}
}

// What is clean looks like its format, and like no other, from its first token
// on: what a window cuts off is no objection.
func TestEnginesKnowTheirFormat(t *testing.T) {
	for _, c := range corpus.All() {
		if c.Large || c.Verdict != corpus.Clean {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			data := read(t, c)
			fits, _ := jsoncheck.Looks(data, true)
			require.Equal(t, c.Format() == "json", fits, "json")
			if fits {
				text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
				before := len(data) - len(text)
				for n := before + 1; n < len(data); n++ {
					fits, _ := jsoncheck.Looks(data[:n], false)
					require.True(t, fits, "%q", data[:n])
				}
			}
			if c.Format() != "msgpack" {
				require.False(t, msgpackcheck.Looks(data), "msgpack")
			}
		})
	}
}
