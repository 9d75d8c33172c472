package report

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
)

const schemaFile = "../../docs/report.schema.json"

// schemaAt compiles a part of the schema; "" is the whole.
func schemaAt(t *testing.T, part string) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile + part)
	require.NoError(t, err)
	return schema
}

func validate(t *testing.T, schema *jsonschema.Schema, text []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(value), "%s", text)
}

func TestJSONFollowsItsSchema(t *testing.T) {
	validate(t, schemaAt(t, ""), rendered(t, "json", corpusReport(t), Options{}))
}

func TestEmptyReportFollowsTheSchema(t *testing.T) {
	text := rendered(t, "json", inspect.NewReport(), Options{})
	validate(t, schemaAt(t, ""), text)
	require.Contains(t, string(text), `"payloads": []`)
}

func TestEachLineOfNDJSONFollowsTheSchema(t *testing.T) {
	r := corpusReport(t)
	lines := bytes.Split(bytes.TrimSuffix(rendered(t, "ndjson", r, Options{}), []byte("\n")), []byte("\n"))
	require.Len(t, lines, len(r.Payloads)+1)
	line := schemaAt(t, "#/$defs/line")
	for _, text := range lines {
		validate(t, line, text)
	}
	validate(t, schemaAt(t, "#/$defs/lastLine"), lines[len(lines)-1])
}

func TestSchemaRefusesWhatIsNoReport(t *testing.T) {
	schema := schemaAt(t, "")
	for _, text := range []string{
		`{}`, `[]`,
		`{"schema":"harden.report/v2","payloads":[],"summary":{"clean":0,"rejected":0,"undecided":0,"ignored":0,"skipped":{}}}`,
		`{"schema":"harden.report/v1","payloads":null,"summary":{"clean":0,"rejected":0,"undecided":0,"ignored":0,"skipped":{}}}`,
		`{"schema":"harden.report/v1","payloads":[{}],"summary":{"clean":0,"rejected":0,"undecided":0,"ignored":0,"skipped":{}}}`,
	} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		require.NoError(t, err)
		require.Error(t, schema.Validate(value), text)
	}
}

// TestSchemaHasEveryField keeps out fields that nobody documented: the schema
// itself lets unknown ones pass, as readers must.
func TestSchemaHasEveryField(t *testing.T) {
	text, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	var schema struct {
		Defs map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(text, &schema))
	for def, value := range map[string]any{
		"report": inspect.Report{}, "payload": inspect.Payload{}, "layer": inspect.Layer{},
		"violation": inspect.Violation{}, "summary": inspect.Summary{}, "lastLine": lastLine{}, "configFile": inspect.ConfigFile{},
	} {
		require.Equal(t, fieldNames(reflect.TypeOf(value)), sortedKeys(schema.Defs[def].Properties), def)
	}
}

// fieldNames lists the JSON names of a struct's fields, embedded ones included.
func fieldNames(typ reflect.Type) []string {
	var names []string
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			names = append(names, fieldNames(f.Type)...)
		case name != "-":
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
