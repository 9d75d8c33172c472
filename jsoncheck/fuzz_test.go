package jsoncheck

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
)

// seeds adds texts that together take every path of the scanner.
func seeds(f *testing.F) {
	for _, piece := range pieces {
		f.Add([]byte(piece))
		f.Add([]byte("[" + piece + "]"))
	}
	for _, text := range []string{
		``, ` `, `{"a":1,"\u0061":2}`, `{"a":[1,2,{"b":"c"}],"A":null}`, `[0,-0,1.5,1e5,1E+5,-1.25e-7]`,
		`"\ud83d\ude00\ud83d"`, "\xef\xbb\xbf{}", "\xff\xfe[\x00", "{}\n{}", `["` + strings.Repeat("é", 20) + `"]`,
		strings.Repeat("[", 20) + strings.Repeat("]", 20), strings.Repeat(`{"a":`, 5) + "1" + strings.Repeat("}", 5),
		"[\n        1,\n\t2,                 3\r\n]", `{"` + strings.Repeat("n", 40) + `":"` + strings.Repeat("v", 40) + `"}`,
	} {
		f.Add([]byte(text))
	}
}

// FuzzAcceptsWhatJSONTextAccepts compares with jsontext, names twice in an
// object allowed, and with encoding/json. They differ from us on purpose in
//   - a byte order mark, which we skip with a warning,
//   - half of a surrogate pair, which jsontext takes for invalid UTF-8,
//   - depth beyond 10000, which both refuse,
//   - invalid UTF-8, which encoding/json accepts.
func FuzzAcceptsWhatJSONTextAccepts(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Measure(text, Limits{Checks: LoneSurrogates})
		accepted := err == nil
		if accepted != m.Complete {
			t.Fatalf("error %v, but complete is %t", err, m.Complete)
		}
		if m.Depth > 10_000 || m.Violations.Count("json/bom") > 0 {
			return
		}
		lone := m.Violations.Count("json/lone-surrogate") > 0
		if valid := jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)); valid != (accepted && !lone) {
			t.Fatalf("jsontext says %t, we say %v", valid, err)
		}
		if m.Violations.Count("json/utf8") > 0 {
			return
		}
		if valid := json.Valid(text); valid != accepted {
			t.Fatalf("encoding/json says %t, we say %v", valid, err)
		}
	})
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

// FuzzChunkingChangesNothing compares a slice with a reader that delivers it
// in pieces, under limits of all sizes.
func FuzzChunkingChangesNothing(f *testing.F) {
	seeds := []string{
		`{"a":1,"\u0061":2}`, `{"a":[1,2,{"b":"c"}],"A":null}`, `[0,-0,1.5,1e5,1E+5,-1.25e-7,true,false]`,
		`"\ud83d\ude00\ud83d"`, "\xef\xbb\xbf{}", "{}\n{}", `["ééé€€€😀😀"]`, "[[[[[]]]]]", "tru", `{"long name of a member":"long string, longer"}`,
	}
	for i, text := range seeds {
		f.Add([]byte(text), uint64(0), uint8(1))
		f.Add([]byte(text), uint64(i)*0x9e3779b97f4a7c15, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text []byte, limits uint64, size uint8) {
		requireChunkingChangesNothing(t, text, limitsFrom(limits), max(1, int(size)))
	})
}

// FuzzLimitsAreMonotone: with a lower limit, or one where there was none, what
// was rejected is not accepted.
func FuzzLimitsAreMonotone(f *testing.F) {
	f.Add([]byte(`{"a":[1,2,{"b":"c"}],"A":null}`), uint64(1<<60), uint8(3))
	f.Fuzz(func(t *testing.T, text []byte, limits uint64, which uint8) {
		requireMonotone(t, text, limits, int(which))
	})
}

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
