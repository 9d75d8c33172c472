package kubewarden

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

func readDoc(t *testing.T, path ...string) []byte {
	data, err := os.ReadFile(filepath.Join(append([]string{"..", "..", "docs"}, path...)...))
	require.NoError(t, err)
	return data
}

// readYAML decodes strictly: a key that v does not have is an error.
func readYAML(t *testing.T, data []byte, v any) {
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	require.NoError(t, d.Decode(v))
}

// A policyRule says which requests an API server asks a policy about.
type policyRule struct {
	APIGroups   []string `yaml:"apiGroups"`
	APIVersions []string `yaml:"apiVersions"`
	Resources   []string `yaml:"resources"`
	Operations  []string `yaml:"operations"`
}

// policyMetadata is what kwctl annotate reads.
type policyMetadata struct {
	Rules                 []policyRule      `yaml:"rules"`
	Mutating              *bool             `yaml:"mutating"`
	ContextAwareResources []string          `yaml:"contextAwareResources"`
	ExecutionMode         string            `yaml:"executionMode"`
	PolicyType            string            `yaml:"policyType"`
	BackgroundAudit       *bool             `yaml:"backgroundAudit"`
	Annotations           map[string]string `yaml:"annotations"`
}

var secretsAndConfigMaps = []policyRule{{
	APIGroups: []string{""}, APIVersions: []string{"v1"},
	Resources: []string{"configmaps", "secrets"}, Operations: []string{"CREATE", "UPDATE"},
}}

func TestMetadata(t *testing.T) {
	for _, c := range []struct {
		file, policyType string
		rules            []policyRule
	}{
		{"metadata-raw.yml", "raw", []policyRule{}},
		{"metadata-kubernetes.yml", "kubernetes", secretsAndConfigMaps},
	} {
		t.Run(c.file, func(t *testing.T) {
			var m policyMetadata
			readYAML(t, readDoc(t, "kubewarden", c.file), &m)
			require.Equal(t, c.rules, m.Rules)
			require.Equal(t, c.policyType, m.PolicyType)
			require.Equal(t, "wasi", m.ExecutionMode)
			require.False(t, *m.Mutating)
			require.Empty(t, m.ContextAwareResources)
			require.NotNil(t, m.BackgroundAudit)
			for _, key := range []string{"title", "description", "author", "url", "source", "license"} {
				require.NotEmpty(t, m.Annotations["io.kubewarden.policy."+key], key)
			}
			for key := range m.Annotations {
				require.True(t, strings.HasPrefix(key, "io.kubewarden.policy."), key)
			}
		})
	}
}

// The policy that the page shows has rules as the metadata have, and settings
// that are valid.
func TestPolicyOfTheDocs(t *testing.T) {
	_, block, found := strings.Cut(string(readDoc(t, "kubewarden.md")), "```yaml\n")
	require.True(t, found)
	block, _, found = strings.Cut(block, "```")
	require.True(t, found)
	var policy struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Spec       struct {
			Module   string
			Mode     string
			Mutating bool
			Rules    []policyRule
			Settings map[string]any
		}
	}
	readYAML(t, []byte(block), &policy)
	require.Equal(t, secretsAndConfigMaps, policy.Spec.Rules)
	settings, err := json.Marshal(policy.Spec.Settings)
	require.NoError(t, err)
	require.Equal(t, SettingsResponse{Valid: true}, validateSettings(t, string(settings)))
}

func TestDocsDescribeEverySetting(t *testing.T) {
	page := string(readDoc(t, "kubewarden.md"))
	for _, key := range settingKeys() {
		require.Contains(t, page, "\n| `"+key+"` |")
	}
}
