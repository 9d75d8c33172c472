package transcode

import "github.com/harden-input/harden/rule"

// An index is a rule's place in Rules.
type index int

const (
	output index = iota
	notFinite
	keyCollision
	keyType
	invalidUTF8
)

// Rules are the rules that this package raises. It is data: do not change it.
var Rules = []rule.Rule{
	output: {
		ID: "decode/output", Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: "decode.max-output",
		Title: "what would be written is too long",
		Why: "Text can be several times as long as the bytes it is made of: a byte of msgpack becomes six where it has to be escaped. " +
			"Whoever reads the output pays for its length again.",
		Fix: "Raise --max-output if the consumer can take more.",
		CWE: []int{409, 770},
	},
	notFinite: {
		ID: "decode/not-finite", Default: rule.Error, Kind: rule.Malformed, Stops: true,
		Title: "a float is NaN or infinite, which JSON cannot say",
		Why: "JSON has no such numbers (RFC 8259, section 6). Writers that put NaN, null or a string instead make a value of another kind, " +
			"and readers disagree about each of them.",
		Fix:        "Mend the sender, or accept null with --lossy.",
		CWE:        []int{20, 436},
		References: []string{"RFC 8259"},
	},
	keyCollision: {
		ID: "decode/key-collision", Default: rule.Error, Kind: rule.Malformed, Stops: true,
		Title: "two keys of a map have the same name in JSON",
		Why: "The integer 1 and the string \"1\" are different keys in msgpack and one name in JSON. Readers of an object with a name twice keep the first, " +
			"the last or both, so that what one checks is not what another uses.",
		Fix:        "Refuse the payload, or keep the first with --lossy.",
		CWE:        []int{436, 694},
		References: []string{"RFC 8259"},
	},
	keyType: {
		ID: "decode/key-type", Default: rule.Error, Kind: rule.Malformed, Stops: true,
		Title:      "a map key is an array, a map or an ext, which cannot be a name in JSON",
		Why:        "Names are strings in JSON. For such a key every text would be an invention, and keys inside keys would make it grow without bounds.",
		Fix:        "Refuse the payload, or mend its encoder to write keys as str.",
		CWE:        []int{20, 436},
		References: []string{"RFC 8259"},
	},
	invalidUTF8: {
		ID: "decode/utf8", Default: rule.Error, Kind: rule.Malformed, Stops: true,
		Title:      "a str is not UTF-8, and JSON has to be",
		Why:        "Bytes that are not UTF-8 can only be replaced, and replacing makes different texts equal.",
		Fix:        "Mend the sender to use bin for what is not text, or accept U+FFFD with --lossy.",
		CWE:        []int{176, 436},
		References: []string{"RFC 8259", "RFC 3629"},
	},
}
