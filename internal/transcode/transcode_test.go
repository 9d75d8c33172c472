package transcode

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/msgpackcheck"
	"github.com/harden-input/harden/rule"
)

func array(values ...[]byte) []byte {
	return append(msgp.AppendArrayHeader(nil, uint32(len(values))), bytes.Join(values, nil)...)
}

func object(keysAndValues ...[]byte) []byte {
	return append(msgp.AppendMapHeader(nil, uint32(len(keysAndValues)/2)), bytes.Join(keysAndValues, nil)...)
}

func str(s string) []byte    { return msgp.AppendString(nil, s) }
func num(n int64) []byte     { return msgp.AppendInt64(nil, n) }
func flt(f float64) []byte   { return msgp.AppendFloat64(nil, f) }
func bin(b ...byte) []byte   { return msgp.AppendBytes(nil, b) }
func at(t time.Time) []byte  { return msgp.AppendTimeExt(nil, t) }
func raw(b ...byte) []byte   { return b }
func text32(s string) []byte { return append([]byte{0xdb, 0, 0, 0, byte(len(s))}, s...) }

func TestMsgpack(t *testing.T) {
	for name, tt := range map[string]struct {
		in   []byte
		want string
	}{
		"nil":                          {raw(0xc0), `null`},
		"bools":                        {array(raw(0xc2), raw(0xc3)), `[false,true]`},
		"the largest uint":             {msgp.AppendUint64(nil, math.MaxUint64), `18446744073709551615`},
		"the smallest int":             {num(math.MinInt64), `-9223372036854775808`},
		"ints of every width":          {array(num(-1), num(-33), num(-129), num(-32769), num(200), num(60000), num(1<<31)), `[-1,-33,-129,-32769,200,60000,2147483648]`},
		"a longer encoding":            {raw(0xd3, 0, 0, 0, 0, 0, 0, 0, 1), `1`},
		"floats":                       {array(flt(1), flt(1.5), flt(1e300), flt(1e-9), flt(5e-324), flt(math.Copysign(0, -1))), `[1,1.5,1e+300,1e-9,5e-324,-0]`},
		"float 32, at its exact value": {msgp.AppendFloat32(nil, 0.1), `0.10000000149011612`},
		"bin":                          {bin(0xff), `"/w=="`},
		"str":                          {str("a\"\\\n\t\x00é😀"), `"a\"\\\n\t\u0000é😀"`},
		"str 32":                       {text32("long form"), `"long form"`},
		"what commands a terminal":     {str("\x1b[31m\u007f\u009b\u202e\u2028\U000e0001"), `"\u001b[31m\u007f\u009b\u202e\u2028\udb40\udc01"`},
		"empty":                        {array(array(), object(), str(""), bin()), `[[],{},"",""]`},
		"order of keys":                {object(str("b"), num(1), str("a"), num(2)), `{"b":1,"a":2}`},
		"keys that are not str": {object(num(1), num(0), num(-1), num(0), flt(1.5), num(0), raw(0xc0), num(0), raw(0xc3), num(0), bin(0xff), num(0)),
			`{"1":0,"-1":0,"1.5":0,"null":0,"true":0,"/w==":0}`},
		"a NaN key": {object(flt(math.NaN()), num(1)), `{"NaN":1}`},
		"ext":       {raw(0xd4, 5, 1), `{"ext":5,"data":"AQ=="}`},
		"ext 8":     {raw(0xc7, 3, 0x80, 1, 2, 3), `{"ext":-128,"data":"AQID"}`},
		"timestamps": {array(raw(0xd6, 0xff, 0, 0, 0, 1), at(time.Unix(1700000000, 5))),
			`["1970-01-01T00:00:01Z","2023-11-14T22:13:20.000000005Z"]`},
		"a timestamp as a key": {object(raw(0xd6, 0xff, 0, 0, 0, 1), num(1)), `{"1970-01-01T00:00:01Z":1}`},
		"a timestamp without a date": {raw(0xc7, 12, 0xff, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
			`{"ext":-1,"data":"AAAAAH//////////"}`},
		"equal names in different maps": {array(object(str("a"), object(str("a"), num(1))), object(str("a"), num(2))), `[{"a":{"a":1}},{"a":2}]`},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, Msgpack(&b, tt.in, Options{}))
			require.Equal(t, tt.want+"\n", b.String())
			require.True(t, json.Valid(b.Bytes()))
		})
	}
}

func TestWhatJSONCannotSay(t *testing.T) {
	for name, tt := range map[string]struct {
		in            []byte
		rule, pointer string
		lossy         string // "": refused all the same
	}{
		"NaN":                 {array(num(1), flt(math.NaN())), "decode/not-finite", "/1", `[1,null]`},
		"infinite":            {object(str("a"), flt(math.Inf(-1))), "decode/not-finite", "/a", `{"a":null}`},
		"infinite of 32 bits": {msgp.AppendFloat32(nil, float32(math.Inf(1))), "decode/not-finite", "", `null`},
		"1 and \"1\"":         {array(object(num(1), str("first"), str("1"), array(num(1), object(num(2), num(3))), str("b"), num(4))), "decode/key-collision", "/0/1", `[{"1":"first","b":4}]`},
		"bin and its base64":  {object(bin(0xff), num(1), str("/w=="), num(2)), "decode/key-collision", "/~1w==", `{"/w==":1}`},
		"not UTF-8":           {array(str("a\xffb")), "decode/utf8", "/0", `["a\ufffdb"]`},
		"a key not UTF-8":     {object(str("\xff"), num(1), str("\xfe"), num(2)), "decode/utf8", `/\xff`, `{"\ufffd":1}`},
		"an array as a key":   {object(array(), num(1)), "decode/key-type", "/…", ""},
		"a map as a key":      {object(object(), num(1)), "decode/key-type", "/…", ""},
		"an ext as a key":     {object(raw(0xd4, 5, 1), num(1)), "decode/key-type", "/…", ""},
		"cut off":             {raw(0xa5, 'a'), "msgpack/truncated", "", ""},
		"forged":              {raw(0xdd, 0xff, 0xff, 0xff, 0xff), "msgpack/header-oversized", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			err := Msgpack(&b, tt.in, Options{})
			var v *rule.Violation
			require.ErrorAs(t, err, &v)
			require.Equal(t, tt.rule, v.Rule.ID)
			require.Equal(t, tt.pointer, v.Pointer)
			require.Empty(t, b.String())
			err = Msgpack(&b, tt.in, Options{Lossy: true})
			if tt.lossy == "" {
				require.ErrorAs(t, err, &v)
				require.Empty(t, b.String())
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.lossy+"\n", b.String())
		})
	}
}

func TestMaxOutput(t *testing.T) {
	in := array(str(strings.Repeat("x", 100_000)), bin(make([]byte, 100_000)...))
	var b bytes.Buffer
	require.NoError(t, Msgpack(&b, in, Options{}))
	size := uint64(b.Len())
	b.Reset()
	require.NoError(t, Msgpack(&b, in, Options{MaxOutput: size}))
	require.Equal(t, size, uint64(b.Len()))
	b.Reset()
	var v *rule.Violation
	require.ErrorAs(t, Msgpack(&b, in, Options{MaxOutput: size - 1}), &v)
	require.Equal(t, "decode/output", v.Rule.ID)
	require.Zero(t, b.Len())
}

// Long values are written in pieces, which must not show.
func TestLongValues(t *testing.T) {
	for _, unit := range []string{"x", "é", "€", "😀", "\u2028", "\"", "a😀é"} {
		for shift := range 5 {
			want := strings.Repeat("x", shift) + strings.Repeat(unit, 100_000)
			var b bytes.Buffer
			require.NoError(t, Msgpack(&b, str(want), Options{}))
			var got string
			require.NoError(t, json.Unmarshal(b.Bytes(), &got))
			require.True(t, want == got, "%q shifted by %d", unit, shift)
		}
	}
	want := bytes.Repeat([]byte{1, 2, 3, 4, 5}, 50_001)
	var b bytes.Buffer
	require.NoError(t, Msgpack(&b, bin(want...), Options{}))
	var got []byte
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	require.True(t, bytes.Equal(want, got))
}

func TestErrorOfTheWriter(t *testing.T) {
	gone := errors.New("gone")
	require.ErrorIs(t, Msgpack(failing{gone}, num(1), Options{}), gone)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestDepth(t *testing.T) {
	deep := func(n int) []byte { return append(bytes.Repeat([]byte{0x91}, n), 0xc0) }
	require.NoError(t, Msgpack(io.Discard, deep(maxDepth), Options{}))
	var v *rule.Violation
	require.ErrorAs(t, Msgpack(io.Discard, deep(maxDepth+1), Options{}), &v)
	require.Equal(t, "msgpack/depth", v.Rule.ID)
}

// holds is what every payload must keep to: it is refused with nothing written,
// or comes out as UTF-8 that is valid JSON.
func holds(t testing.TB, src []byte, opt Options) {
	var b bytes.Buffer
	err := Msgpack(&b, src, opt)
	var v *rule.Violation
	switch {
	case err == nil:
		require.True(t, json.Valid(b.Bytes()), "%x became %q", src, b.Bytes())
		require.True(t, utf8.Valid(b.Bytes()))
	case errors.As(err, &v):
		require.Zero(t, b.Len())
	default:
		require.NoError(t, err)
	}
}

func TestCorpus(t *testing.T) {
	for _, c := range corpus.All() {
		if c.Large {
			continue
		}
		var b bytes.Buffer
		_, err := c.Payload.WriteTo(&b)
		require.NoError(t, err)
		for _, lossy := range []bool{false, true} {
			holds(t, b.Bytes(), Options{Limits: msgpackcheck.DefaultLimits(), Lossy: lossy})
		}
	}
}
