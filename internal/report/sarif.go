package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/rule"
)

// homepage is where harden and the texts of its rules are.
const homepage = "https://github.com/harden-input/harden"

// The part of SARIF 2.1.0 that harden writes.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifInvocation struct {
		// ExecutionSuccessful is false where something could not be judged.
		ExecutionSuccessful bool            `json:"executionSuccessful"`
		Properties          inspect.Summary `json:"properties"`
	}
	sarifRule struct {
		ID                   string              `json:"id"`
		ShortDescription     sarifText           `json:"shortDescription"`
		FullDescription      sarifText           `json:"fullDescription"`
		Help                 sarifText           `json:"help"`
		HelpURI              string              `json:"helpUri"`
		DefaultConfiguration sarifConfiguration  `json:"defaultConfiguration"`
		Properties           sarifRuleProperties `json:"properties"`
	}
	sarifConfiguration struct {
		Enabled bool   `json:"enabled"`
		Level   string `json:"level"`
	}
	sarifRuleProperties struct {
		Tags []string `json:"tags"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifResult struct {
		RuleID              string            `json:"ruleId"`
		RuleIndex           int               `json:"ruleIndex"`
		Level               string            `json:"level"`
		Message             sarifText         `json:"message"`
		Locations           []sarifLocation   `json:"locations"`
		OccurrenceCount     uint64            `json:"occurrenceCount,omitempty"`
		PartialFingerprints map[string]string `json:"partialFingerprints"`
		// Suppressions has one entry where the configuration set the
		// violation aside.
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
		// Properties is the violation as the JSON report has it.
		Properties *inspect.Violation `json:"properties"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPhysicalLocation  `json:"physicalLocation"`
		LogicalLocations []sarifLogicalLocation `json:"logicalLocations,omitempty"`
	}
	sarifPhysicalLocation struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   uint64 `json:"startLine"`
		StartColumn uint64 `json:"startColumn,omitempty"`
		ByteOffset  *int64 `json:"byteOffset,omitempty"`
	}
	sarifLogicalLocation struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}
)

// writeSARIF writes one run with a result for each violation.
func writeSARIF(w io.Writer, r *inspect.Report, o Options) error {
	s := sarifBuilder{index: map[string]int{}, rules: []sarifRule{}, results: []sarifResult{}}
	for i := range r.Payloads {
		s.payload(&r.Payloads[i])
	}
	return encode(w, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs: []sarifRun{{
			Tool:        sarifTool{sarifDriver{Name: "harden", Version: o.Version, InformationURI: homepage, Rules: s.rules}},
			Invocations: []sarifInvocation{{ExecutionSuccessful: r.Summary.Undecided == 0, Properties: r.Summary}},
			Results:     s.results,
		}},
	}, " ")
}

// A sarifBuilder collects results and the rules that they name.
type sarifBuilder struct {
	index   map[string]int // of a rule in rules, by ID
	rules   []sarifRule
	results []sarifResult
}

func (s *sarifBuilder) payload(p *inspect.Payload) {
	extra := map[string]uint64{}
	for _, m := range unlisted(p) {
		extra[m.rule] = m.n
	}
	for i := range p.Violations {
		v := &p.Violations[i]
		result := s.result(p, v)
		if n := extra[v.Rule]; n > 0 { // the first stands for those that are not listed
			result.OccurrenceCount = n + 1
			delete(extra, v.Rule)
		}
		s.results = append(s.results, result)
	}
}

func (s *sarifBuilder) result(p *inspect.Payload, v *inspect.Violation) sarifResult {
	message := safe(payloadName(p) + Where(p, v) + ": " + v.Message)
	if facts := amounts(v); facts != "" {
		message += " (" + facts + ")"
	}
	l := sarifLocation{PhysicalLocation: sarifPhysicalLocation{
		ArtifactLocation: sarifArtifact{artifactURI(p.Name)},
		Region:           region(p, v),
	}}
	if v.Pointer != nil {
		l.LogicalLocations = []sarifLogicalLocation{{FullyQualifiedName: *v.Pointer, Kind: "value"}}
	}
	var suppressions []sarifSuppression
	if v.Ignored != "" {
		suppressions = []sarifSuppression{{Kind: "external", Justification: safe(rule.Excerpt(v.Ignored, maxName))}}
	}
	return sarifResult{
		Suppressions: suppressions,
		RuleID:       v.Rule, RuleIndex: s.rule(v.Rule), Level: v.Severity.String(),
		Message: sarifText{Text: message}, Locations: []sarifLocation{l},
		PartialFingerprints: map[string]string{"hardenViolation/v1": fingerprint(p, v)},
		Properties:          v,
	}
}

// region is the place in the file. A violation inside a compressed layer has
// none: line 1 stands for the file, as it does for binary files, because code
// scanning asks for a line.
func region(p *inspect.Payload, v *inspect.Violation) sarifRegion {
	if !inFile(p, v) {
		return sarifRegion{StartLine: 1}
	}
	return sarifRegion{StartLine: max(v.Line, 1), StartColumn: v.Column, ByteOffset: &v.Offset}
}

// fingerprint is the same for the same violation in another run.
func fingerprint(p *inspect.Payload, v *inspect.Violation) string {
	at := fmt.Sprint(v.Offset)
	if v.Pointer != nil {
		at = *v.Pointer
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d\x00%d\x00%s", v.Rule, artifactURI(p.Name), p.Record, v.Layer, at))
	return hex.EncodeToString(sum[:16])
}

// rule returns the index of a rule among those of the run.
func (s *sarifBuilder) rule(id string) int {
	if i, ok := s.index[id]; ok {
		return i
	}
	r := rule.Rule{ID: id}
	for _, known := range inspect.Rules() {
		if known.ID == id {
			r = known
		}
	}
	s.index[id] = len(s.rules)
	s.rules = append(s.rules, describe(&r))
	return s.index[id]
}

// describe writes a rule's text as SARIF.
func describe(r *rule.Rule) sarifRule {
	tags := []string{"security", string(r.Kind)}
	for _, n := range r.CWE {
		tags = append(tags, fmt.Sprintf("external/cwe/cwe-%03d", n))
	}
	level := r.Default.String()
	if r.Default == rule.Off {
		level = "none"
	}
	help := r.Why + "\n\n" + r.Fix
	markdown := "**Why.** " + r.Why + "\n\n**What to do.** " + r.Fix
	if len(r.References) > 0 {
		help += "\n\nReferences: " + strings.Join(r.References, ", ")
		markdown += "\n\n**References.** " + strings.Join(r.References, ", ")
	}
	return sarifRule{
		ID:                   r.ID,
		ShortDescription:     sarifText{Text: r.Title},
		FullDescription:      sarifText{Text: r.Why},
		Help:                 sarifText{Text: help, Markdown: markdown},
		HelpURI:              homepage + "/blob/main/docs/rules.md#" + strings.ReplaceAll(r.ID, "/", ""),
		DefaultConfiguration: sarifConfiguration{Enabled: r.Default != rule.Off, Level: level},
		Properties:           sarifRuleProperties{Tags: tags},
	}
}
