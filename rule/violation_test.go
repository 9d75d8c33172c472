package rule_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/rule"
)

func ExampleViolation() {
	forged := rule.Rule{ID: "gzip/isize-forged", Default: rule.Error, Kind: rule.Forged}
	err := error(&rule.Violation{
		Rule: &forged, Offset: 25, Unit: rule.UnitBytes,
		Declared: rule.N(4294967295), Actual: rule.N(1024),
		Message: "trailer declares {declared} bytes, member holds {actual}",
	})
	var v *rule.Violation
	if errors.As(err, &v) {
		fmt.Println(v.Rule.ID, v.Default())
	}
	fmt.Println(err)
	// Output:
	// gzip/isize-forged error
	// gzip/isize-forged at byte 25: trailer declares 4294967295 bytes, member holds 1024
}

func TestText(t *testing.T) {
	for _, tt := range []struct {
		name string
		v    rule.Violation
		want string
	}{
		{"no placeholder", rule.Violation{Message: "reserved byte"}, "reserved byte"},
		{"all placeholders", rule.Violation{
			Message: "{declared} {actual} {limit} {detail}", Detail: "x",
			Declared: rule.N(1), Actual: rule.N(0), LimitValue: rule.N(math.MaxUint64),
		}, "1 0 18446744073709551615 x"},
		{"absent amount", rule.Violation{Message: "declares {declared}"}, "declares unknown"},
		{"detail that looks like a placeholder", rule.Violation{Message: "name {detail} of {actual}", Detail: "{actual}", Actual: rule.N(7)}, "name {actual} of 7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, tt.v.Text())
		})
	}
}

func TestViolationWeighsAsItsRuleUnlessItSays(t *testing.T) {
	r := rule.Rule{Default: rule.Warning}
	require.Equal(t, rule.Warning, (&rule.Violation{Rule: &r}).Default())
	require.Equal(t, rule.Note, (&rule.Violation{Rule: &r, Severity: rule.Note}).Default())
}

func TestAmount(t *testing.T) {
	for _, tt := range []struct {
		name   string
		amount rule.Amount
		n      uint64
		known  bool
		text   string
		json   string
	}{
		{"absent", rule.Amount{}, 0, false, "unknown", "null"},
		{"zero is a value", rule.N(0), 0, true, "0", "0"},
		{"largest", rule.N(math.MaxUint64), math.MaxUint64, true, "18446744073709551615", "18446744073709551615"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n, known := tt.amount.Get()
			require.Equal(t, tt.n, n)
			require.Equal(t, tt.known, known)
			require.Equal(t, !tt.known, tt.amount.IsZero())
			require.Equal(t, tt.text, tt.amount.String())
			text, err := json.Marshal(tt.amount)
			require.NoError(t, err)
			require.Equal(t, tt.json, string(text))
			read := rule.N(99)
			require.NoError(t, json.Unmarshal(text, &read))
			require.Equal(t, tt.amount, read)
		})
	}
}

func TestAmountIsLeftOutWhereItIsAbsent(t *testing.T) {
	type record struct {
		Declared rule.Amount `json:"declared,omitzero"`
		Actual   rule.Amount `json:"actual,omitzero"`
	}
	text, err := json.Marshal(record{Actual: rule.N(0)})
	require.NoError(t, err)
	require.Equal(t, `{"actual":0}`, string(text))
}

func TestAmountRefuses(t *testing.T) {
	for _, text := range []string{"-1", "1.5", "1e3", `"1"`, "18446744073709551616", "true"} {
		a := rule.N(7)
		require.Error(t, json.Unmarshal([]byte(text), &a), text)
		require.Equal(t, rule.N(7), a, text)
	}
}
