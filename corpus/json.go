package corpus

import (
	"io"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/forge/json"
)

const rfc8259 = "https://www.rfc-editor.org/rfc/rfc8259"

// jsonCosts are texts that cost more than they weigh.
func jsonCosts() []Case {
	// costly returns a case that one limit of the default profile catches.
	costly := func(id, rule, story, costs string, cwe int, payload io.WriterTo) Case {
		return Case{
			ID: id, Story: story, Costs: costs, Kind: Hostile, Verdict: Rejected,
			Rules: []string{rule}, CWE: []int{cwe}, Payload: payload,
		}
	}
	large := func(c Case) Case {
		c.Large = true
		return c
	}
	return []Case{
		costly("json/depth-501", "json/depth", "501 arrays in one another, one more than the default allows.", "a stack frame for each", 674,
			json.Nested("[", "", "]", 501)),
		large(costly("json/depth-100k", "json/depth", "100 000 opening brackets and nothing else.", "a stack frame for each, or time that grows with the square", 674,
			forge.Fill{Byte: '[', N: 100_000})),
		large(costly("json/depth-objects", "json/depth", "50 000 objects in arrays in objects.", "a stack frame for each, or time that grows with the square", 674,
			forge.Repeat{Payload: forge.Bytes(`[{"":`), N: 50_000})),
		costly("json/exponent", "json/exponent", "Eleven bytes that a big-number parser turns into a billion digits.", "400 MB of integer, and minutes to print it", 1176,
			forge.Bytes("1e999999999")),
		costly("json/exponent-negative", "json/exponent", "The same with a negative exponent, inside an array.", "a billion digits after the point", 1176,
			forge.Bytes("[-1e-999999999]")),
		costly("json/exponent-digits", "json/exponent", "An integer of 500 digits, without any exponent.", "a number that no machine type holds", 1176,
			json.Integer(500)),
		costly("json/number-fraction", "json/number-length", "A fraction of 1000 digits: with its 0. it is longer than the default allows.", "time that grows with the square of the digits", 407,
			json.Fraction(1000)),
		large(costly("json/number-million", "json/number-length", "A fraction of a million digits.", "time that grows with the square of the digits", 407,
			json.Fraction(1_000_000))),
		large(costly("json/string-64m-and-1", "json/string-length", "A string of one byte more than the default allows.", "64 MiB", 770,
			json.String('s', 64<<20+1))),
		large(costly("json/name-50001", "json/name-length", "A name of one byte more than the default allows.", "", 770,
			forge.Sequence{forge.Bytes("{"), json.String('n', 50_001), forge.Bytes(":0}")})),
		large(costly("json/object-262145", "json/object-entries", "An object of one member more than the default allows.", "a hash table of that size", 770,
			json.Object(262_145, forge.Bytes("0")))),
		large(costly("json/values-10m", "json/values", "1000 arrays of 10 001 nulls: no array is long, all together hold more values than the default allows.", "160 MB of slots", 770,
			json.Array(1000, json.Array(10_001, forge.Bytes("null"))))),
		large(costly("json/objects-of-one", "json/decoded-size", "4 000 000 objects of one member each: 7 bytes of text become a hash table.", "about 50 bytes of memory for every byte of text", 770,
			json.Array(4_000_000, forge.Bytes(`{"":0}`)))),
	}
}

// jsonSyntax are texts that are not JSON (RFC 8259), though some parser takes them.
func jsonSyntax() []Case {
	broken := func(id, rule, story, text string) Case {
		return Case{
			ID: id, Story: story, Kind: Malformed, Verdict: Rejected, Rules: []string{rule},
			References: []string{rfc8259}, Payload: forge.Bytes(text),
		}
	}
	return []Case{
		{
			ID:      "json/empty-file",
			Story:   "No bytes at all.",
			Kind:    Malformed,
			Verdict: Undecided,
			Rules:   []string{"input/empty"},
			Payload: forge.Bytes{},
		},
		broken("json/number-leading-zero", "json/syntax", "A leading zero: an octal number to some.", `[012]`),
		broken("json/number-plus", "json/syntax", "A plus sign.", `[+1]`),
		broken("json/number-point-first", "json/syntax", "No digit before the point.", `[.5]`),
		broken("json/number-point-last", "json/syntax", "No digit after the point.", `[1.]`),
		broken("json/number-hex", "json/syntax", "A hexadecimal number.", `[0x10]`),
		broken("json/nan", "json/syntax", "NaN, as JavaScript and Python print it.", `[NaN]`),
		broken("json/infinity", "json/syntax", "Infinity, as JavaScript and Python print it.", `[-Infinity]`),
		broken("json/comma-last", "json/syntax", "A comma after the last element.", `[1,]`),
		broken("json/comma-missing", "json/syntax", "Two elements and no comma.", `[1 2]`),
		broken("json/comment", "json/syntax", "A comment, which hides a member from one of two parsers.", `{"a":1/*,"b":2*/}`),
		broken("json/quotes-single", "json/syntax", "Single quotes.", `{'a':1}`),
		broken("json/name-unquoted", "json/syntax", "A name without quotes.", `{a:1}`),
		broken("json/escape-unknown", "json/syntax", "An escape that JSON does not have.", `["\x41"]`),
		broken("json/escape-digit", "json/syntax", "An escape with a letter among its four digits that is none.", `["\u00G0"]`),
		broken("json/control", "json/syntax", "A line break in a string.", "[\"a\nb\"]"),
		broken("json/space-unicode", "json/syntax", "A no-break space between elements.", "[1,\u00a02]"),
		broken("json/string-cut", "json/truncated", "The text ends in a string.", `{"a":"b`),
		broken("json/array-cut", "json/truncated", "The text ends before the bracket is closed.", `[1,2`),
		broken("json/literal-cut", "json/truncated", "The text ends in a word.", `[tru`),
		broken("json/trailing-text", "json/trailing-data", "Text after the value.", `{"a":1}x`),
		broken("json/trailing-object", "json/trailing-data", "Two objects, one after the other.", `{"a":1}{"a":2}`),
		broken("json/trailing-nul", "json/trailing-data", "A zero byte after the value, where C strings end.", "{\"a\":1}\x00"),
		broken("json/lines", "json/trailing-data", "Newline-delimited JSON under the name of one text.", "{\"a\":1}\n{\"a\":2}\n"),
		broken("json/utf8-invalid", "json/utf8", "A byte that is never UTF-8.", "[\"\xff\"]"),
		broken("json/utf8-overlong", "json/utf8", "A slash in two bytes, to pass filters that look for one.", "[\"\xc0\xaf\"]"),
		broken("json/utf8-surrogate", "json/utf8", "Half of a surrogate pair as three bytes.", "[\"\xed\xa0\x80\"]"),
	}
}

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
		valid("json/bom", "A byte order mark in front, which some parsers refuse.", "\ufeff[1]", "json/bom"),
		hostile(valid("json/name-twice", "A name twice: the first reader keeps one value, the second the other.",
			`{"role":"user","role":"admin"}`, "json/duplicate-key"), 436),
		hostile(valid("json/name-twice-escaped", "A name twice, once written as an escape.",
			`{"a":1,"\u0061":2}`, "json/duplicate-key"), 436),
		hostile(valid("json/name-twice-folded", "Two names that differ by case only: one and the same to Go's encoding/json.",
			`{"role":"user","Role":"admin"}`), 178),
		hostile(valid("json/surrogate-lone", "Half of a surrogate pair: an error, a replacement character or three bytes, by parser.",
			`["\ud800"]`, "json/lone-surrogate"), 176),
	}
}
