package hosttest

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// policyTimeout is what a policy server gives a policy by default.
const policyTimeout = 2 * time.Second

// A policyResponse is the answer to validate, strictly what a policy server
// knows of it.
type policyResponse struct {
	Accepted bool   `json:"accepted"`
	Message  string `json:"message"`
	Code     uint16 `json:"code"`
}

// eachPolicyServer runs test under the hosts that policy servers embed, or could.
func eachPolicyServer(t *testing.T, test func(t *testing.T, h Host)) {
	Each(t, func(t *testing.T, h Host) {
		if h.Name() == "node" {
			t.Skip("no policy server runs in Node")
		}
		test(t, h)
	})
}

// asPolicyServer runs the module as a policy server does: two arguments, no
// environment, no directories, a fresh instance. Whatever the answer, the module
// must end by itself with exit code 0 in time, and say nothing on stderr.
func asPolicyServer(t *testing.T, h Host, question, stdin string, response any) {
	t.Helper()
	call := Call{Args: []string{question}, Stdin: strings.NewReader(stdin), Deadline: policyTimeout}
	if h.Name() == "wazero" {
		call.Deadline *= 5 // a module that wazero can interrupt takes several times as long
	}
	r, err := h.Run(t.Context(), call)
	require.NoError(t, err)
	require.Zero(t, r.Exit, r)
	require.Empty(t, r.Trap)
	require.Empty(t, r.Stderr)
	d := json.NewDecoder(strings.NewReader(r.Stdout))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(response), r)
	require.False(t, d.More(), r)
}

func inBase64(payload []byte) string { return base64.StdEncoding.EncodeToString(payload) }

// forged returns a hostile payload that harden forge makes.
func forged(t *testing.T, args ...string) []byte {
	out, err := exec.Command(Native(t), append([]string{"forge"}, args...)...).Output()
	require.NoError(t, err)
	return out
}

func compressed(t *testing.T, text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// helmRelease returns the data of a release secret: a chart's templates in JSON
// in gzip in base64 in base64.
func helmRelease(t *testing.T) string {
	var manifest strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&manifest, "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: web-%d\n", i)
	}
	release, err := json.Marshal(map[string]any{"name": "web", "version": 1, "manifest": manifest.String()})
	require.NoError(t, err)
	return inBase64([]byte(inBase64(compressed(t, string(release)))))
}

const kubernetesSettings = `{"fields":["/object/data/*","/object/binaryData/*"]}`

func admission(object string) string {
	return `{"settings":` + kubernetesSettings + `,"request":{"uid":"1","operation":"CREATE","object":` + object + `}}`
}

func TestKubewardenValidate(t *testing.T) {
	bomb := inBase64(forged(t, "gzip", "--size", "10GiB", "--layers", "2"))
	large := inBase64(forged(t, "gzip", "--size", "5GiB"))
	isize := inBase64(forged(t, "gzip", "--size", "1000", "--isize", "4294967295"))
	array := inBase64(forged(t, "msgpack", "--array", "4294967295"))
	for _, c := range []struct {
		name, request string
		message       string // "": accepted
	}{
		{"Helm's release secret", admission(`{"kind":"Secret","data":{"release":"` + helmRelease(t) + `"}}`), ""},
		{"secret of 3 MB", admission(`{"data":{"a":"` + strings.Repeat("0123456789ab", 250_000) + `","b":"e30="}}`), ""},
		{"request of 3 MB of members", admission(`{"data":{"a":"e30="},"spec":[` + strings.TrimSuffix(strings.Repeat(`{"name":"a","value":[1,true]},`, 100_000), ",") + `]}`), ""},
		{"gzip of 10 GiB in gzip", admission(`{"data":{"bomb":"` + bomb + `"}}`), "/object/data/bomb: gzip/decompressed-size"},
		{"gzip of 5 GiB that fills the request, raw", `{"request":{"payload":"` + large + `"}}`, "/payload: gzip/decompressed-size"},
		{"forged release secret", admission(`{"data":{"release":"` + inBase64([]byte(isize)) + `"}}`),
			"/object/data/release (base64 taken off twice): gzip/isize-forged"},
		{"msgpack of 5 bytes", `{"request":{"payload":"` + array + `"}}`, "/payload: msgpack/header-oversized"},
		{"JSON of 2 MB of brackets", `{"request":{"payload":"` + inBase64(forged(t, "json", "--depth", "1000000")) + `"}}`, "/payload: json/depth"},
		{"request of 4 MB of brackets", admission(strings.Repeat("[", 2_000_000) + strings.Repeat("]", 2_000_000)), "json/depth"},
		{"request of 600 000 names", admission(`{` + strings.TrimSuffix(names(600_000), ",") + `}`), "json/duplicate-unchecked"},
		{"request above its limit", admission(`"` + strings.Repeat("a", 9<<20) + `"`), "longer than the 8388608 bytes"},
		{"field that is there twice", `{"request":{"payload":"e30=","payload":"e30="}}`, "json/duplicate-key"},
		{"settings that are not valid", `{"request":{"payload":"e30="},"settings":{"chian":"json"}}`, "did you mean chain?"},
		{"pointers that match all there is", `{"settings":{"fields":[` + strings.TrimSuffix(strings.Repeat(`"/*/*/*/*",`, 32), ",") + `]},"request":` +
			strings.Repeat("[", 3) + strings.TrimSuffix(strings.Repeat(`["e30=","e30="],`, 200_000), ",") + strings.Repeat("]", 3) + `}`, "match more than 4096 fields"},
		{"nothing", ``, "the request: input/empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachPolicyServer(t, func(t *testing.T, h Host) {
				var response policyResponse
				asPolicyServer(t, h, "validate", c.request, &response)
				if strings.Contains(response.Message, "input/time: not done within") {
					// The largest requests take a fifth of the time there is under
					// wasmtime, and all of it under wazero or where the machine is
					// busy.
					t.Skip("refused in time, but not judged: the machine is too slow")
				}
				require.Equal(t, c.message == "", response.Accepted, response.Message)
				require.Contains(t, response.Message, c.message)
			})
		})
	}
}

// names returns members of an object, each with a comma after it.
func names(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"%d":1,`, i)
	}
	return b.String()
}

// What costs all the time there is ends in a refusal, and not in a trap: a
// module cannot be interrupted by a timer of its own.
func TestKubewardenOutOfTime(t *testing.T) {
	slow := inBase64(compressed(t, strings.Repeat("0123456789", 10<<20)))
	fields := strings.TrimSuffix(strings.Repeat(`"`+slow+`",`, 20), ",")
	eachPolicyServer(t, func(t *testing.T, h Host) {
		var response policyResponse
		begin := time.Now()
		asPolicyServer(t, h, "validate", `{"settings":{"fields":["/*"]},"request":[`+fields+`]}`, &response)
		Summarised.Add("kubewarden: %s refused a request of %d KiB that takes too long after %.2f s",
			h.Name(), len(fields)>>10, time.Since(begin).Seconds())
		require.Contains(t, response.Message, "input/time: not done within 900ms (input.max-time)")
	})
}

// A policy server sets no cap on memory. What the largest requests take fits
// under one all the same.
func TestKubewardenMemory(t *testing.T) {
	const limit = 64 << 20
	for _, c := range []struct{ name, request string }{
		{"one field", admission(`{"data":{"a":"` + strings.Repeat("0123456789ab", 650_000) + `"}}`)},
		{"one field with escapes", admission(`{"data":{"a":"` + strings.Repeat(`0123456789a\u0062`, 450_000) + `"}}`)},
		{"base64 twice", admission(`{"data":{"a":"` + inBase64([]byte(inBase64(bytes.Repeat([]byte("x"), 4<<20)))) + `"}}`)},
		{"many names", admission(`{"data":{"a":"e30="},"x":{` + strings.TrimSuffix(names(250_000), ",") + `}}`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachPolicyServer(t, func(t *testing.T, h Host) {
				r, err := h.Run(t.Context(), Call{Args: []string{"validate"}, Stdin: strings.NewReader(c.request), MemoryLimit: limit})
				require.NoError(t, err)
				require.Zero(t, r.Exit, r)
				require.Contains(t, r.Stdout, `"accepted":`)
			})
		})
	}
}

func TestKubewardenValidateSettings(t *testing.T) {
	for _, c := range []struct{ settings, message string }{
		{`{}`, ""},
		{kubernetesSettings, ""},
		{`{"profile":"gateway","limits":{"json.max-depth":16}}`, ""},
		{`{"fields":["payload"]}`, "begin it with /"},
		{`{"fields":["/a~2"]}`, "write ~0 for ~"},
		{`{"limits":{"json.max-depth":"none"}}`, "settings may only tighten the profile"},
		{strings.Repeat("[", 60_000), "json/depth"},
	} {
		eachPolicyServer(t, func(t *testing.T, h Host) {
			var response struct {
				Valid   bool   `json:"valid"`
				Message string `json:"message"`
			}
			asPolicyServer(t, h, "validate-settings", c.settings, &response)
			require.Equal(t, c.message == "", response.Valid, c.settings)
			require.Contains(t, response.Message, c.message)
		})
	}
}
