package corpus

import (
	"strings"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/forge/json"
)

// jsonHonest are texts to be accepted, some with a warning.
func jsonHonest() []Case {
	valid := func(id, story, text string, rules ...string) Case {
		return Case{ID: id, Story: story, Kind: Benign, Verdict: Clean, Rules: rules, Payload: forge.Bytes(text)}
	}
	hostile := func(c Case, cwe int) Case {
		c.Kind, c.CWE = Hostile, []int{cwe}
		return c
	}
	return []Case{
		valid("json/every-type", "A value of every type.", `{"a":[null,true,false,0,-1.5e3,"text",{}]}`),
		valid("json/scalar", "A lone number.", "42\n"),
		valid("json/zero-negative", "Minus zero.", "[-0]"),
		valid("json/zero-exponent", "Zero stays zero, whatever its exponent.", "[0e999]"),
		valid("json/delete", "An unescaped DEL, which JSON allows.", "[\"\x7f\"]"),
		valid("json/escape-nul", "An escaped zero byte.", `["\u0000"]`),
		valid("json/surrogate-pair", "A character beyond the basic plane, in two escapes.", `["\ud834\udd1e"]`),
		{
			ID:      "json/depth-500",
			Story:   "500 arrays in one another: exactly what the default allows.",
			Kind:    Benign,
			Verdict: Clean,
			Payload: json.Nested("[", "", "]", 500),
		},
		valid("json/containers-empty", "Containers with nothing in them, and white space where their content would be.", "{\"a\":[ ],\"b\":{\n}}"),
		valid("json/spaces", "All four kinds of white space, wherever they may stand.", " \t\r\n[ \t\r\n1 \t\r\n, \t\r\n{ \"a\" \t: \r2 \n} \t\r\n] \t\r\n"),
		valid("json/escapes", "Every escape that JSON has.", `["\"\\\/\b\f\n\r\t\u0041\u00e9\uFFFF"]`),
		valid("json/escape-of-backslash", "An escaped backslash in front of what looks like half of a surrogate pair.", `["\\ud800"]`),
		valid("json/noncharacters", "Code points that stand for no character, and the last there is.", "[\"\uffff\U0010ffff\"]"),
		valid("json/utf8-lengths", "Characters of one to four bytes, at the edges of each length.", "[\"\u0020\u007f\u0080\u07ff\u0800\ud7ff\ue000\U00010000\"]"),
		valid("json/utf8-text", "Text in scripts of two, three and four bytes a character, longer than the steps in which parsers take it.",
			`{"el":"Χίλιες και μία νύχτες","ru":"Тысяча и одна ночь","ja":"千夜一夜物語の物語集","mixed":"1001 νύχτες, 千夜一夜 🌙🌙🌙🌙","emoji":"🧞🧞🧞🧞🧞🧞🧞🧞"}`),
		valid("json/indented", "A document as a printer indents it, with more spaces than text.",
			"{\n                \"a\": [\n                                1,\n                                2\n                ],\n                \"b\": {}\n}\n"),
		valid("json/line-separator", "An unescaped U+2028, which JSON allows and JavaScript did not.", "[\"\u2028\"]"),
		valid("json/name-empty", "An empty name.", `{"":1}`),
		valid("json/names-equal-apart", "The same name in objects beside and inside one another, and never twice in one.", `{"a":[{"a":1},{"a":{"a":2}}],"b":{"a":3}}`),
		valid("json/names-prefix", "Names that start alike.", `{"a":1,"ab":2,"abc":3,"abcdefgh":4,"abcdefghi":5}`),
		valid("json/numbers", "The largest, the smallest and the most precise numbers in use.", `[1.7976931348623157e308,5e-324,9007199254740993,18446744073709551616,-9223372036854775808,3.141592653589793238462643383279]`),
		valid("json/exponent-400", "Ten to the power of 400: exactly what the default allows.", `[1e400,1E+400,1.0e-400]`),
		valid("json/exponent-shifted", "A large exponent that the digits take back.", "[0."+strings.Repeat("0", 500)+"1e500]"),
		{
			ID:      "json/integer-401",
			Story:   "An integer of 401 digits: ten to the power of 400, exactly what the default allows.",
			Kind:    Benign,
			Verdict: Clean,
			Payload: json.Integer(401),
		},
		{
			ID:      "json/number-1000",
			Story:   "A fraction of 1000 bytes: exactly what the default allows.",
			Kind:    Benign,
			Verdict: Clean,
			Payload: json.Fraction(998),
		},
		{
			ID:      "json/name-50000",
			Story:   "A name of 50 000 bytes: exactly what the default allows.",
			Kind:    Benign,
			Verdict: Clean,
			Large:   true,
			Payload: forge.Sequence{forge.Bytes("{"), json.String('n', 50_000), forge.Bytes(":0}")},
		},
		{
			ID:      "json/object-262144",
			Story:   "An object of 262 144 members: exactly what the default allows.",
			Kind:    Benign,
			Verdict: Clean,
			Large:   true,
			Payload: json.Object(262_144, forge.Bytes("0")),
		},
		{
			ID:      "json/string-1m",
			Story:   "One string of 1 MiB, as a file in Base64 makes it.",
			Kind:    Benign,
			Verdict: Clean,
			Large:   true,
			Payload: json.String('s', 1<<20),
		},
		valid("json/bom", "A byte order mark in front, which some parsers refuse.", "\ufeff[1]", "json/bom"),
		hostile(valid("json/name-twice", "A name twice: the first reader keeps one value, the second the other.",
			`{"role":"user","role":"admin"}`, "json/duplicate-key"), 436),
		hostile(valid("json/name-twice-escaped", "A name twice, once written as an escape.",
			`{"a":1,"\u0061":2}`, "json/duplicate-key"), 436),
		hostile(valid("json/name-twice-folded", "Two names that differ by case only: one and the same to Go's encoding/json.",
			`{"role":"user","Role":"admin"}`), 178),
		hostile(valid("json/name-twice-apart", "A name twice, with objects between that have it too.",
			`{"a":{"a":1},"b":[{"a":2}],"a":3}`, "json/duplicate-key"), 436),
		hostile(valid("json/name-twice-empty", "The empty name twice.",
			`{"":1,"":2}`, "json/duplicate-key"), 436),
		hostile(valid("json/name-twice-replaced", "Two names that differ until their halves of surrogate pairs are replaced.",
			`{"\ud800":1,"\udfff":2}`, "json/duplicate-key", "json/lone-surrogate"), 436),
		hostile(valid("json/name-twice-every-escape", "A name twice, with every escape that JSON has in one and as four digits in the other.",
			`{"\"\\\/\b\f\n\r\té":1,"\u0022\u005c\u002f\u0008\u000C\u000A\u000d\u0009\u00e9":2}`, "json/duplicate-key"), 436),
		hostile(valid("json/name-twice-long", "A name of 300 bytes twice, once with its last letter as an escape.",
			`{"`+strings.Repeat("n", 300)+`":1,"`+strings.Repeat("n", 299)+`\u006e":2}`, "json/duplicate-key"), 436),
		hostile(valid("json/name-twice-pair", "A name beyond the basic plane twice, once as a surrogate pair.",
			`{"🌙":1,"\ud83c\udf19":2}`, "json/duplicate-key"), 436),
		hostile(valid("json/name-folded-kelvin", "A name that starts with the sign for kelvin, which is a k to Go's encoding/json.",
			`{"key":"mine","\u212aey":"yours"}`), 178),
		hostile(valid("json/name-folded-long", "Two names of 300 bytes that differ by case only.",
			`{"`+strings.Repeat("é", 150)+`":1,"`+strings.Repeat("É", 150)+`":2}`), 178),
		hostile(valid("json/name-normal-form", "Two names that look the same: an e with an accent in one character, and in two.",
			"{\"\u00e9\":1,\"e\u0301\":2}"), 176),
		hostile(valid("json/name-proto", "A name that changes the prototype of objects in careless JavaScript.",
			`{"__proto__":{"admin":true}}`), 1321),
		hostile(valid("json/surrogates-reversed", "The two halves of a surrogate pair in the wrong order.",
			`["\udd1e\ud834"]`, "json/lone-surrogate"), 176),
		hostile(valid("json/number-beyond-2-53", "Two integers that differ, and are equal to readers that keep numbers as doubles.",
			`[9007199254740992,9007199254740993]`), 681),
		hostile(valid("json/surrogate-lone", "Half of a surrogate pair: an error, a replacement character or three bytes, by parser.",
			`["\ud800"]`, "json/lone-surrogate"), 176),
	}
}
