package deflate

import "fmt"

// Reason says in which way a stream is malformed.
type Reason uint8

// The reasons, in the order in which a stream can give them.
const (
	// BlockType is a block of the reserved type 3.
	BlockType Reason = iota + 1
	// StoredLength is a stored block whose LEN and NLEN do not agree.
	StoredLength
	// TooManyCodes is a dynamic block with more than 286 literal/length or 30
	// distance codes.
	TooManyCodes
	// CodeLengthSet is a code for code lengths that is over-subscribed or
	// incomplete.
	CodeLengthSet
	// Repeat is a repeated code length with none before it, or repeated
	// beyond the last code.
	Repeat
	// NoEndOfBlock is a literal/length code without the end-of-block symbol.
	NoEndOfBlock
	// LiteralSet is a literal/length code that is over-subscribed, or
	// incomplete with more than a single code of length 1.
	LiteralSet
	// DistanceSet is a distance code that is over-subscribed, or incomplete
	// with more than a single code of length 1.
	DistanceSet
	// LiteralCode is a literal/length code without a symbol, or one of the
	// reserved symbols 286 and 287.
	LiteralCode
	// DistanceCode is a distance code without a symbol, or one of the
	// reserved symbols 30 and 31.
	DistanceCode
	// DistanceTooFar is a match that starts before the stream does.
	DistanceTooFar
)

// String returns the reason as a phrase for messages.
func (r Reason) String() string {
	switch r {
	case BlockType:
		return "reserved block type 3"
	case StoredLength:
		return "stored block whose LEN and NLEN do not agree"
	case TooManyCodes:
		return "more than 286 literal/length or 30 distance codes"
	case CodeLengthSet:
		return "over-subscribed or incomplete code for code lengths"
	case Repeat:
		return "repeated code length with none before it or beyond the last code"
	case NoEndOfBlock:
		return "literal/length code without end of block"
	case LiteralSet:
		return "over-subscribed or incomplete literal/length code"
	case DistanceSet:
		return "over-subscribed or incomplete distance code"
	case LiteralCode:
		return "invalid literal/length code"
	case DistanceCode:
		return "invalid distance code"
	case DistanceTooFar:
		return "distance beyond the bytes produced"
	}
	return fmt.Sprintf("reason %d", uint8(r))
}

// An Error says what is wrong with a malformed stream.
type Error struct {
	Reason Reason
	// Distance and Produced are set for DistanceTooFar: a match reaches back
	// Distance bytes where only Produced have been.
	Distance, Produced uint64
}

// Error returns the reason, with the numbers that go with it.
func (e *Error) Error() string {
	if e.Reason == DistanceTooFar {
		return fmt.Sprintf("distance %d beyond the %d bytes produced", e.Distance, e.Produced)
	}
	return e.Reason.String()
}
