// Package json writes JSON texts of a chosen shape: so deep, so wide, so many
// digits. Text that breaks the grammar needs no writer; forge.Bytes holds it.
//
//	json.Nested("[", "", "]", 501)          // [[[…]]]
//	json.Array(1_000_000, forge.Bytes("{}")) // [{},{},…]
//	json.Object(262_145, forge.Bytes("0"))   // {"0":0,"1":0,…}
package json

import (
	"bufio"
	"io"
	"strconv"

	"github.com/harden-input/harden/internal/forge"
)

// Nested returns open n times, inner, and close n times.
func Nested(open, inner, close string, n uint64) forge.Sequence {
	return forge.Sequence{
		forge.Repeat{Payload: forge.Bytes(open), N: n},
		forge.Bytes(inner),
		forge.Repeat{Payload: forge.Bytes(close), N: n},
	}
}

// Array returns an array of n equal elements.
func Array(n uint64, element io.WriterTo) forge.Sequence {
	if n == 0 {
		return forge.Sequence{forge.Bytes("[]")}
	}
	return forge.Sequence{
		forge.Bytes("["),
		forge.Repeat{Payload: forge.Sequence{element, forge.Bytes(",")}, N: n - 1},
		element,
		forge.Bytes("]"),
	}
}

// Object returns an object of n members with equal values and the names "0",
// "1", and so on.
func Object(n uint64, value io.WriterTo) forge.Func {
	return func(w io.Writer) error {
		b := bufio.NewWriter(w)
		b.WriteByte('{')
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('"')
			b.Write(strconv.AppendUint(b.AvailableBuffer(), i, 10))
			b.WriteString(`":`)
			if _, err := value.WriteTo(b); err != nil {
				return err
			}
		}
		b.WriteByte('}')
		return b.Flush()
	}
}

// Duplicates returns an object of n members that are all "a" and have equal values.
func Duplicates(n uint64, value io.WriterTo) forge.Sequence {
	if n == 0 {
		return forge.Sequence{forge.Bytes("{}")}
	}
	member := forge.Sequence{forge.Bytes(`"a":`), value}
	return forge.Sequence{
		forge.Bytes("{"),
		forge.Repeat{Payload: append(member, forge.Bytes(",")), N: n - 1},
		forge.Sequence{forge.Bytes(`"a":`), value},
		forge.Bytes("}"),
	}
}

// String returns a string of n times the byte c, which should need no escape.
func String(c byte, n uint64) forge.Sequence {
	return forge.Sequence{forge.Bytes(`"`), forge.Fill{Byte: c, N: n}, forge.Bytes(`"`)}
}

// Integer returns a number of n digits, all of them 1.
func Integer(n uint64) forge.Fill { return forge.Fill{Byte: '1', N: n} }

// Fraction returns 0.111…, with n digits after the point.
func Fraction(n uint64) forge.Sequence { return forge.Sequence{forge.Bytes("0."), Integer(n)} }
