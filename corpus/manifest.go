package corpus

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// A Manifest describes cases for readers in any language: README.md says what
// its fields mean.
type Manifest struct {
	Schema  string  `json:"schema"`  // "harden.corpus/v1"
	Profile string  `json:"profile"` // the limits and severities that verdicts and rules are of
	Cases   []Entry `json:"cases"`   // sorted by ID
}

// An Entry describes one case. Fields that are no field of [Case] are made of
// its payload.
type Entry struct {
	ID         string   `json:"id"`
	File       string   `json:"file"`
	Layers     []string `json:"layers"`
	Kind       Kind     `json:"kind"`
	Verdict    Verdict  `json:"verdict"`
	Rules      []string `json:"rules"`
	Story      string   `json:"story"`
	Declares   string   `json:"declares,omitempty"`
	Costs      string   `json:"costs,omitempty"`
	CWE        []int    `json:"cwe"`
	References []string `json:"references"`
	Large      bool     `json:"large"`
	Size       int64    `json:"size"`             // bytes
	SHA256     string   `json:"sha256,omitempty"` // not of payloads above 16 MiB
}

// ReadManifest returns the manifest of all cases, as it was generated.
func ReadManifest() (Manifest, error) {
	var m Manifest
	text, err := seeds.ReadFile("manifest.json")
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("corpus: manifest.json: %w", err)
	}
	return m, nil
}

// Of returns the manifest of the given cases alone.
func (m Manifest) Of(cases []Case) Manifest {
	chosen := make(map[string]bool)
	for _, c := range cases {
		chosen[c.ID] = true
	}
	m.Cases = slices.DeleteFunc(slices.Clone(m.Cases), func(e Entry) bool { return !chosen[e.ID] })
	return m
}

// Encode writes the manifest as manifest.json holds it.
func (m Manifest) Encode(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(m)
}
