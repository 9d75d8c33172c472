package jsonbench

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTextsAreJSON(t *testing.T) {
	for _, text := range GoFiles(t) {
		require.True(t, json.Valid(text.Text), text.Name)
	}
	require.True(t, json.Valid(Log(100_000)))
	for line := range bytes.Lines(Records(100_000)) {
		require.True(t, json.Valid(line), "%s", line)
	}
}

func TestGoFilesAreAllThere(t *testing.T) {
	var names []string
	for _, text := range GoFiles(t) {
		names = append(names, text.Name)
	}
	require.ElementsMatch(t, []string{
		"canada_geometry", "citm_catalog", "golang_source", "string_escaped", "string_unicode", "synthea_fhir", "twitter_status",
	}, names)
}
