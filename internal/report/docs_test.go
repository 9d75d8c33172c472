package report

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocumentationsReportFollowsTheSchema keeps docs/report.md true.
func TestDocumentationsReportFollowsTheSchema(t *testing.T) {
	text, err := os.ReadFile("../../docs/report.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "```json\n")
	require.True(t, found)
	example, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	validate(t, schemaAt(t, ""), []byte(example))
}

func TestDocumentationNamesEveryFormat(t *testing.T) {
	text, err := os.ReadFile("../../docs/report.md")
	require.NoError(t, err)
	for _, f := range Formats() {
		require.Contains(t, string(text), "| `"+f.Name+"` |")
	}
}
