package jsoncheck

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// found lists what a text with every check broke, as "rule at offset pointer".
func found(t *testing.T, text string, lim Limits) []string {
	t.Helper()
	m, err := Measure([]byte(text), lim)
	require.NoError(t, err)
	var list []string
	for _, v := range m.Violations.Kept() {
		list = append(list, fmt.Sprintf("%s at %d %s", strings.TrimPrefix(v.Rule.ID, "json/"), v.Offset, v.Pointer))
	}
	requireChunkingChangesNothing(t, []byte(text), lim, 1, 3)
	return list
}

func TestDuplicateKeys(t *testing.T) {
	long := strings.Repeat("long", 30)
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"none", `{"a":1,"b":2}`, nil},
		{"plain", `{"a":1,"a":2}`, []string{"duplicate-key at 7 /a"}},
		{"escaped", `{"a":1,"\u0061":2}`, []string{"duplicate-key at 7 /a"}},
		{"escaped first", `{"\u0061":1,"a":2}`, []string{"duplicate-key at 12 /a"}},
		{"escaped in two ways", `{"\/":1,"\u002F":2}`, []string{"duplicate-key at 8 /~1"}},
		{"pair and character", `{"😀":1,"\ud83d\ude00":2}`, []string{"duplicate-key at 10 /😀"}},
		{"three times", `{"a":1,"a":2,"a":3}`, []string{"duplicate-key at 7 /a", "duplicate-key at 13 /a"}},
		{"empty name", `{"":1,"":2}`, []string{"duplicate-key at 6 /"}},
		{"other object", `[{"a":1},{"a":2}]`, nil},
		{"inner and outer object", `{"a":{"a":{"a":1}},"b":{"a":1}}`, nil},
		{"behind an inner object", `{"a":{"b":1,"c":2},"a":1}`, []string{"duplicate-key at 19 /a"}},
		{"in an inner object", `[0,{"x":{"y":1,"y":2}}]`, []string{"duplicate-key at 15 /1/x/y"}},
		{"long names", `{"` + long + `":1,"` + long + `":2,"` + long + `.":3}`, []string{"duplicate-key at 126 /" + long[:64] + "…"}},
		{"prefix", `{"ab":1,"a":2,"abc":3}`, nil},
		{"lone surrogates are U+FFFD", `{"\ud800":1,"\udfff":2,"�":3}`,
			[]string{"duplicate-key at 12 /�", "duplicate-key at 23 /�"}},
		{"number of names", `{` + numbered(100) + `"n50":1}`, []string{"duplicate-key at 791 /n50"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lim := DefaultLimits()
			lim.Checks = DuplicateKeys
			require.Equal(t, c.want, found(t, c.text, lim))
		})
	}
}

// numbered returns n members, each name another.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"n%d":%d,`, i, i%10)
	}
	return b.String()
}

func TestFoldedKeys(t *testing.T) {
	for _, c := range []struct {
		name, text string
		checks     Checks
		want       []string
	}{
		{"case", `{"name":1,"NaMe":2}`, FoldedKeys, []string{"duplicate-key-fold at 10 /NaMe"}},
		{"escaped", `{"name":1,"N\u0041ME":2}`, FoldedKeys, []string{"duplicate-key-fold at 10 /NAME"}},
		{"long s and kelvin sign", `{"sk":1,"ſK":2}`, FoldedKeys, []string{"duplicate-key-fold at 8 /ſK"}},
		{"beyond ASCII", `{"é":1,"É":2,"σ":3,"ς":4}`, FoldedKeys, []string{"duplicate-key-fold at 8 /É", "duplicate-key-fold at 22 /ς"}},
		{"not normalised", `{"é":1,"e\u0301":2}`, FoldedKeys, nil},
		{"the same name", `{"a":1,"a":2}`, FoldedKeys, []string{"duplicate-key-fold at 7 /a"}},
		{"the same name, reported once", `{"a":1,"a":2,"A":3}`, DuplicateKeys | FoldedKeys, []string{"duplicate-key at 7 /a", "duplicate-key-fold at 13 /A"}},
		{"not asked for", `{"a":1,"A":2}`, DuplicateKeys, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			lim := DefaultLimits()
			lim.Checks = c.checks
			require.Equal(t, c.want, found(t, c.text, lim))
		})
	}
}

func TestDuplicateNamesAreCounted(t *testing.T) {
	m, err := Measure([]byte(`{"a":1,"a":2,"b":{"c":1,"c":2}}`), everyCheck())
	require.NoError(t, err)
	require.Equal(t, uint64(2), m.DuplicateNames)
	require.True(t, m.Complete)
}

func TestDuplicateCheckIsNeverSilentlyIncomplete(t *testing.T) {
	lim := Limits{MaxTrackedKeys: 3, Checks: DuplicateKeys}
	require.Nil(t, found(t, `{"a":1,"b":2,"c":3}`, lim))
	require.Nil(t, found(t, `[{"a":1,"b":2,"c":3},{"d":1,"e":1,"f":1}]`, lim), "closed objects give their room back")
	require.Equal(t, []string{"duplicate-unchecked at 19 /d", "duplicate-key at 31 /a"}, found(t, `{"a":1,"b":2,"c":3,"d":4,"e":5,"a":6}`, lim))
	require.Equal(t, []string{"duplicate-unchecked at 19 /b/d"}, found(t, `{"a":1,"b":{"c":1, "d":2},"e":1}`, lim))
}

// A flood of duplicates is counted at little cost each, and kept in bounded memory.
func TestFloodOfDuplicates(t *testing.T) {
	const n = 200_000
	text := []byte("{" + strings.Repeat(`"a":[],`, n) + `"a":0}`)
	m, err := Measure(text, everyCheck())
	require.NoError(t, err)
	require.Equal(t, uint64(n), m.DuplicateNames)
	require.Equal(t, uint64(n), m.Violations.Count("json/duplicate-key"))
	require.LessOrEqual(t, len(m.Violations.Kept()), 65)
	perName := testing.AllocsPerRun(1, func() { _, _ = Measure(text, everyCheck()) }) / n
	require.Less(t, perName, 0.01)
}

// A name longer than the reader's window is compared by the hash of its pieces.
func TestDuplicateNamesLongerThanTheWindow(t *testing.T) {
	name := strings.Repeat(`n\u00e9é`, windowSize/4)
	lim := Limits{Checks: DuplicateKeys | FoldedKeys}
	text := []byte(`{"` + name + `":1,"` + strings.ReplaceAll(name, "é", `\u00E9`) + `":2,"` + name + `x":3,"` + strings.ToUpper(strings.ReplaceAll(name, `\u00e9`, "é")) + `":4}`)
	m, err := MeasureReader(&chunks{text, 1000}, -1, lim)
	require.NoError(t, err)
	require.Equal(t, uint64(1), m.Violations.Count("json/duplicate-key"))
	require.Equal(t, uint64(1), m.Violations.Count("json/duplicate-key-fold"))
	requireChunkingChangesNothing(t, text, lim, 1, 777, 1<<20)
}
