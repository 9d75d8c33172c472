package deflate

// An entry of a decoding table is one symbol or, in a packed table, several.
// The low 6 bits say how many bits it drops. Three entries may be added up: the
// fields above have a spare bit for that.
//
// Of the literal/length code, the bits from valueShift on say how many bytes a
// literal or a length produces, and matchFlag marks a length, which a distance
// follows. An entry with special is something else, a kind.
//
// Of the distance code, the bits from valueShift on are the base of the
// distance, and those from distanceExtra on how many extra bits follow.
type entry = uint32

const (
	dropMask     = 1<<6 - 1
	dropSumMask  = 1<<7 - 1
	specialShift = 7
	special      = 1 << specialShift
	matchFlag    = 1 << 11
	valueShift   = 13

	literal = 1 << valueShift

	// The kinds of special entries of the literal/length code.
	kindMask    = 7<<8 | special
	extraLength = 0<<8 | special | matchFlag // base below extraShift, number of extra bits above
	blockEnd    = 1<<8 | special
	noLiteral   = 2<<8 | special
	longLiteral = 3<<8 | special // in a table of its own: start below widthShift, index bits above

	// The special entries of the distance code.
	noDistance   = special
	longDistance = special | 1<<6 // like longLiteral

	lengthMask    = 1<<9 - 1
	extraShift    = valueShift + 9
	startMask     = 1<<12 - 1
	widthShift    = valueShift + 12
	distanceExtra = 8

	// Of a distance to be packed, how many of its bits must be there.
	needShift = 8
	needMask  = 15 << needShift
)

// Symbols that have a code in fixed blocks; not all of them are valid.
const (
	literalSymbols  = 288
	distanceSymbols = 32
)

// literalEntries are the entries of the literal/length symbols but for the
// bits of their codes.
var literalEntries = func() (e [literalSymbols]entry) {
	for i := range endOfBlock {
		e[i] = literal
	}
	e[endOfBlock] = blockEnd
	base := entry(3)
	for i := range entry(28) {
		extra := entry(0)
		if i >= 8 {
			extra = i/4 - 1
		}
		if extra == 0 {
			e[257+i] = base<<valueShift | matchFlag
		} else {
			e[257+i] = base<<valueShift | extra<<extraShift | extraLength
		}
		base += 1 << extra
	}
	e[285] = 258<<valueShift | matchFlag
	e[286], e[287] = noLiteral, noLiteral
	return e
}()

// distanceEntries are the entries of the distance symbols but for the bits of
// their codes.
var distanceEntries = func() (e [distanceSymbols]entry) {
	base := entry(1)
	for i := range entry(maxDistances) {
		extra := entry(0)
		if i >= 4 {
			extra = i/2 - 1
		}
		e[i] = base<<valueShift | extra<<distanceExtra
		base += 1 << extra
	}
	e[30], e[31] = noDistance, noDistance
	return e
}()
