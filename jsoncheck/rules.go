package jsoncheck

import "github.com/harden-input/harden/rule"

// The places of the rules in Rules.
const (
	ruleSyntax = iota
	ruleTruncated
	ruleUTF8
	ruleTrailingData
	ruleBOM
	ruleDepth
	ruleStringLength
	ruleNameLength
	ruleNumberLength
	ruleObjectEntries
	ruleArrayElements
	ruleValues
	ruleDecodedSize
	ruleExponent
	ruleDuplicateKey
	ruleDuplicateKeyFold
	ruleLoneSurrogate
	ruleDuplicateUnchecked
)

// Rules are the ways in which a JSON text can be bad. Violations point into
// this list, which must not be changed.
var Rules = []rule.Rule{
	ruleSyntax: {
		ID: "json/syntax", Default: rule.Error, Kind: rule.Malformed, Stops: true,
		Title: "the text is not JSON",
		Why: "The bytes do not follow the grammar of RFC 8259. Parsers that are lenient in different ways read " +
			"such text differently, so that a gateway may approve something else than the service behind it executes.",
		Fix:        "Send JSON as RFC 8259 defines it, in UTF-8: no comments, no trailing commas, no single quotes, no NaN.",
		CWE:        []int{1286, 436},
		References: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-2"},
	},
	ruleTruncated: {
		ID: "json/truncated", Default: rule.Error, Kind: rule.Truncated, Stops: true,
		Title:      "the text ends before its value does",
		Why:        "The input stops inside a value, or holds none. Something was lost on the way, or the sender never finished.",
		Fix:        "Send the whole text. Where texts follow one another, inspect them as records.",
		CWE:        []int{1286},
		References: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-2"},
	},
	ruleUTF8: {
		ID: "json/utf8", Default: rule.Error, Kind: rule.Malformed, Stops: true,
		Title: "a string is not UTF-8",
		Why: "JSON that systems exchange must be UTF-8. Parsers replace, drop or keep invalid bytes, so that two names " +
			"or values that differ at the gate may be equal behind it.",
		Fix:        "Encode text as UTF-8, and binary data as base64.",
		CWE:        []int{176, 436},
		References: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-8.1", "https://www.rfc-editor.org/rfc/rfc3629#section-3"},
	},
	ruleTrailingData: {
		ID: "json/trailing-data", Default: rule.Error, Kind: rule.Malformed, Stops: true,
		Title: "something follows the value",
		Why: "A JSON text is one value. Parsers that stop after the first never look at what follows, " +
			"others take the last one: what was checked is not what is used.",
		Fix:        "Send one value, or inspect the input as records (--records ndjson) where it is one value a line.",
		CWE:        []int{1286, 436},
		References: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-2"},
	},
	ruleBOM: {
		ID: "json/bom", Default: rule.Warning, Kind: rule.Suspicious,
		Title: "the text starts with a byte order mark",
		Why: "Senders must not add a byte order mark, and receivers may either skip it or refuse the text. " +
			"encoding/json refuses it.",
		Fix:        "Write UTF-8 without a byte order mark.",
		CWE:        []int{436},
		References: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-8.1"},
	},
	ruleDepth: {
		ID: "json/depth", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: keyDepth,
		Title: "arrays and objects are nested too deeply",
		Why: "One byte opens a level. Parsers that recurse run out of stack, which many languages cannot recover from, " +
			"and every later walk over the decoded tree can do so again.",
		Fix: "Flatten the data, or raise json.max-depth up to what the consumer is known to bear.",
		CWE: []int{674},
		References: []string{
			"https://www.rfc-editor.org/rfc/rfc8259#section-9",
			"CVE-2021-42717", "CVE-2023-1370", "CVE-2022-40150",
		},
	},
	ruleStringLength: {
		ID: "json/string-length", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: keyStringLength,
		Title:      "a string is too long",
		Why:        "A string is held in memory as a whole, and often copied while it grows and when it is unescaped.",
		Fix:        "Send large content beside the JSON text, or raise json.max-string-length.",
		CWE:        []int{770},
		References: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-9"},
	},
	ruleNameLength: {
		ID: "json/name-length", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: keyNameLength,
		Title:      "a member's name is too long",
		Why:        "Names are hashed, compared and often interned: parsers spend more on a byte of a name than on one of a value.",
		Fix:        "Use short names, or raise json.max-name-length.",
		CWE:        []int{770},
		References: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-9"},
	},
	ruleNumberLength: {
		ID: "json/number-length", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: keyNumberLength,
		Title: "a number is too long",
		Why: "Converting decimal digits to a number of any precision takes time that grows with the square of their count " +
			"in many languages.",
		Fix: "Send long digits as a string, or raise json.max-number-length.",
		CWE: []int{407, 770},
		References: []string{
			"https://www.rfc-editor.org/rfc/rfc8259#section-6",
			"CVE-2026-18401", "CVE-2026-68494",
		},
	},
	ruleObjectEntries: {
		ID: "json/object-entries", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: keyObjectEntries,
		Title: "an object has too many members",
		Why: "Each member becomes an entry of a hash table, many times the size of its text. " +
			"Tables whose hash can be predicted degrade to the square of the number of members.",
		Fix:        "Split the object, send an array, or raise json.max-object-entries.",
		CWE:        []int{770, 407},
		References: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-9", "CVE-2013-6371", "CVE-2022-21653"},
	},
	ruleArrayElements: {
		ID: "json/array-elements", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: keyArrayElements,
		Title:      "an array has too many elements",
		Why:        "Two bytes make an element, which takes 16 bytes or more once decoded.",
		Fix:        "Send pages or one value a line, or raise json.max-array-elements.",
		CWE:        []int{770},
		References: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-9"},
	},
	ruleValues: {
		ID: "json/values", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: keyValues,
		Title: "the text has too many values",
		Why: "Every value costs its consumer an allocation, a node or a call, however few bytes it is: " +
			"limits on bytes alone do not bound that.",
		Fix:        "Send less at once, or raise json.max-values.",
		CWE:        []int{770},
		References: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-9"},
	},
	ruleDecodedSize: {
		ID: "json/decoded-size", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: keyDecodedSize,
		Title: "the decoded value takes too much memory",
		Why: "A text that keeps every other limit can still be fifty times larger decoded than written: " +
			"a million empty objects are 3 MB of text and over 100 MB of memory, and compress to almost nothing.",
		Fix:        "Send less at once, or raise json.max-decoded-size to what the consumer can spare.",
		CWE:        []int{770, 409},
		References: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-9"},
	},
	ruleExponent: {
		ID: "json/exponent", Default: rule.Error, Kind: rule.Limit, LimitKey: keyExponent,
		Title: "a number's exponent is too large",
		Why: "Nine bytes such as 1e9999999 ask a consumer with integers or decimals of any precision for millions of digits. " +
			"Beyond 1e308 a double is infinite, and an error in some languages.",
		Fix:        "Send numbers that a double can hold, or raise json.max-exponent.",
		CWE:        []int{400, 1284},
		References: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-6"},
	},
	ruleDuplicateKey: {
		ID: "json/duplicate-key", Default: rule.Warning, Kind: rule.Suspicious,
		Title: "an object has a name twice",
		Why: "Some parsers keep the first value, some the last, some both, some refuse: a check made by one " +
			"does not hold for another. Names are compared unescaped.",
		Fix:        "Make the names of an object unique.",
		CWE:        []int{436},
		References: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-4", "https://www.rfc-editor.org/rfc/rfc7493#section-2.3"},
	},
	ruleDuplicateKeyFold: {
		ID: "json/duplicate-key-fold", Default: rule.Off, Kind: rule.Suspicious,
		Title: "an object has names that differ only in case",
		Why: "Go's encoding/json matches names to struct fields without regard to case, so that both names set the same " +
			"field there, and different ones elsewhere.",
		Fix:        "Use names that differ in more than case.",
		CWE:        []int{178, 436},
		References: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-4", "https://pkg.go.dev/encoding/json#Unmarshal"},
	},
	ruleLoneSurrogate: {
		ID: "json/lone-surrogate", Default: rule.Warning, Kind: rule.Suspicious,
		Title: "an escape is half of a surrogate pair",
		Why: "The grammar allows it, but it stands for no character: parsers replace it, keep bytes that are not UTF-8, " +
			"or refuse the text.",
		Fix:        "Escape characters beyond U+FFFF as two \\u escapes, or write them as UTF-8.",
		CWE:        []int{176, 436},
		References: []string{"https://www.rfc-editor.org/rfc/rfc8259#section-8.2", "https://www.rfc-editor.org/rfc/rfc7493#section-2.1"},
	},
	ruleDuplicateUnchecked: {
		ID: "json/duplicate-unchecked", Default: rule.Warning, Kind: rule.Limit, LimitKey: keyTrackedKeys,
		Title: "not all names were checked for duplicates",
		Why:   "The objects open at once have more names than are remembered, so that a duplicate may have gone unseen.",
		Fix:   "Raise json.max-tracked-keys: each name tracked takes 32 to 46 bytes.",
		CWE:   []int{436},
	},
}
