// Package jsonpeers measures jsoncheck beside the validators that people use
// today. It is a module of its own so that no user of the library downloads
// them. The benchmarks of one run are comparable, across runs they are not:
//
//	go test -bench . -benchtime 1s
package jsonpeers

import (
	"encoding/json"
	"testing"

	"github.com/bytedance/sonic"
	"github.com/go-json-experiment/json/jsontext"
	goccy "github.com/goccy/go-json"
	"github.com/tidwall/gjson"
	"github.com/valyala/fastjson"

	"github.com/harden-input/harden/internal/jsonbench"
	"github.com/harden-input/harden/jsoncheck"
)

// A validator says whether a text is JSON.
type validator struct {
	name  string
	valid func(text []byte) bool
}

// validators are jsoncheck and its peers, and what each of them checks.
func validators() []validator {
	limits := jsoncheck.DefaultLimits()
	checked := limits
	checked.Checks = jsoncheck.DuplicateKeys | jsoncheck.LoneSurrogates
	return []validator{
		// Grammar, UTF-8, depth, and the nine other limits. Pure Go.
		{"jsoncheck", func(text []byte) bool {
			_, err := jsoncheck.Measure(text, limits)
			return err == nil
		}},
		// The same, duplicate names and lone surrogates.
		{"jsoncheck-duplicates", func(text []byte) bool {
			_, err := jsoncheck.Measure(text, checked)
			return err == nil
		}},
		// Grammar, depth 10000. Not UTF-8. Pure Go.
		{"encoding-json", json.Valid},
		// Grammar, UTF-8, depth 10000, duplicate names, lone surrogates. Pure Go.
		{"jsontext", func(text []byte) bool { return jsontext.Value(text).IsValid() }},
		// Grammar, UTF-8, depth 10000. Pure Go.
		{"jsontext-without-duplicates", func(text []byte) bool {
			return jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true))
		}},
		// Grammar; recursion without a limit on depth. Not UTF-8. Pure Go.
		{"gjson", gjson.ValidBytes},
		// Grammar; time grows with the square of the depth. Not UTF-8. Pure Go.
		{"fastjson", func(text []byte) bool { return fastjson.ValidateBytes(text) == nil }},
		// Grammar, depth 10000. Not UTF-8. Assembly on amd64 and arm64.
		{"goccy", goccy.Valid},
		// Structure and depth; neither UTF-8 nor control characters in
		// strings, nor all escapes. Native code on amd64 and arm64.
		{"sonic", sonic.Valid},
	}
}

func BenchmarkValid(b *testing.B) {
	texts := append(jsonbench.GoFiles(b), jsonbench.Text{Name: "log", Text: jsonbench.Log(20 << 20)})
	for _, text := range texts {
		b.Run(text.Name, func(b *testing.B) {
			for _, v := range validators() {
				b.Run(v.name, func(b *testing.B) {
					b.SetBytes(int64(len(text.Text)))
					b.ReportAllocs()
					for b.Loop() {
						if !v.valid(text.Text) {
							b.Fatal("text was refused")
						}
					}
				})
			}
		})
	}
}
