package kubewarden

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/forge/msgpack"
	"github.com/harden-input/harden/rule"
)

func validated(t testing.TB, input string) Response {
	var out bytes.Buffer
	require.NoError(t, Validate(context.Background(), strings.NewReader(input), &out))
	var response Response
	d := json.NewDecoder(&out)
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&response))
	require.Equal(t, io.EOF, d.Decode(new(any)), "one value")
	require.Equal(t, response.Accepted, response.Message == "")
	require.Equal(t, response.Accepted, response.Code == 0)
	return response
}

// encoded returns a payload as base64.
func encoded(t testing.TB, payload io.WriterTo) string {
	var b bytes.Buffer
	_, err := payload.WriteTo(&b)
	require.NoError(t, err)
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func text(s string) forge.Bytes { return forge.Bytes(s) }

func gzipOf(s string) forge.Gzip { return forge.Gzip{Body: forge.Text(s)} }

// forgedISIZE is a gzip of 5 bytes that says it holds 4 GiB.
func forgedISIZE() forge.Gzip {
	g := gzipOf("hello")
	g.Trailer = func(t *forge.Trailer) { t.ISIZE = math.MaxUint32 }
	return g
}

// lines returns n bytes of lines that hold 1.
func lines(n uint64) forge.Body {
	return func(d *forge.Deflate) {
		d.Fixed(forge.Final)
		d.Run([]byte("1\n"), n)
		d.EndBlock()
	}
}

func TestValidateRaw(t *testing.T) {
	gzipJSON := encoded(t, gzipOf(`{"a":1}`))
	for _, c := range []struct {
		name, payload, settings string
		message                 string // "": accepted
	}{
		{"json", encoded(t, text(`{"a":1}`)), ``, ""},
		{"gzip around json", gzipJSON, ``, ""},
		{"gzip around anything", encoded(t, gzipOf("hello")), ``, ""},
		{"msgpack", encoded(t, msgpack.Map(msgpack.Str("a"), msgpack.Int(1))), ``, ""},
		{"base64 twice", encoded(t, text(gzipJSON)), ``, ""},
		{"as declared", gzipJSON, `{"chain":"gzip+json"}`, ""},
		{"as declared, under base64 twice", encoded(t, text(gzipJSON)), `{"chain":"gzip+json"}`, ""},
		{"layer that may be missing", encoded(t, text(`[1]`)), `{"chain":"gzip?+json"}`, ""},

		{"forged trailer", encoded(t, forgedISIZE()), ``,
			"/payload: gzip/isize-forged at byte 21: trailer declares 4294967295 bytes, member holds 5 (declared 4294967295 bytes (4.0 GiB), actual 5 bytes)"},
		{"forged trailer, under base64 twice", encoded(t, text(encoded(t, forgedISIZE()))), ``,
			"/payload (base64 taken off twice): gzip/isize-forged at byte 21: "},
		{"msgpack bomb", encoded(t, msgpack.Array32.Of(math.MaxUint32)), ``,
			"/payload: msgpack/header-oversized at byte 0: array header promises 4294967295 values"},
		{"bomb", encoded(t, forge.Bomb(1<<30, 0)), ``,
			"[gzip.max-decompressed-size] (limit 134217728 bytes (128 MiB))"},
		{"more than the settings allow", encoded(t, gzipOf("hello")), `{"limits":{"gzip.max-decompressed-size":4}}`,
			"[gzip.max-decompressed-size] (limit 4 bytes)"},
		{"more than the profile allows", encoded(t, text(strings.Repeat("[", 33)+strings.Repeat("]", 33))), `{"profile":"gateway"}`,
			"/payload: json/depth at byte 32"},
		{"a note where notes fail", encoded(t, forge.Sequence{gzipOf("a"), gzipOf("b")}), `{"fail-on":"note"}`,
			"/payload: gzip/multi-member"},
		{"cut off", encoded(t, forge.Head{Payload: gzipOf("hello"), N: 12}), ``, "/payload: gzip/truncated"},
		{"not as declared", encoded(t, text(`{"a":1}`)), `{"chain":"gzip+json"}`,
			"/payload: input/format-mismatch: said to be gzip, the bytes are not"},
		{"inside not as declared", encoded(t, gzipOf("hello")), `{"chain":"gzip+json"}`, "/payload: json/syntax at byte 0 of json (layer 1)"},
		{"in no format", encoded(t, text("hello, world")), ``,
			"/payload: input/unrecognised: in no format that harden knows: name it with the setting chain"},
		{"nothing", ``, ``, "/payload: input/empty: empty input"},
		{"not base64", `hello, world`, ``, "/payload is not base64"},
		{"readable in two ways, one of them bad", encoded(t, text("3333")), ``,
			"/payload (base64 taken off twice): msgpack/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			settings := c.settings
			if settings == "" {
				settings = "{}"
			}
			response := validated(t, fmt.Sprintf(`{"request":{"payload":%q},"settings":%s}`, c.payload, settings))
			if c.message == "" {
				require.Equal(t, Response{Accepted: true}, response)
				return
			}
			require.Contains(t, response.Message, c.message)
			require.EqualValues(t, codeRequest, response.Code)
		})
	}
}

func TestValidateKubernetes(t *testing.T) {
	settings := func(more string) string {
		return `{"fields":["/object/data/*","/object/binaryData/*"]` + more + `}`
	}
	release := encoded(t, text(encoded(t, gzipOf(`{"name":"web","version":1}`))))
	badRelease := encoded(t, text(encoded(t, forgedISIZE())))
	for _, c := range []struct {
		name, object, settings string
		message                string
	}{
		{"Helm's release secret", `{"data":{"release":"` + release + `"}}`, settings(``), ""},
		{"forged release secret", `{"data":{"release":"` + badRelease + `"}}`, settings(``),
			"/object/data/release (base64 taken off twice): gzip/isize-forged"},
		{"password", `{"data":{"password":"` + encoded(t, text("correct horse")) + `"}}`, settings(``), ""},
		// Base64 once more taken off, this is a header of msgpack.
		{"password of digits", `{"data":{"port":"` + encoded(t, text("3306")) + `"}}`, settings(``), ""},
		{"password like a JSON number that costs", `{"data":{"password":"` + encoded(t, text("1e999")) + `"}}`, settings(``), ""},
		{"text of a config map", `{"data":{"a":"3306","b":"[section]\nkey=1","c":"","d":"{\"a\":","e":"abcd"}}`, settings(``), ""},
		{"bomb in a config map", `{"data":{"a":"x"},"binaryData":{"b":"` + encoded(t, forge.Bomb(1<<30, 0)) + `"}}`, settings(``),
			"/object/binaryData/b: gzip/decompressed-size"},
		{"release of Helm in a config map", `{"data":{"release":"` + encoded(t, forgedISIZE()) + `"}}`, settings(``),
			"/object/data/release: gzip/isize-forged"},
		// Names of files claim formats, those of members do not: a stream of
		// records may be longer than a payload.
		{"lines that are together too much", `{"data":{"a.ndjson.gz":"` + encoded(t, forge.Gzip{Body: lines(2 << 20)}) + `"}}`, settings(`,"profile":"gateway"`),
			"/object/data/a.ndjson.gz: gzip/decompressed-size"},
		{"name of another format", `{"data":{"a.msgpack":"` + encoded(t, text("hello")) + `"}}`, settings(``), ""},
		{"no data", `{"metadata":{}}`, settings(``), ""},
		{"empty data", `{"data":{},"binaryData":null}`, settings(``), ""},
		{"no object", `null`, settings(``), ""},
		{"value that is no string", `{"data":{"a":1,"b":null,"c":{}}}`, settings(``), ""},
		{"not the declared chain", `{"data":{"a":"` + encoded(t, text("[1,")) + `"}}`, settings(`,"chain":"gzip"`), ""},
		{"the declared chain outside, another inside", `{"data":{"a":"` + encoded(t, gzipOf("hello")) + `"}}`, settings(`,"chain":"gzip+json"`),
			"/object/data/a: json/syntax"},

		{"unrecognised where a format is required", `{"data":{"a":"` + encoded(t, text("hello")) + `"}}`, settings(`,"require-format":true`),
			"/object/data/a: input/unrecognised"},
		{"not base64 where a format is required", `{"data":{"a":"hello, world"}}`, settings(`,"require-format":true`),
			"/object/data/a is not base64"},
		{"no string where a format is required", `{"data":{"a":1}}`, settings(`,"require-format":true`),
			"/object/data/a is not a string: base64 is expected"},
		{"empty where a format is required", `{"data":{"a":""}}`, settings(`,"require-format":true`), "input/empty"},
		{"no data where a format is required", `{}`, settings(`,"require-format":true`), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			response := validated(t, `{"settings":`+c.settings+`,"request":{"uid":"1","operation":"CREATE","object":`+c.object+`}}`)
			if c.message == "" {
				require.Equal(t, Response{Accepted: true}, response)
				return
			}
			require.Contains(t, response.Message, c.message)
		})
	}
}

func TestRequestsThatCannotBeJudgedAreRefused(t *testing.T) {
	payload := `{"payload":"` + encoded(t, text(`{}`)) + `"}`
	for _, c := range []struct {
		name, input, message string
		code                 uint16
	}{
		{"empty", ``, "the request: input/empty: empty input", codeRequest},
		{"not JSON", `request`, "json/syntax", codeRequest},
		{"cut off", `{"request":{"payload":"`, "json/truncated", codeRequest},
		{"two", `{} {}`, "json/trailing-data", codeRequest},
		{"not an object", `[]`, "not an object", codeRequest},
		{"without a request", `{"settings":{}}`, `the member "request" is missing`, codeRequest},
		{"named in another case", `{"Request":` + payload + `}`, `the member "request" is missing`, codeRequest},
		{"a request that is null", `{"request":null}`, "/payload is missing: the setting fields says that it is there", codeRequest},
		{"a field that is no string", `{"request":{"payload":{}}}`, "/payload is not a string: base64 is expected", codeRequest},
		{"a field that is there twice", `{"request":{"payload":"e30=","payload":"e30="}}`, "json/duplicate-key", codeRequest},
		{"a field that is there twice, once escaped", `{"request":{"payload":"e30=","p\u0061yload":"e30="}}`, "json/duplicate-key", codeRequest},
		{"a request that is there twice", `{"request":` + payload + `,"request":` + payload + `}`, "json/duplicate-key", codeRequest},
		{"half of a surrogate pair", `{"request":{"payload":"e30=","\ud800":1}}`, "json/lone-surrogate", codeRequest},
		{"a byte order mark", "\ufeff" + `{"request":` + payload + `}`, "json/bom", codeRequest},
		{"too deep", `{"request":{"payload":"e30=","a":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}}`, "json/depth", codeRequest},
		{"not UTF-8", "{\"request\":{\"payload\":\"e30=\",\"\xff\":1}}", "json/utf8", codeRequest},
		{"too long", `{"request":` + payload + strings.Repeat(" ", maxInput) + `}`, "longer than the 8388608 bytes", codeRequest},
		{"settings that are not valid", `{"request":` + payload + `,"settings":{"chian":"gzip"}}`, `settings: unknown setting "chian"`, codeSettings},
		{"settings too long", `{"request":` + payload + `,"settings":{"chain":"` + strings.Repeat("a", maxSettings) + `"}}`, "settings: 65548 bytes long, allowed are 65536", codeSettings},
	} {
		t.Run(c.name, func(t *testing.T) {
			response := validated(t, c.input)
			require.Contains(t, response.Message, c.message)
			require.Equal(t, c.code, response.Code)
		})
	}
}

func TestSettingsMayBeAbsent(t *testing.T) {
	request := `"request":{"payload":"` + encoded(t, text(`{}`)) + `"}`
	for _, input := range []string{`{` + request + `}`, `{` + request + `,"settings":null}`, `{` + request + `,"settings":{}}`, `{"other":[1],` + request + `}`} {
		require.True(t, validated(t, input).Accepted, input)
	}
}

func TestInputAtTheLimitIsRead(t *testing.T) {
	input := `{"request":{"payload":"` + encoded(t, text(`{}`)) + `"}}`
	require.True(t, validated(t, input+strings.Repeat(" ", maxInput-len(input))).Accepted)
}

func TestFirstViolationsAreShownAndAllCounted(t *testing.T) {
	bad := encoded(t, forgedISIZE())
	var members []string
	for i := range 10 {
		members = append(members, fmt.Sprintf(`"m%d":%q`, i, bad))
	}
	response := validated(t, `{"settings":{"fields":["/*","/plain"]},"request":{`+strings.Join(members, ",")+`}}`)
	require.Equal(t, maxShown, strings.Count(response.Message, "gzip/isize-forged"))
	require.True(t, strings.HasSuffix(response.Message, "; and 8 more"), response.Message)
}

// Violations that one payload counts and does not list are counted here too.
func TestFloodOfViolationsIsCounted(t *testing.T) {
	twice := "{" + strings.TrimSuffix(strings.Repeat(`"a":1,`, 1001), ",") + "}"
	response := validated(t, fmt.Sprintf(`{"settings":{"profile":"strict"},"request":{"payload":%q}}`, encoded(t, text(twice))))
	require.True(t, strings.HasSuffix(response.Message, "; and 997 more"), response.Message)
}

func TestMoreFieldsThanAllowedAreRefused(t *testing.T) {
	for _, n := range []int{maxFields, maxFields + 1} {
		request := `["x"` + strings.Repeat(`,"x"`, n-1) + `]`
		response := validated(t, `{"settings":{"fields":["/*"]},"request":`+request+`}`)
		require.Equal(t, n <= maxFields, response.Accepted)
		if n > maxFields {
			require.Equal(t, "the pointers match more than 4096 fields of the request", response.Message)
		}
	}
}

// The time is one for all fields, and ends where no timer does.
func TestRequestOutOfTimeIsRefused(t *testing.T) {
	bomb := encoded(t, forge.Bomb(100<<20, 100<<20))
	fields := strings.Repeat(`,"`+bomb+`"`, 8)
	response := validated(t, `{"settings":{"fields":["/*"],"limits":{"input.max-time":"20ms"}},"request":["x"`+fields+`]}`)
	require.Regexp(t, `^/\d: input/time: not done within 20ms \(input.max-time\)$`, response.Message)
}

func TestJudgingEndsWithTheTime(t *testing.T) {
	over := deadline{t.Context(), time.Now().Add(-time.Second)}
	for _, c := range []struct{ name, field, request, message string }{
		{"at a field", "/payload", `{"payload":"e30="}`, "/payload: input/time: not done within 900ms (input.max-time)"},
		{"at a field that would be left out", "/*", `{"payload":""}`, "/payload: input/time: not done within 900ms (input.max-time)"},
		{"before any field", "/*/payload", "[" + strings.Repeat("[],", stepsAtOnce) + `{"payload":"e30="}]`,
			"looking for the fields: input/time: not done within 900ms (input.max-time)"},
		{"between fields, said once", "/*", `["x","x"` + strings.Repeat(`,"x"`, stepsAtOnce) + `]`, "/0: input/time: not done within 900ms (input.max-time)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := parseSettings([]byte(`{"fields":["` + c.field + `"]}`))
			require.NoError(t, err)
			require.Equal(t, c.message, p.judge(over, []byte(c.request)))
		})
	}
}

func TestRequestIsStoppedFromOutside(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out bytes.Buffer
	require.NoError(t, Validate(ctx, strings.NewReader(`{"request":{"payload":"e30="}}`), &out))
	require.Contains(t, out.String(), "input/time")
}

func TestMessagesAreSafeToPrint(t *testing.T) {
	name := `\u001b[2J\u202e\\` + strings.Repeat(`\u0001`, 2000)
	for _, request := range []string{
		`{"` + name + `":"` + encoded(t, forgedISIZE()) + `"}`,
		`{"` + name + `":"` + encoded(t, text(`{"\u001b[2J\u202e":[}`)) + `"}`,
		`{"` + name + `":"` + encoded(t, forge.Gzip{Name: "\x1b[2J\u202e", Body: forge.Text("")}) + `"}`,
		`{"` + name + `":1}`,
		`{"` + name + `":"` + name + `"}`,
		`{"` + name + `":{"a":1,"a":2}}`,
		`{"` + name + `":`,
	} {
		message := validated(t, `{"settings":{"fields":["/*"],"require-format":true,"fail-on":"note"},"request":`+request+`}`).Message
		require.NotEmpty(t, message)
		require.Equal(t, strings.ReplaceAll(message, `\`, `\\`), rule.Excerpt(message, len(message)))
		require.Less(t, len(message), 4<<10)
	}
}

func TestMessagesQuoteNoValue(t *testing.T) {
	const secret = "swordfish"
	for _, payload := range []io.WriterTo{text(secret), text(`{"a":` + secret), gzipOf(secret), text(`["` + secret + `"`)} {
		for _, field := range []string{encoded(t, payload), secret + " ", encoded(t, payload) + secret} {
			message := validated(t, fmt.Sprintf(`{"settings":{"chain":"gzip+json"},"request":{"payload":%q}}`, field)).Message
			require.NotEmpty(t, message)
			require.NotContains(t, message, secret)
			require.NotContains(t, message, encoded(t, payload))
		}
	}
}

func TestReaderThatFailsIsRefused(t *testing.T) {
	for _, r := range []io.Reader{iotest.ErrReader(errors.New("gone")), io.MultiReader(strings.NewReader(`{"request":`), iotest.ErrReader(io.ErrUnexpectedEOF))} {
		var out bytes.Buffer
		require.NoError(t, Validate(context.Background(), r, &out))
		require.Contains(t, out.String(), `"accepted":false`)
		require.Contains(t, out.String(), "reading the input")
	}
	var out bytes.Buffer
	require.NoError(t, ValidateSettings(iotest.ErrReader(errors.New("gone")), &out))
	require.Contains(t, out.String(), `"valid":false`)
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAnswerThatCannotBeWrittenIsAnError(t *testing.T) {
	require.ErrorContains(t, Validate(context.Background(), strings.NewReader(`{}`), fullDisk{}), "writing the answer: no space left")
	require.ErrorContains(t, ValidateSettings(strings.NewReader(`{}`), fullDisk{}), "writing the answer: no space left")
}
