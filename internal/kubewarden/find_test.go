package kubewarden

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/pointer"
)

// found looks up pointers in text, and returns what they lead to and which
// plain ones lead nowhere.
func found(t testing.TB, text string, pointers ...string) (fields, missing []string) {
	f := finder{ctx: t.Context(), c: cursor{text: []byte(text)}, met: map[*fieldPointer]bool{}}
	f.found = func(at *field) {
		value := "no string"
		if at.text != nil {
			value = string(unquote(at.text))
		}
		fields = append(fields, fmt.Sprintf("%s=%s", at, value))
	}
	var all []*fieldPointer
	for _, text := range pointers {
		p, err := parsePointer(text)
		require.NoError(t, err)
		all = append(all, p)
	}
	f.value(all)
	for _, p := range all {
		if !p.wild && !f.met[p] {
			missing = append(missing, p.text)
		}
	}
	return fields, missing
}

func TestPointersLeadToFields(t *testing.T) {
	for _, c := range []struct {
		name, text string
		pointers   []string
		fields     []string
		missing    []string
	}{
		{"member", `{"a":"1","b":"2"}`, []string{"/b"}, []string{"/b=2"}, nil},
		{"the request itself", `"x"`, []string{""}, []string{"the request=x"}, nil},
		{"member of a member", `{"a":{"b":"1"}}`, []string{"/a/b"}, []string{"/a/b=1"}, nil},
		{"element", `["a","b"]`, []string{"/1"}, []string{"/1=b"}, nil},
		{"member named like an index", `{"1":"a"}`, []string{"/1"}, []string{"/1=a"}, nil},
		{"index with a zero before it", `["a","b"]`, []string{"/01"}, nil, []string{"/01"}},
		{"index past the end", `["a"]`, []string{"/1", "/-"}, nil, []string{"/1", "/-"}},
		{"escaped name", `{"a/b~c":"1"}`, []string{"/a~1b~0c"}, []string{"/a~1b~0c=1"}, nil},
		{"name escaped in the text", `{"\u0061\n":"1\u0032"}`, []string{"/a\n"}, []string{`/a\x0a=12`}, nil},
		{"empty name", `{"":{"":"1"}}`, []string{"//"}, []string{"//=1"}, nil},
		{"all members", `{"d":{"a":"1","b":2,"c":"3"}}`, []string{"/d/*"}, []string{"/d/a=1", "/d/b=no string", "/d/c=3"}, nil},
		{"all elements", `{"d":["1","2"]}`, []string{"/d/*"}, []string{"/d/0=1", "/d/1=2"}, nil},
		{"a member of all", `[{"a":"1"},{"b":"2"},{"a":"3"}]`, []string{"/*/a"}, []string{"/0/a=1", "/2/a=3"}, nil},
		{"member named *", `{"*":"1","a":"2"}`, []string{"/*"}, []string{"/*=1", "/a=2"}, nil},
		{"* inside a name is itself", `{"a*":"1","ab":"2"}`, []string{"/a*"}, []string{"/a*=1"}, nil},
		{"no data", `{"d":{}}`, []string{"/d/*", "/e/*"}, nil, nil},
		{"of a scalar", `{"d":1}`, []string{"/d/*", "/d/a"}, nil, []string{"/d/a"}},
		{"missing", `{"a":"1"}`, []string{"/b", "/a/b"}, nil, []string{"/b", "/a/b"}},
		{"other case", `{"Payload":"1"}`, []string{"/payload"}, nil, []string{"/payload"}},
		{"both ways to a field count once", `{"a":"1"}`, []string{"/*", "/a"}, []string{"/a=1"}, nil},
		{"an object, and what is in it", `{"a":{"b":"1"}}`, []string{"/a", "/a/b"}, []string{"/a=no string", "/a/b=1"}, nil},
		{"empty string", `{"a":""}`, []string{"/a"}, []string{"/a="}, nil},
		{"quotes and backslashes before it", `{"x":"\\","y":"\"}","z":["\\\\\"",{"a":"]"}],"a":"1"}`, []string{"/a"}, []string{"/a=1"}, nil},
		{"space before it", "{ \"x\" : [ 1 , true , null , -1e5 ] ,\n\"a\" :\t\"1\" }", []string{"/a"}, []string{"/a=1"}, nil},
		{"scalar", ` 12`, []string{"/a", "/*"}, nil, []string{"/a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fields, missing := found(t, c.text, c.pointers...)
			require.Equal(t, c.fields, fields)
			require.Equal(t, c.missing, missing)
		})
	}
}

func TestFoundFieldsAreBounded(t *testing.T) {
	text := "[" + strings.TrimSuffix(strings.Repeat(`"",`, maxFields+5), ",") + "]"
	fields, _ := found(t, text, "/*")
	require.Len(t, fields, maxFields)
}

func TestLookingEndsWithTheTime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, err := parsePointer("/*/a")
	require.NoError(t, err)
	f := finder{ctx: ctx, c: cursor{text: []byte("[" + strings.Repeat("{},", stepsAtOnce) + `{"a":""}]`)}}
	f.value([]*fieldPointer{p})
	require.True(t, f.late)
	require.Zero(t, f.fields)
}

func TestPathsOfFieldsAreBounded(t *testing.T) {
	name := strings.Repeat("\x01", 500)
	quoted, err := json.Marshal(map[string]string{name: ""})
	require.NoError(t, err)
	fields, _ := found(t, string(quoted), "/*")
	require.Len(t, fields, 1)
	require.Less(t, len(fields[0]), pointer.MaxLength)
	require.NotContains(t, fields[0], "\x01")
}

// What the finder makes of a text is what encoding/json makes of it.
func FuzzFinderAgreesWithEncodingJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a":"1","b":[true,{"c":"\\\""}]}`, ` [ "\u0061" , {"*" : "~"} , -1.5e3 ] `, `"x"`, `null`, `{"":"","/":{"~":"/"}}`, "{\"\\\\\":\"\\\\\"}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var value any
		if measureText(t.Context(), []byte(text), maxSettingsDepth) != nil {
			t.Skip()
		}
		require.NoError(t, json.Unmarshal([]byte(text), &value))
		fields, _ := found(t, text, "", "/*", "/*/*", "/*/*/*")
		if len(fields) == maxFields {
			t.Skip()
		}
		require.Equal(t, countValues(value, 3), len(fields))
		for path, s := range stringsIn("", value, 3) {
			require.Contains(t, fields, path+"="+s)
		}
	})
}

// countValues counts v and what is in it, to a depth.
func countValues(v any, depth int) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			if depth > 0 {
				n += countValues(member, depth-1)
			}
		}
	case []any:
		for _, element := range v {
			if depth > 0 {
				n += countValues(element, depth-1)
			}
		}
	}
	return n
}

// stringsIn returns the strings in v, to a depth, by where they are.
func stringsIn(path string, v any, depth int) map[string]string {
	all := map[string]string{}
	switch v := v.(type) {
	case string:
		if path == "" {
			path = "the request"
		}
		all[path] = v
	case map[string]any:
		for name, member := range v {
			if depth > 0 {
				step := pointer.Render(1, func(int) pointer.Segment { return pointer.Name([]byte(name)) })
				for at, s := range stringsIn(path+step, member, depth-1) {
					all[at] = s
				}
			}
		}
	case []any:
		for i, element := range v {
			if depth > 0 {
				for at, s := range stringsIn(fmt.Sprintf("%s/%d", path, i), element, depth-1) {
					all[at] = s
				}
			}
		}
	}
	return all
}
