package msgpackcheck

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

type record struct {
	offset   int64
	consumed uint64
	complete bool
	broken   []string
}

func scanned(s *Scanner) (records []record) {
	for s.Next() {
		m := s.Measurement()
		records = append(records, record{s.Offset(), m.Consumed, m.Complete, broken(m)})
	}
	return records
}

func TestScanner(t *testing.T) {
	lim := Limits{MaxDepth: 2, MaxValues: 4, Checks: DuplicateKeys}
	for _, c := range []struct {
		name, input string
		want        []record
		stopped     string
	}{
		{"no input", "", nil, ""},
		{"three records", "\x01\xa1a\x92\x01\x02", []record{
			{0, 1, true, []string{}}, {1, 2, true, []string{}}, {3, 3, true, []string{}}}, ""},
		{"limits are for each record", "\x93\x01\x02\x03\x93\x01\x02\x03", []record{
			{0, 4, true, []string{}}, {4, 4, true, []string{}}}, ""},
		{"a violation that stops nothing", "\x81\xa1a\xd4\xff\x00\x01", []record{
			{0, 6, true, []string{"timestamp@3"}}, {6, 1, true, []string{}}}, ""},
		{"keys are forgotten between records", "\x81\xa1a\x01\x81\xa1a\x01", []record{
			{0, 4, true, []string{}}, {4, 4, true, []string{}}}, ""},
		{"a limit stops for good", "\x01\x94\x01\x02\x03\x04\x01", []record{
			{0, 1, true, []string{}}, {1, 1, false, []string{"values@1"}}}, "msgpack/values"},
		{"a cut record", "\x01\x92\x01\xa5abc", []record{
			{0, 1, true, []string{}}, {1, 2, false, []string{"truncated@3"}}}, "msgpack/truncated"},
		{"an oversized header", "\x01\xdd\xff\xff\xff\xff\x01", []record{
			{0, 1, true, []string{}}, {1, 5, false, []string{"header-oversized@1"}}}, "msgpack/header-oversized"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, s := range []*Scanner{
				NewScannerBytes([]byte(c.input), lim),
				NewScanner(iotest.OneByteReader(strings.NewReader(c.input)), int64(len(c.input)), lim),
			} {
				require.Equal(t, c.want, scanned(s))
				if c.stopped == "" {
					require.NoError(t, s.Err())
				} else {
					requireRule(t, s.Err(), c.stopped)
				}
				require.False(t, s.Next())
				s.Close()
				require.False(t, s.Next())
			}
		})
	}
}

func TestScannerOverFailingReader(t *testing.T) {
	failure := errors.New("the line went dead")
	for _, input := range []string{"\x01\x02", "\x01\x92\x03"} {
		s := NewScanner(io.MultiReader(strings.NewReader(input), iotest.ErrReader(failure)), -1, Limits{})
		last := Measurement{}
		for s.Next() {
			last = s.Measurement()
		}
		require.Equal(t, input == "\x01\x02", last.Complete)
		require.ErrorIs(t, s.Err(), failure)
		s.Close()
		require.ErrorIs(t, s.Err(), failure)
	}
}

func TestLooks(t *testing.T) {
	rep := strings.Repeat
	for _, c := range []struct {
		name, window string
		want         bool
	}{
		{"nothing", "", false},
		{"a scalar", "\x01", false},
		{"a str", "\xa1a", false},
		{"text", "{\"a\":1}", false},
		{"an empty array", "\x90", true},
		{"an empty map", "\x80", true},
		{"a map", "\x81\xa1a\x01", true},
		{"a cut map", "\x81\xa1", true},
		{"a forged header", "\xdd\xff\xff\xff\xff", true},
		{"nested forged headers", rep("\xdc\x10\x00", 1000), true},
		{"a reserved byte", "\x92\x01\xc1", false},
		{"a reserved byte behind a forged header", "\xdd\xff\xff\xff\xff\xc1", false},
		{"a reserved byte inside a str", "\x91\xa1\xc1", true},
		{"a reserved byte beyond the window", "\xdc\x02\x00" + rep("\x01", 511) + "\xc1", true},
		{"trailing data", "\x91\x01\x02", false},
		{"trailing data beyond the window", "\xdc\x01\xfd" + rep("\x01", 509) + "\x02", true},
		{"deep nesting", rep("\x91", 600), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, Looks([]byte(c.window)))
		})
	}
}
