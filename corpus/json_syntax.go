package corpus

import (
	"strings"

	"github.com/harden-input/harden/internal/forge"
)

// jsonSyntax are texts that are not JSON (RFC 8259), though some parser takes them.
func jsonSyntax() []Case {
	broken := func(id, rule, story, text string) Case {
		return Case{
			ID: id, Story: story, Kind: Malformed, Verdict: Rejected, Rules: []string{rule},
			References: []string{rfc8259}, Payload: forge.Bytes(text),
		}
	}
	// after adds a rule that is violated before the text breaks.
	after := func(rule string, c Case) Case {
		c.Rules = append([]string{rule}, c.Rules...)
		return c
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
		broken("json/spaces-alone", "json/truncated", "White space and no value.", " \t\r\n"),
		after("json/bom", broken("json/bom-alone", "json/truncated", "A byte order mark and no value.", "\ufeff")),
		after("json/bom", broken("json/bom-twice", "json/syntax", "Two byte order marks: a reader that drops one leaves the other.", "\ufeff\ufeff[1]")),
		broken("json/bom-inside", "json/syntax", "A byte order mark between elements, where it is not white space.", "[1,\ufeff2]"),
		broken("json/form-feed", "json/syntax", "A form feed between elements, which C calls white space.", "[1,\f2]"),
		broken("json/record-separator", "json/syntax", "A record separator in front, as JSON text sequences (RFC 7464) have it.", "\x1e[1]\n"),
		broken("json/number-minus", "json/syntax", "A minus sign without digits.", "[-]"),
		broken("json/number-minus-space", "json/syntax", "A space between the minus sign and the digits.", "[- 1]"),
		broken("json/number-exponent-empty", "json/syntax", "An exponent without digits.", "[1e]"),
		broken("json/number-exponent-sign", "json/syntax", "An exponent of a sign alone.", "[1e+]"),
		broken("json/number-exponent-point", "json/syntax", "A point in the exponent.", "[1e2.5]"),
		broken("json/number-underscore", "json/syntax", "Digits grouped with an underscore.", "[1_000]"),
		broken("json/number-fullwidth", "json/syntax", "A digit that is one in Unicode and not in JSON.", "[\uff11]"),
		broken("json/number-cut", "json/truncated", "The text ends in an exponent.", "[1e"),
		broken("json/comma-first", "json/syntax", "A comma before the first element.", "[,1]"),
		broken("json/comma-twice", "json/syntax", "Two commas in a row.", "[1,,2]"),
		broken("json/commas", "json/syntax", "A long run of commas: a reader that calls itself for each runs out of stack.", "["+strings.Repeat(",", 1000)+"]"),
		broken("json/comma-last-member", "json/syntax", "A comma after the last member.", `{"a":1,}`),
		broken("json/colon-missing", "json/syntax", "A name and a value without a colon.", `{"a" 1}`),
		broken("json/colon-twice", "json/syntax", "Two colons.", `{"a"::1}`),
		broken("json/colon-in-array", "json/syntax", "A colon between two elements.", `["a":1]`),
		broken("json/value-missing", "json/syntax", "A name and no value.", `{"a":}`),
		broken("json/name-alone", "json/syntax", "A name and neither colon nor value.", `{"a"}`),
		broken("json/name-number", "json/syntax", "A number in place of a name.", `{1:2}`),
		broken("json/name-null", "json/syntax", "A null in place of a name.", `{null:1}`),
		broken("json/bracket-wrong", "json/syntax", "A bracket closed by a brace.", `[1}`),
		broken("json/bracket-first", "json/syntax", "A closing bracket and nothing before it.", `]`),
		broken("json/bracket-extra", "json/trailing-data", "One closing bracket too many.", `[1]]`),
		broken("json/literal-capital", "json/syntax", "True, as Python prints it.", `[True]`),
		broken("json/literal-long", "json/syntax", "A word that starts like a literal.", `[nullify]`),
		broken("json/literal-undefined", "json/syntax", "undefined, as JavaScript prints it.", `[undefined]`),
		broken("json/escape-late", "json/syntax", "A bad escape at byte 40 of a string, past the first blocks that a parser takes in one step.", `["`+strings.Repeat("a", 40)+`\x"]`),
		broken("json/escape-octal", "json/syntax", "An octal escape for a zero byte.", `["\0"]`),
		broken("json/escape-capital", "json/syntax", "An escape with a capital U.", `["\U0041"]`),
		broken("json/escape-cut", "json/truncated", "The text ends in the digits of an escape.", `["\u00`),
		after("json/lone-surrogate", broken("json/escape-surrogate-short", "json/syntax", "The second half of a surrogate pair has two digits.", `["\ud834\udd"]`)),
		broken("json/control-tab", "json/syntax", "A tab in a string.", "[\"a\tb\"]"),
		broken("json/control-nul", "json/syntax", "A zero byte in a name, where C strings end.", "{\"a\x00b\":1}"),
		broken("json/object-cut", "json/truncated", "The text ends after a name.", `{"a"`),
		broken("json/object-cut-comma", "json/truncated", "The text ends where another member should start.", `{"a":1,`),
		broken("json/trailing-comma", "json/trailing-data", "A comma after the text.", `[1],`),
		broken("json/trailing-comment", "json/trailing-data", "A comment after the text.", `[1]//`),
		broken("json/scalar-two", "json/trailing-data", "Two numbers, one after the other.", `1 2`),
		broken("json/utf8-above", "json/utf8", "A code point beyond the last, U+110000.", "[\"\xf4\x90\x80\x80\"]"),
		broken("json/utf8-continuation", "json/utf8", "A continuation byte with nothing before it.", "[\"\x80\"]"),
		broken("json/utf8-cut-by-quote", "json/utf8", "A sequence of three bytes cut by the quote: a reader that skips by length runs over the end of the string.", "[\"\xe2\x82\"]"),
		broken("json/utf8-cut", "json/truncated", "The text ends in a sequence of three bytes.", "[\"\xe2\x82"),
		broken("json/utf8-late", "json/utf8", "A bad byte after forty good ones, past the first blocks that a parser takes in one step.", "[\""+strings.Repeat("a", 40)+"\xff\"]"),
		broken("json/utf16-little", "json/syntax", "UTF-16 with its byte order mark, as some tools save it.", "\xff\xfe[\x001\x00]\x00"),
		broken("json/utf16-big", "json/syntax", "UTF-16 without a byte order mark.", "\x00[\x001\x00]"),
		broken("json/utf32", "json/syntax", "UTF-32, four bytes a character.", "\x00\x00\x00[\x00\x00\x001\x00\x00\x00]"),
		broken("json/gzip", "input/format-mismatch", "The start of a gzip member under the name of a JSON text.", "\x1f\x8b\x08\x00"),
		broken("json/msgpack", "json/syntax", "A MessagePack map under the name of a JSON text.", "\x81\xa1a\x01"),
	}
}
