package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
)

// The object that is written in pieces is the one that encoding/json writes.
func TestJSONInPiecesIsTheWholeReport(t *testing.T) {
	empty := inspect.NewReport()
	configured := ignoredReport()
	configured.Config = &inspect.ConfigFile{Path: ".harden.yaml", SHA256: "00", Loosened: []string{"##"}}
	for name, r := range map[string]*inspect.Report{"empty": empty, "with a configuration": configured, "many": corpusReport(t)} {
		t.Run(name, func(t *testing.T) {
			var whole bytes.Buffer
			require.NoError(t, JSON(&whole, r))
			require.Equal(t, whole.String(), string(rendered(t, "json", r, Options{})))
		})
	}
}

// A million clean files once cost a gigabyte before the first line was written.
func TestCleanPayloadsAreNotKept(t *testing.T) {
	p := inspect.Payload{Name: strings.Repeat("n", 100), Verdict: inspect.Clean, Layers: []inspect.Layer{{Format: "json"}}}
	for _, format := range Formats() {
		if format.Name == "junit" { // has a test case for each
			continue
		}
		t.Run(format.Name, func(t *testing.T) {
			var b bytes.Buffer
			w := format.New(&b, Options{Annotations: true})
			for range 1000 {
				require.NoError(t, w.Payload(&p))
			}
			if c, ok := w.(*collector); ok {
				require.Empty(t, c.kept)
			} else if format.Name != "github" {
				require.Greater(t, b.Len(), 90_000)
			}
		})
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestErrorOfWritingIsReturned(t *testing.T) {
	for _, format := range Formats() {
		require.ErrorContains(t, format.Write(full{}, corpusReport(t), Options{Annotations: true}), "no space left", format.Name)
	}
}
