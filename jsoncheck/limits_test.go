package jsoncheck

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/rule"
)

func TestLimitsPassNAndRefuseOneMore(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, c := range []struct {
		name    string
		limits  Limits
		passes  string
		fails   string
		rule    string
		offset  int64
		pointer string
	}{
		{"depth of arrays", Limits{MaxDepth: 3}, `[[[1]]]`, `[[[[1]]]]`, "json/depth", 3, "/0/0/0"},
		{"depth of objects", Limits{MaxDepth: 2}, `{"a":{"b":1}}`, `{"a":{"b":{}}}`, "json/depth", 10, "/a/b"},
		{"depth after a closed array", Limits{MaxDepth: 2}, `[[],[],[]]`, `[[],[[]]]`, "json/depth", 5, "/1/0"},
		{"string length", Limits{MaxStringLength: 5}, `["12345"]`, `["123456"]`, "json/string-length", 1, "/0"},
		{"string length of a long string", Limits{MaxStringLength: 100}, `"` + long + `"`, `"` + long + `y"`, "json/string-length", 0, ""},
		{"string length counts escapes as written", Limits{MaxStringLength: 6}, `"\u0061"`, `"\u0061b"`, "json/string-length", 0, ""},
		{"string length counts bytes", Limits{MaxStringLength: 6}, `"ééé"`, `"éééa"`, "json/string-length", 0, ""},
		{"string length is not about names", Limits{MaxStringLength: 1}, `{"name":"v"}`, `{"name":"vv"}`, "json/string-length", 8, "/name"},
		{"name length", Limits{MaxNameLength: 4}, `{"name":"value"}`, `{"a":{"names":1}}`, "json/name-length", 6, "/a"},
		{"name length of a long name", Limits{MaxNameLength: 100}, `{"` + long + `":1}`, `{"` + long + `y":1}`, "json/name-length", 1, ""},
		{"number length", Limits{MaxNumberLength: 4}, `[-123]`, `[0,-1234]`, "json/number-length", 3, "/1"},
		{"number length of a long number", Limits{MaxNumberLength: 100}, strings.Repeat("9", 100), strings.Repeat("9", 101), "json/number-length", 0, ""},
		{"number length of a fraction", Limits{MaxNumberLength: 100}, "0." + strings.Repeat("0", 98), "0." + strings.Repeat("0", 99), "json/number-length", 0, ""},
		{"object entries", Limits{MaxObjectEntries: 2}, `{"a":1,"b":{"c":1,"d":2}}`, `{"a":1,"b":2,"c":3}`, "json/object-entries", 13, ""},
		{"array elements", Limits{MaxArrayElements: 3}, `[1,2,[1,2,3]]`, `[1,2,3,4]`, "json/array-elements", 6, "/3"},
		{"values", Limits{MaxValues: 4}, `[1,{"a":2}]`, `[1,{"a":2},3]`, "json/values", 11, "/2"},
		{"values of a scalar", Limits{MaxValues: 1}, `1`, `[1]`, "json/values", 1, "/0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Measure([]byte(c.passes), c.limits)
			require.NoError(t, err)
			require.True(t, m.Complete)

			m, err = Measure([]byte(c.fails), c.limits)
			var v *rule.Violation
			require.ErrorAs(t, err, &v)
			require.False(t, m.Complete)
			require.Equal(t, c.rule, v.Rule.ID)
			require.Equal(t, c.offset, v.Offset)
			require.Equal(t, c.pointer, v.Pointer)
			limit, known := v.LimitValue.Get()
			require.True(t, known)
			require.NotZero(t, limit)
			requireChunkingChangesNothing(t, []byte(c.fails), c.limits, 1, 2, 50)
			requireChunkingChangesNothing(t, []byte(c.passes), c.limits, 1, 2, 50)

			_, err = Measure([]byte(c.fails), Limits{})
			require.NoError(t, err, "without limits")
		})
	}
}

func TestExponent(t *testing.T) {
	zeros := strings.Repeat("0", 400)
	for _, c := range []struct {
		text   string
		actual uint64 // 0: passes
	}{
		{"1e400", 0}, {"1e401", 401}, {"1E+401", 401}, {"-1e400", 0}, {"-1e401", 401},
		{"9.99e400", 0}, {"10e399", 0}, {"10e400", 401}, {"12.5e400", 401},
		{"1e-400", 0}, {"1e-401", 401}, {"0.1e-399", 0}, {"0.1e-400", 401}, {"0.001e403", 0}, {"0.001e404", 401},
		{"1" + zeros, 0}, {"1" + zeros + "0", 401}, {"1" + zeros + "0e-1", 0},
		{"0." + zeros[:399] + "1", 0}, {"0." + zeros + "1", 401},
		{"0e999999999", 0}, {"-0.000e-999999999", 0}, {"0", 0},
		{"1e00000000000000000000000000000401", 401}, {"1e0000000000000000000000000000040", 0},
		{"1e999999999", 999_999_999}, {"1e-999999999999999", 999_999_999_999_999},
	} {
		m, err := Measure([]byte(c.text), DefaultLimits())
		require.True(t, m.Complete, c.text)
		if c.actual == 0 {
			require.NoError(t, err, c.text)
			continue
		}
		var v *rule.Violation
		require.ErrorAs(t, err, &v, c.text)
		require.Equal(t, "json/exponent", v.Rule.ID)
		require.Equal(t, rule.N(c.actual), v.Actual, c.text)
	}
}

// An exponent of more digits than any integer type has must not wrap around.
func TestExponentDoesNotWrap(t *testing.T) {
	for _, text := range []string{"1e18446744073709551617", "1e-18446744073709551617", "1e" + strings.Repeat("9", 900)} {
		_, err := Measure([]byte(text), DefaultLimits())
		require.ErrorContains(t, err, "decimal exponent of many digits, above 400", text)
	}
}

func TestExponentDoesNotStopThePass(t *testing.T) {
	m, err := Measure([]byte(`[1e999,1e-999,{"a":1e999}]`), DefaultLimits())
	require.ErrorContains(t, err, "json/exponent at byte 1")
	require.True(t, m.Complete)
	require.Equal(t, uint64(3), m.Violations.Count("json/exponent"))
	require.Equal(t, "/2/a", m.Violations.Kept()[2].Pointer)
}

// Limits below what the main loop takes by itself must hold as well.
func TestExponentLimitsBelowTwoDigits(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit uint64
		fails bool
	}{{"[100]", 2, false}, {"[1000]", 2, true}, {"[0.001]", 3, false}, {"[0.0001]", 3, true}, {"[1e12]", 12, false}, {"[1e13]", 12, true}} {
		_, err := Measure([]byte(c.text+strings.Repeat(" ", 100)), Limits{MaxExponent: c.limit})
		require.Equal(t, c.fails, err != nil, c.text)
	}
}

func TestMonotoneLimits(t *testing.T) {
	random := newRandom(3)
	for range 5000 {
		var text strings.Builder
		for range 1 + random.IntN(12) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		requireMonotone(t, []byte(text.String()), random.Uint64(), random.IntN(100))
	}
}

func TestLimitTableNamesEveryLimit(t *testing.T) {
	var lim Limits
	fields := map[*uint64]bool{}
	keys := map[string]bool{}
	for _, f := range LimitTable() {
		require.True(t, strings.HasPrefix(f.Key, "json.max-"), f.Key)
		require.NotEmpty(t, f.Unit)
		require.NotEmpty(t, f.Doc)
		fields[f.Field(&lim)] = true
		keys[f.Key] = true
	}
	limits := reflect.TypeFor[Limits]().NumField() - 1 // all but Checks
	require.Len(t, fields, limits)
	require.Len(t, keys, limits)
}

func TestDefaultLimitsLimitEverything(t *testing.T) {
	lim := DefaultLimits()
	for _, f := range LimitTable() {
		require.NotZero(t, *f.Field(&lim), f.Key)
	}
	require.Zero(t, lim.Checks)
}

// The main loop counts a value when one has to begin, before it looks at the
// byte. A comma in front of a bracket was once reported as one value too many.
func TestNoValueIsNotOneTooMany(t *testing.T) {
	for _, c := range []struct {
		name, text string
		limits     Limits
		offset     int64
	}{
		{"bracket after a comma, values", `[1,2,]`, Limits{MaxValues: 3}, 5},
		{"bracket after a comma, memory", `[1,2,]`, Limits{MaxDecodedSize: 24 + 2*(16+8)}, 5},
		{"brace after a colon", `{"a":}`, Limits{MaxValues: 1}, 5},
		{"no JSON at all", `[1,x`, Limits{MaxValues: 2}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Measure([]byte(c.text), c.limits)
			var v *rule.Violation
			require.ErrorAs(t, err, &v)
			require.Equal(t, "json/syntax", v.Rule.ID)
			require.Equal(t, c.offset, v.Offset)
			requireChunkingChangesNothing(t, []byte(c.text), c.limits, 1, 2)
		})
	}
}

// limitsFrom makes limits that short texts cross, out of any number.
func limitsFrom(n uint64) Limits {
	next := func(small uint64) uint64 {
		v := n % (small + 1)
		n /= small + 1
		return v // at times 0: no limit
	}
	return Limits{
		MaxDepth: next(5), MaxStringLength: next(20), MaxNameLength: next(12), MaxNumberLength: next(12),
		MaxExponent: next(9), MaxObjectEntries: next(4), MaxArrayElements: next(5), MaxValues: next(12),
		MaxDecodedSize: next(1000), MaxTrackedKeys: next(3), Checks: Checks(next(7)),
	}
}

// requireMonotone asserts that with a lower limit, or one where there was none,
// what was rejected is not accepted.
func requireMonotone(t *testing.T, text []byte, limits uint64, which int) {
	t.Helper()
	lim := limitsFrom(limits)
	_, before := Measure(text, lim)
	table := LimitTable()
	switch field := table[which%len(table)].Field(&lim); *field {
	case 0:
		*field = 5
	case 1:
		return
	default:
		*field--
	}
	if _, after := Measure(text, lim); before != nil {
		require.Error(t, after, "%q under %+v", text, lim)
	}
}
