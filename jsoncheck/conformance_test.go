package jsoncheck

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// testSuite is nst/JSONTestSuite's test_parsing, which is not part of this module.
const testSuite = "../../shared/testdata/json-test-suite/test_parsing"

// implementationDefined is our answer to each of the files of JSONTestSuite
// that a parser may accept or not: the rule that rejects it, or "".
var implementationDefined = map[string]string{
	"i_number_double_huge_neg_exp":                   "json/exponent",
	"i_number_huge_exp":                              "json/exponent",
	"i_number_neg_int_huge_exp":                      "json/exponent",
	"i_number_pos_double_huge_exp":                   "json/exponent",
	"i_number_real_neg_overflow":                     "json/exponent",
	"i_number_real_pos_overflow":                     "json/exponent",
	"i_number_real_underflow":                        "json/exponent",
	"i_number_too_big_neg_int":                       "",
	"i_number_too_big_pos_int":                       "",
	"i_number_very_big_negative_int":                 "",
	"i_object_key_lone_2nd_surrogate":                "json/lone-surrogate",
	"i_string_1st_surrogate_but_2nd_missing":         "json/lone-surrogate",
	"i_string_1st_valid_surrogate_2nd_invalid":       "json/lone-surrogate",
	"i_string_UTF-16LE_with_BOM":                     "json/syntax",
	"i_string_UTF-8_invalid_sequence":                "json/utf8",
	"i_string_UTF8_surrogate_U+D800":                 "json/utf8",
	"i_string_incomplete_surrogate_and_escape_valid": "json/lone-surrogate",
	"i_string_incomplete_surrogate_pair":             "json/lone-surrogate",
	"i_string_incomplete_surrogates_escape_valid":    "json/lone-surrogate",
	"i_string_invalid_lonely_surrogate":              "json/lone-surrogate",
	"i_string_invalid_surrogate":                     "json/lone-surrogate",
	"i_string_invalid_utf-8":                         "json/utf8",
	"i_string_inverted_surrogates_U+1D11E":           "json/lone-surrogate",
	"i_string_iso_latin_1":                           "json/utf8",
	"i_string_lone_second_surrogate":                 "json/lone-surrogate",
	"i_string_lone_utf8_continuation_byte":           "json/utf8",
	"i_string_not_in_unicode_range":                  "json/utf8",
	"i_string_overlong_sequence_2_bytes":             "json/utf8",
	"i_string_overlong_sequence_6_bytes":             "json/utf8",
	"i_string_overlong_sequence_6_bytes_null":        "json/utf8",
	"i_string_truncated-utf-8":                       "json/utf8",
	"i_string_utf16BE_no_BOM":                        "json/syntax",
	"i_string_utf16LE_no_BOM":                        "json/syntax",
	"i_structure_500_nested_arrays":                  "",
	"i_structure_UTF-8_BOM_empty_object":             "json/bom",
}

// conformanceFiles returns the files of JSONTestSuite whose names start with
// prefix, by name.
func conformanceFiles(t *testing.T, prefix string) map[string][]byte {
	t.Helper()
	if _, err := os.Stat(testSuite); err != nil {
		t.Skip("JSONTestSuite is not at " + testSuite)
	}
	paths, err := filepath.Glob(filepath.Join(testSuite, prefix+"*.json"))
	require.NoError(t, err)
	files := map[string][]byte{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		files[strings.TrimSuffix(filepath.Base(path), ".json")] = text
	}
	return files
}

func TestConformance(t *testing.T) {
	for _, lim := range []Limits{{}, DefaultLimits()} {
		accepted := conformanceFiles(t, "y_")
		require.Len(t, accepted, 95)
		for name, text := range accepted {
			m, err := Measure(text, lim)
			require.NoError(t, err, name)
			require.True(t, m.Complete, name)
		}
		rejected := conformanceFiles(t, "n_")
		require.Len(t, rejected, 188)
		for name, text := range rejected {
			m, err := Measure(text, lim)
			require.Error(t, err, name)
			require.False(t, m.Complete, name)
		}
	}
}

func TestConformanceImplementationDefined(t *testing.T) {
	lim := DefaultLimits()
	lim.Checks = LoneSurrogates
	files := conformanceFiles(t, "i_")
	require.Equal(t, len(implementationDefined), len(files))
	for name, text := range files {
		m, _ := Measure(text, lim)
		want, listed := implementationDefined[name]
		require.True(t, listed, name)
		got := ""
		if kept := m.Violations.Kept(); len(kept) > 0 {
			got = kept[0].Rule.ID
		}
		require.Equal(t, want, got, name)
	}
}
