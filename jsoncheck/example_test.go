package jsoncheck_test

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/harden-input/harden/jsoncheck"
	"github.com/harden-input/harden/rule"
)

func ExampleMeasure() {
	m, err := jsoncheck.Measure([]byte(`{"a":[1,2,{"b":"c"}]}`), jsoncheck.DefaultLimits())
	fmt.Println(err, m.Complete)
	fmt.Println(m.Values(), "values,", m.Depth, "levels,", m.DecodedSize, "bytes decoded")
	// Output:
	// <nil> true
	// 6 values, 3 levels, 779 bytes decoded
}

func ExampleMeasure_limit() {
	lim := jsoncheck.DefaultLimits()
	lim.MaxDepth = 3
	_, err := jsoncheck.Measure([]byte(`{"a":[[["deep"]]]}`), lim)
	var v *rule.Violation
	if errors.As(err, &v) {
		fmt.Println(v.Rule.ID, "at", v.Pointer)
	}
	fmt.Println(err)
	// Output:
	// json/depth at /a/0/0
	// json/depth at byte 7: arrays and objects are nested more than 3 levels deep
}

func ExampleMeasure_checks() {
	lim := jsoncheck.DefaultLimits()
	lim.Checks = jsoncheck.DuplicateKeys
	m, err := jsoncheck.Measure([]byte(`{"role":"user","r\u006fle":"admin"}`), lim)
	fmt.Println(err)
	for _, v := range m.Violations.Kept() {
		fmt.Println(v.Rule.Default, v.Pointer, v.Text())
	}
	// Output:
	// <nil>
	// warning /role name appears twice in one object, first at byte 1
}

func ExampleMeasureReader() {
	_, err := jsoncheck.MeasureReader(strings.NewReader(`{"unfinished":`), -1, jsoncheck.DefaultLimits())
	fmt.Println(err)
	// Output:
	// json/truncated at byte 14: text ends where a value should begin
}

// A scanner measures the lines of a log without allocating.
func ExampleScanner() {
	lines := bufio.NewScanner(strings.NewReader("{\"ok\":1}\n{bad}\n{\"ok\":2}\n"))
	scanner := jsoncheck.NewScanner(jsoncheck.DefaultLimits())
	for n := 1; lines.Scan(); n++ {
		if _, err := scanner.Measure(lines.Bytes()); err != nil {
			fmt.Printf("line %d: %v\n", n, err)
		}
	}
	// Output:
	// line 2: json/syntax at byte 1: found 'b', expected a name in double quotes or }
}

func ExampleLooks() {
	for _, payload := range []string{`{"a":1}`, `[section]`, `12`} {
		fmt.Println(jsoncheck.Looks([]byte(payload), true))
	}
	// Output:
	// true false
	// false false
	// true true
}

func ExampleLocate() {
	text := []byte("{\n  \"a\": 1,\n  b: 2\n}")
	_, err := jsoncheck.Measure(text, jsoncheck.DefaultLimits())
	var v *rule.Violation
	if errors.As(err, &v) {
		at := jsoncheck.Locate(text, v.Offset)
		fmt.Printf("line %d, column %d\n", at.Line, at.Column)
	}
	// Output:
	// line 3, column 3
}
