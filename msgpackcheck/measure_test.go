package msgpackcheck

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/rule"
)

// smallLimits are limits that inputs of a few bytes can reach.
var smallLimits = Limits{
	MaxDepth: 8, MaxValues: 100, MaxDecodedSize: 1 << 20, MaxArrayLength: 50, MaxMapLength: 40,
	MaxStrLength: 1000, MaxBinLength: 1000, MaxExtLength: 1000, MaxTrackedKeys: 1000,
}

// with returns lim with checks.
func (l Limits) with(checks Checks) Limits {
	l.Checks = checks
	return l
}

// broken lists the rules that m found broken, as "id@offset", the prefix
// "msgpack/" left out.
func broken(m Measurement) []string {
	ids := []string{}
	for _, v := range m.Violations.Kept() {
		ids = append(ids, fmt.Sprintf("%s@%d", strings.TrimPrefix(v.Rule.ID, "msgpack/"), v.Offset))
	}
	return ids
}

// The judged inputs: what each of them is to be refused or noted for, with all
// checks and the default limits, unless the case states others.
func TestJudgedInputs(t *testing.T) {
	rep := strings.Repeat
	for _, c := range []struct {
		name  string
		input string
		lim   Limits // zero: the default
		want  []string
	}{
		{"01 empty input", "", Limits{}, []string{"truncated@0"}},
		{"02 reserved byte", "\xc1", Limits{}, []string{"reserved-byte@0"}},
		{"03 reserved byte in an array", "\x92\xc1\x01", Limits{}, []string{"reserved-byte@1"}},
		{"04 array32 of 4278190080", "\xdd\xff\x00\x00\x00", Limits{}, []string{"header-oversized@0"}},
		{"05 array32 of 4294967295", "\xdd\xff\xff\xff\xff", Limits{}, []string{"header-oversized@0"}},
		{"06 map32 of 4294967295", "\xdf\xff\xff\xff\xff", Limits{}, []string{"header-oversized@0"}},
		{"07 map32 whose doubled length wraps 32 bits", "\xdf\x80\x00\x00\x00", Limits{}, []string{"header-oversized@0"}},
		{"08 str32 of 4294967295", "\xdb\xff\xff\xff\xff", Limits{}, []string{"header-oversized@0"}},
		{"08 bin32 of 4294967295", "\xc6\xff\xff\xff\xff", Limits{}, []string{"header-oversized@0"}},
		{"08 ext32 of 4294967295", "\xc9\xff\xff\xff\xff\x05", Limits{}, []string{"header-oversized@0"}},
		{"09 ext32 without its type", "\xc9\xff\xff\xff\xff", Limits{}, []string{"truncated@0"}},
		{"10 nested array16 of 4096", rep("\xdc\x10\x00", 1000), Limits{}, []string{"header-oversized@0"}},
		{"11 nested array16 that each fit alone", rep("\xdc\xff\xff", 1000) + rep("\xc0", 65535), Limits{}, []string{"header-oversized@3"}},
		{"12 nested array16 of 65535", rep("\xdc\xff\xff", 24000), Limits{}, []string{"header-oversized@3"}},
		{"13 nested array32 of exactly the rest", "\xdd\x00\x00\x00\x0f\xdd\x00\x00\x00\x0a" + rep("\xc0", 10), Limits{}, []string{"non-canonical@0", "header-oversized@5"}},
		{"14 wide and honest", "\xdd\x00\x0f\x42\x40" + rep("\xc0", 1_000_000), Limits{}, nil},
		{"14 wide, above a limit", "\xdc\x00\x33" + rep("\xc0", 51), smallLimits, []string{"array-length@0"}},
		{"15 empty maps above the decoded size", "\xdd\x00\x0f\x42\x40" + rep("\x80", 1_000_000), Limits{MaxDecodedSize: 32 << 20}, []string{"decoded-size@365721"}},
		{"16 nested ten thousand deep", rep("\x91", 10_000), Limits{}, []string{"depth@128"}},
		{"17 nested two million deep", rep("\x91", 2_000_000), Limits{}, []string{"depth@128"}},
		{"18 maps nested through values", rep("\x81\xa0", 200) + "\xc0", Limits{}, []string{"depth@256"}},
		{"18 maps nested through keys", rep("\x81", 200) + rep("\xc0", 201), Limits{MaxDepth: 128}, []string{"depth@128"}},
		{"19 exactly at the depth", rep("\x91", 7) + "\x90", smallLimits, nil},
		{"19 a scalar at the depth", rep("\x91", 8) + "\xc0", smallLimits, nil},
		{"19 one beyond the depth", rep("\x91", 8) + "\x90", smallLimits, []string{"depth@8"}},
		{"20 cut in an array32 header", "\xdd\x00\x00", Limits{}, []string{"truncated@0"}},
		{"20 cut in an ext8 header", "\xc7", Limits{}, []string{"truncated@0"}},
		{"20 cut in a fixext1", "\xd4", Limits{}, []string{"truncated@0"}},
		{"21 cut in a fixstr", "\xa3\x61", Limits{}, []string{"truncated@0"}},
		{"21 cut in a bin8", "\xc4\x05\x01", Limits{}, []string{"truncated@0"}},
		{"22 map without its value", "\x81\xa1\x61", Limits{}, []string{"truncated@3"}},
		{"23 trailing byte", "\xc0\xc0", Limits{}, []string{"trailing-data@1"}},
		{"26 uint64 of 1", "\xcf\x00\x00\x00\x00\x00\x00\x00\x01", Limits{}, []string{"non-canonical@0"}},
		{"26 str32 of one byte", "\xdb\x00\x00\x00\x01\x61", Limits{}, []string{"non-canonical@0"}},
		{"26 empty array32", "\xdd\x00\x00\x00\x00", Limits{}, []string{"non-canonical@0"}},
		{"26 int64 of 1", "\xd3\x00\x00\x00\x00\x00\x00\x00\x01", Limits{}, []string{"non-canonical@0"}},
		{"26 ext16 of one byte", "\xc8\x00\x01\x05\x00", Limits{}, []string{"non-canonical@0"}},
		{"26 float of a whole number", "\xca\x3f\x80\x00\x00", Limits{}, nil},
		{"27 int8 of 5", "\xd0\x05", Limits{}, []string{"non-canonical@0"}},
		{"27 int8 of -33", "\xd0\xdf", Limits{}, nil},
		{"27 int16 of 300, as long as uint16", "\xd1\x01\x2c", Limits{}, nil},
		{"27 int16 of 200, longer than uint8", "\xd1\x00\xc8", Limits{}, []string{"non-canonical@0"}},
		{"28 float64 that fits float32", "\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00", Limits{}, nil},
		{"29 str of 0xff", "\xa1\xff", Limits{}, []string{"utf8@0"}},
		{"29 str with an overlong NUL", "\xa2\xc0\x80", Limits{}, []string{"utf8@0"}},
		{"29 str with a surrogate", "\xa3\xed\xa0\x80", Limits{}, []string{"utf8@0"}},
		{"29 str beyond U+10FFFF", "\xa4\xf4\x90\x80\x80", Limits{}, []string{"utf8@0"}},
		{"30 bin of 0xff", "\xc4\x01\xff", Limits{}, nil},
		{"31 NUL in a key", "\x81\xa1\x00\xc0", Limits{}, nil},
		{"32 key __proto__", "\x81\xa9__proto__\xc0", Limits{}, nil},
		{"33 duplicate str key", "\x82\xa1a\x01\xa1a\x02", Limits{}, []string{"duplicate-key@4"}},
		{"34 1 and uint8 1", "\x82\x01\x01\xcc\x01\x02", Limits{}, []string{"key-type@1", "non-canonical@3", "key-type@3", "duplicate-key@3"}},
		{"34 -1 and int64 -1", "\x82\xff\x01\xd3\xff\xff\xff\xff\xff\xff\xff\xff\x02", Limits{Checks: DuplicateKeys}, []string{"duplicate-key@3"}},
		{"34 -1 and uint64 of the same bits", "\x82\xff\x01\xcf\xff\xff\xff\xff\xff\xff\xff\xff\x02", Limits{Checks: DuplicateKeys}, nil},
		{"34 str a and bin a", "\x82\xa1a\x01\xc4\x01a\x02", Limits{Checks: DuplicateKeys}, []string{"duplicate-key@4"}},
		{"34 -0.0 and 0.0", "\x82\xca\x80\x00\x00\x00\x01\xcb\x00\x00\x00\x00\x00\x00\x00\x00\x02", Limits{Checks: DuplicateKeys}, []string{"duplicate-key@7"}},
		{"34 NaN twice", "\x82\xca\x7f\xc0\x00\x00\x01\xca\x7f\xc0\x00\x00\x02", Limits{Checks: DuplicateKeys}, nil},
		{"34 0 and 0.0", "\x82\x00\x01\xca\x00\x00\x00\x00\x02", Limits{Checks: DuplicateKeys}, nil},
		{"34 nil twice", "\x82\xc0\x01\xc0\x02", Limits{Checks: DuplicateKeys}, []string{"duplicate-key@3"}},
		{"34 nil, false and true", "\x83\xc0\x01\xc2\x02\xc3\x03", Limits{Checks: DuplicateKeys}, nil},
		{"34 one instant in two forms", "\x82\xd6\xff\x00\x00\x00\x01\x01\xd7\xff\x00\x00\x00\x00\x00\x00\x00\x01\x02", Limits{Checks: DuplicateKeys}, []string{"duplicate-key@8"}},
		{"34 ext of two types", "\x82\xd4\x01a\x01\xd4\x02a\x02", Limits{Checks: DuplicateKeys}, nil},
		{"34 the same key in a nested map", "\x81\xa1a\x81\xa1a\x01", Limits{}, nil},
		{"35 map above its limit", "\xde\x00\x29" + rep("\xa0\xc0", 41), smallLimits, []string{"map-length@0"}},
		{"36 nil key", "\x81\xc0\x01", Limits{}, []string{"key-type@1"}},
		{"36 array key", "\x81\x90\x01", Limits{}, []string{"key-type@1"}},
		{"36 map key", "\x81\x80\x01", Limits{}, []string{"key-type@1"}},
		{"36 bin key", "\x81\xc4\x01a\x01", Limits{}, []string{"key-type@1"}},
		{"36 ext key", "\x81\xd4\x05a\x01", Limits{}, []string{"key-type@1"}},
		{"37 timestamp 32", "\xd6\xff\x00\x00\x00\x01", Limits{}, nil},
		{"37 timestamp 64 with 2^30-1 nanoseconds", "\xd7\xff\xff\xff\xff\xff\x00\x00\x00\x01", Limits{}, []string{"timestamp@0"}},
		{"37 timestamp 64 with 999999999 nanoseconds", "\xd7\xff\xee\x6b\x27\xfc\x00\x00\x00\x01", Limits{}, nil},
		{"37 timestamp 96 with 2^32-1 nanoseconds", "\xc7\x0c\xff\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x01", Limits{}, []string{"timestamp@0"}},
		{"37 timestamp of fixext1", "\xd4\xff\x01", Limits{}, []string{"timestamp@0"}},
		{"37 timestamp of fixext2", "\xd5\xff\x01\x02", Limits{}, []string{"timestamp@0"}},
		{"37 timestamp of fixext16", "\xd8\xff" + rep("\x00", 16), Limits{}, []string{"timestamp@0"}},
		{"37 timestamp of no bytes", "\xc7\x00\xff", Limits{}, []string{"timestamp@0"}},
		{"37 timestamp of five bytes", "\xc7\x05\xff\x00\x00\x00\x00\x00", Limits{}, []string{"timestamp@0"}},
		{"37 timestamp 96 that fits 32", "\xc7\x0c\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01", Limits{}, []string{"non-canonical@0"}},
		{"37 timestamp 64 that fits 32", "\xd7\xff\x00\x00\x00\x00\x00\x00\x00\x01", Limits{}, []string{"non-canonical@0"}},
		{"37 timestamp 96 before 1970", "\xc7\x0c\xff\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff", Limits{}, nil},
		{"38 ext type -2", "\xd4\xfe\x00", Limits{}, []string{"ext-type@0"}},
		{"38 ext type 127", "\xd4\x7f\x00", Limits{}, nil},
		{"39 ext type 98", "\xd4\x62\x00", Limits{}, []string{"ext-type@0"}},
		{"39 ext type 100", "\xd4\x64\x00", Limits{}, []string{"ext-type@0"}},
		{"40 NaN and infinity", "\x92\xca\x7f\xc0\x00\x00\xca\x7f\x80\x00\x00", Limits{}, nil},
		{"41 largest uint64 and smallest int64", "\x92\xcf\xff\xff\xff\xff\xff\xff\xff\xff\xd3\x80\x00\x00\x00\x00\x00\x00\x00", Limits{}, nil},
		{"42 str32 of 2^31 bytes", "\xdb\x80\x00\x00\x00", Limits{}, []string{"header-oversized@0"}},
		{"43 ext of no bytes", "\xc7\x00\x05", Limits{}, nil},
		{"44 empty key", "\x81\xa0\xc0", Limits{}, nil},
		{"str beyond the rest by 64 KiB", "\xdb\x00\x01\x00\x01a", Limits{}, []string{"truncated@0"}},
		{"str beyond the rest by more", "\xdb\x00\x01\x00\x02a", Limits{}, []string{"header-oversized@0"}},
		{"str at its limit", "\xda\x03\xe8" + rep("a", 1000), smallLimits, nil},
		{"str above its limit", "\xda\x03\xe9" + rep("a", 1001), smallLimits, []string{"str-length@0"}},
		{"bin above its limit", "\xc5\x03\xe9" + rep("a", 1001), smallLimits, []string{"bin-length@0"}},
		{"ext above its limit", "\xc8\x03\xe9\x05" + rep("a", 1001), smallLimits, []string{"ext-length@0"}},
		{"values at their limit", "\x92\xdc\x00\x31" + rep("\xc0", 49) + "\xdc\x00\x30" + rep("\xc0", 48), Limits{MaxValues: 100}, nil},
		{"values above their limit", "\x92\xdc\x00\x31" + rep("\xc0", 49) + "\xdc\x00\x31" + rep("\xc0", 49), Limits{MaxValues: 100}, []string{"values@53"}},
		{"more keys than are tracked", "\x83\xa1a\x01\xa1b\x01\xa1a\x02", Limits{Checks: DuplicateKeys, MaxTrackedKeys: 1}, []string{"duplicate-unchecked@4", "duplicate-key@7"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lim := c.lim
			if lim == (Limits{}) {
				lim = DefaultLimits().with(AllChecks)
			}
			m, err := Measure([]byte(c.input), lim)
			require.Equal(t, append([]string{}, c.want...), broken(m))
			require.Equal(t, m.Violations.Err(), err)
			stopped := false
			for _, v := range m.Violations.Kept() {
				stopped = stopped || v.Rule.Stops
			}
			require.Equal(t, !stopped, m.Complete)
			if m.Complete {
				require.Equal(t, uint64(len(c.input)), m.Consumed)
			}
		})
	}
}

func TestEmptyMapsCostTheirDecodedSize(t *testing.T) {
	src := append([]byte{0xdd, 0, 0x0f, 0x42, 0x40}, bytes.Repeat([]byte{0x80}, 1_000_000)...)
	_, err := Measure(src, Limits{MaxDecodedSize: 32 << 20})
	requireRule(t, err, "msgpack/decoded-size")
	m, err := Measure(src, Limits{})
	require.NoError(t, err)
	require.Equal(t, uint64(64_000_024), m.DecodedSize)
}

// requireRule asserts that err is a violation of the rule with this ID.
func requireRule(t *testing.T, err error, id string) {
	t.Helper()
	var v *rule.Violation
	require.ErrorAs(t, err, &v)
	require.Equal(t, id, v.Rule.ID)
}

func TestEveryInputOfOneByte(t *testing.T) {
	for c := range 256 {
		t.Run(fmt.Sprintf("%02x", c), func(t *testing.T) {
			_, err := Measure([]byte{byte(c)}, DefaultLimits())
			switch {
			case c <= 0x80, c == 0x90, c == 0xa0, c == 0xc0, c == 0xc2, c == 0xc3, c >= 0xe0:
				require.NoError(t, err)
			case c == 0xc1:
				requireRule(t, err, "msgpack/reserved-byte")
			case c < 0xa0:
				requireRule(t, err, "msgpack/header-oversized")
			default:
				requireRule(t, err, "msgpack/truncated")
			}
		})
	}
}

func TestMeasurementCounts(t *testing.T) {
	src := []byte("\x83" + // map of 3
		"\xa1a" + "\x93\x01\xcd\x12\x34\xcb\x40\x09\x21\xfb\x54\x44\x2d\x18" +
		"\xa2bc" + "\x81\xa1d\x90" +
		"\xa1e" + "\x92\xc4\x03\x01\x02\x03\xc7\x05\x05hello")
	m, err := Measure(src, DefaultLimits().with(AllChecks))
	require.NoError(t, err)
	require.Equal(t, Measurement{
		Complete: true, Consumed: uint64(len(src)), Values: 14, Arrays: 3, Maps: 2,
		Strings: 4, StringBytes: 5, BinBytes: 3, ExtBytes: 5, Depth: 3,
		LargestArray: 3, LargestMap: 3, LargestString: 2, DecodedSize: m.DecodedSize, Canonical: true,
	}, m)
}

func TestViolationsPointToTheValue(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"root", "\xa1\xff", ""},
		{"element", "\x93\x01\x02\xa1\xff", "/2"},
		{"member", "\x82\xa1a\x01\xa2b/\xa1\xff", "/b~1"},
		{"the key itself", "\x81\xa1\xff\x01", `/\xff`},
		{"member of element of member", "\x81\xa1a\x92\xc0\x81\xa1b\xa1\xff", "/a/1/b"},
		{"after a container ended", "\x82\xa1a\x91\x01\xa1b\xa1\xff", "/b"},
		{"under an integer key", "\x82\xcd\x12\x34\x01\xd0\xdf\xa1\xff", "/-33"},
		{"under a float key", "\x81\xca\x3f\xc0\x00\x00\xa1\xff", "/1.5"},
		{"under a bool key", "\x81\xc3\xa1\xff", "/true"},
		{"under a bin key", "\x81\xc4\x01a\xa1\xff", "/<bin>"},
		{"in an array key", "\x81\x91\xa1\xff\xc0", "/<array>/0"},
		{"under an array key", "\x81\x91\xc0\xa1\xff", "/<array>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, checks := range []Checks{UTF8, AllChecks} {
				m, err := Measure([]byte(c.input), Limits{Checks: checks})
				require.NoError(t, err)
				var got *rule.Violation
				for _, v := range m.Violations.Kept() {
					if v.Rule.ID == "msgpack/utf8" {
						got = &v
					}
				}
				require.NotNil(t, got)
				require.Equal(t, c.want, got.Pointer)
			}
		})
	}
}

func TestPointerOfDeepPlaces(t *testing.T) {
	src := append(bytes.Repeat([]byte{0x91}, 2000), 0xc1)
	m, err := Measure(src, Limits{})
	require.Error(t, err)
	require.Equal(t, strings.Repeat("/0", 16)+"/…"+strings.Repeat("/…", 16), m.Violations.Kept()[0].Pointer)
}

func TestMessagesNameTheNumbers(t *testing.T) {
	_, err := Measure([]byte("\xdd\xff\xff\xff\xff"), DefaultLimits())
	require.EqualError(t, err, "msgpack/header-oversized at byte 0: array header promises 4294967295 values, at most 0 can follow: forged or cut off")
	_, err = Measure([]byte("\xc6\xff\xff\xff\xff"), DefaultLimits())
	require.EqualError(t, err, "msgpack/header-oversized at byte 0: bin header promises 4294967295 bytes, at most 0 can follow: forged or cut off")
	_, err = Measure(bytes.Repeat([]byte{0x91}, 129), DefaultLimits())
	require.EqualError(t, err, "msgpack/header-oversized at byte 128: array header promises 1 values, at most 0 can follow: forged or cut off")
	_, err = Measure([]byte("\xc0\xc0\xc0"), DefaultLimits())
	require.EqualError(t, err, "msgpack/trailing-data at byte 1: 2 bytes follow the value")
}

func TestSeveritiesBelowTheRules(t *testing.T) {
	for _, c := range []struct {
		name, input string
		want        rule.Severity
	}{
		{"integer key", "\x81\x01\xc0", rule.Note},
		{"bin key", "\x81\xc4\x00\xc0", rule.Off},
		{"reserved ext type", "\xd4\x80\x00", rule.Note},
		{"LZ4 ext type", "\xd4\x63\x00", rule.Off},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Measure([]byte(c.input), Limits{Checks: KeyType | ExtType})
			require.NoError(t, err)
			require.Len(t, m.Violations.Kept(), 1)
			require.Equal(t, c.want, m.Violations.Kept()[0].Severity)
		})
	}
}

// A billion violations must cost a bounded list.
func TestManyViolationsAreCountedNotKept(t *testing.T) {
	src := append([]byte{0xdd, 0, 1, 0x86, 0xa0}, bytes.Repeat([]byte("\xa1\xff"), 100_000)...)
	m, err := Measure(src, DefaultLimits().with(UTF8))
	require.NoError(t, err)
	require.Equal(t, uint64(100_000), m.Violations.Count("msgpack/utf8"))
	require.Len(t, m.Violations.Kept(), rule.MaxKept)
}
