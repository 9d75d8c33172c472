package corpus

import (
	"bufio"
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
		large(costly("json/number-100m", "json/number-length", "One integer of 100 000 000 digits.", "hours, where the time grows with the square of the digits", 407,
			json.Integer(100_000_000))),
		costly("json/exponent-401", "json/exponent", "Ten to the power of 401, one more than the default allows.", "an integer of 402 digits", 1176,
			forge.Bytes("1e401")),
		costly("json/exponent-overflow", "json/exponent", "An exponent that fits no 64-bit integer.", "whatever the exponent is after it wrapped", 190,
			forge.Bytes("[1e99999999999999999999]")),
		costly("json/depth-pairs", "json/depth", "251 objects in 251 arrays, 502 levels.", "a stack frame for each", 674,
			json.Nested(`[{"a":`, "0", "}]", 251)),
		large(costly("json/string-64m-and-1", "json/string-length", "A string of one byte more than the default allows.", "64 MiB", 770,
			json.String('s', 64<<20+1))),
		large(costly("json/name-50001", "json/name-length", "A name of one byte more than the default allows.", "", 770,
			forge.Sequence{forge.Bytes("{"), json.String('n', 50_001), forge.Bytes(":0}")})),
		large(costly("json/object-262145", "json/object-entries", "An object of one member more than the default allows.", "a hash table of that size", 770,
			json.Object(262_145, forge.Bytes("0")))),
		{
			ID:      "json/names-untracked",
			Story:   "An object of 200 000 members inside another of as many: more names at once than the check for duplicates remembers.",
			Costs:   "a set of all names where duplicates are looked for",
			Kind:    Hostile,
			Verdict: Clean,
			Rules:   []string{"json/duplicate-unchecked"},
			CWE:     []int{770},
			Large:   true,
			Payload: forge.Sequence{
				forge.WithoutEnd{Payload: json.Object(200_000, forge.Bytes("0")), N: 1},
				forge.Bytes(`,"inner":`),
				json.Object(200_000, forge.Bytes("0")),
				forge.Bytes("}"),
			},
		},
		{
			ID:      "json/name-twice-200k",
			Story:   "One name 200 000 times, all the same to whoever keeps the last value.",
			Costs:   "a report for each, where every finding is kept",
			Kind:    Hostile,
			Verdict: Clean,
			Rules:   []string{"json/duplicate-key"},
			CWE:     []int{436},
			Large:   true,
			Payload: json.Duplicates(200_000, forge.Bytes("0")),
		},
		{
			ID:         "json/names-collide",
			Story:      "65 536 names that have one and the same hash in Java: a table without a random seed is a list.",
			Costs:      "time that grows with the square of the names",
			Kind:       Hostile,
			Verdict:    Clean,
			CWE:        []int{407},
			References: []string{"https://ocert.org/advisories/ocert-2011-003.html"},
			Large:      true,
			Payload:    collidingNames(16),
		},
		large(costly("json/values-10m", "json/values", "1000 arrays of 10 001 nulls: no array is long, all together hold more values than the default allows.", "160 MB of slots", 770,
			json.Array(1000, json.Array(10_001, forge.Bytes("null"))))),
		large(costly("json/objects-of-one", "json/decoded-size", "4 000 000 objects of one member each: 7 bytes of text become a hash table.", "about 50 bytes of memory for every byte of text", 770,
			json.Array(4_000_000, forge.Bytes(`{"":0}`)))),
	}
}

// collidingNames returns an object of 2^n members whose names have equal hash
// codes in Java: "Aa" and "BB" have, and so has every sequence of them.
func collidingNames(n uint) io.WriterTo {
	return forge.Func(func(w io.Writer) error {
		b := bufio.NewWriter(w)
		separator := "{\""
		for i := range 1 << n {
			b.WriteString(separator)
			for bit := range n {
				if i>>bit&1 == 0 {
					b.WriteString("Aa")
				} else {
					b.WriteString("BB")
				}
			}
			b.WriteString("\":0")
			separator = ",\""
		}
		b.WriteByte('}')
		return b.Flush()
	})
}
