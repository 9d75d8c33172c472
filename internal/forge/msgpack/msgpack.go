// Package msgpack writes MessagePack that promises what it likes. Every format
// of the specification is a [Format], every width can be chosen, and a header
// need not be followed by what it declares:
//
//	msgpack.Array32.Of(0xffffffff)                    // 5 bytes that promise 4 294 967 295 values
//	forge.Repeat{msgpack.Array16.Of(4096), 1000}      // 3000 bytes of nested promises
//	msgpack.Map(msgpack.Str("a"), msgpack.Int(1))     // honest, and as short as it can be
//	forge.Sequence{msgpack.FixMap.Of(1), msgpack.Nil} // a pair without its value
package msgpack

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"

	"github.com/harden-input/harden/internal/forge"
)

// A Format is the first byte of a value, without what fix formats put into it.
// As a payload it is that byte alone.
type Format byte

// The formats of the specification.
const (
	PositiveFixInt Format = 0x00
	FixMap         Format = 0x80
	FixArray       Format = 0x90
	FixStr         Format = 0xa0
	Nil            Format = 0xc0
	Reserved       Format = 0xc1
	False          Format = 0xc2
	True           Format = 0xc3
	Bin8           Format = 0xc4
	Bin16          Format = 0xc5
	Bin32          Format = 0xc6
	Ext8           Format = 0xc7
	Ext16          Format = 0xc8
	Ext32          Format = 0xc9
	Float32        Format = 0xca
	Float64        Format = 0xcb
	Uint8          Format = 0xcc
	Uint16         Format = 0xcd
	Uint32         Format = 0xce
	Uint64         Format = 0xcf
	Int8           Format = 0xd0
	Int16          Format = 0xd1
	Int32          Format = 0xd2
	Int64          Format = 0xd3
	FixExt1        Format = 0xd4
	FixExt2        Format = 0xd5
	FixExt4        Format = 0xd6
	FixExt8        Format = 0xd7
	FixExt16       Format = 0xd8
	Str8           Format = 0xd9
	Str16          Format = 0xda
	Str32          Format = 0xdb
	Array16        Format = 0xdc
	Array32        Format = 0xdd
	Map16          Format = 0xde
	Map32          Format = 0xdf
	NegativeFixInt Format = 0xe0
)

// TimestampType is the ext type of timestamps, −1.
const TimestampType = -1

// WriteTo writes the byte.
func (f Format) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write([]byte{byte(f)})
	return int64(n), err
}

// Of returns the header that declares n in the width of f: the count of an
// array or map, the length of a str, bin or ext (whose type is to follow), the
// value of an integer, the bits of a float. What does not fit is cut off.
func (f Format) Of(n uint64) forge.Bytes {
	b := forge.Bytes{byte(f)}
	switch f {
	case Bin8, Ext8, Uint8, Int8, Str8:
		return append(b, byte(n))
	case Bin16, Ext16, Uint16, Int16, Str16, Array16, Map16:
		return binary.BigEndian.AppendUint16(b, uint16(n))
	case Bin32, Ext32, Float32, Uint32, Int32, Str32, Array32, Map32:
		return binary.BigEndian.AppendUint32(b, uint32(n))
	case Float64, Uint64, Int64:
		return binary.BigEndian.AppendUint64(b, n)
	case PositiveFixInt:
		b[0] |= byte(n) & 0x7f
	case FixMap, FixArray:
		b[0] |= byte(n) & 0x0f
	case FixStr, NegativeFixInt:
		b[0] |= byte(n) & 0x1f
	}
	return b
}

// With returns a header that declares the length of data, and data. For ext
// formats the type byte comes between: see [Format.Ext].
func (f Format) With(data string) forge.Bytes {
	return append(f.Of(uint64(len(data))), data...)
}

// Ext returns an ext of type t around data in format f, which is an ext or
// fixext format; a fixext is not made to fit.
func (f Format) Ext(t int8, data string) forge.Bytes {
	return append(append(f.Of(uint64(len(data))), byte(t)), data...)
}

// Str returns s as the shortest str.
func Str(s string) forge.Bytes { return append(StrOf(uint32(len(s))), s...) }

// StrOf returns the shortest header that promises a str of n bytes.
func StrOf(n uint32) forge.Bytes {
	switch {
	case n < 32:
		return FixStr.Of(uint64(n))
	case n <= math.MaxUint8:
		return Str8.Of(uint64(n))
	case n <= math.MaxUint16:
		return Str16.Of(uint64(n))
	default:
		return Str32.Of(uint64(n))
	}
}

// Bin returns s as the shortest bin.
func Bin(s string) forge.Bytes { return append(BinOf(uint32(len(s))), s...) }

// BinOf returns the shortest header that promises a bin of n bytes.
func BinOf(n uint32) forge.Bytes {
	switch {
	case n <= math.MaxUint8:
		return Bin8.Of(uint64(n))
	case n <= math.MaxUint16:
		return Bin16.Of(uint64(n))
	default:
		return Bin32.Of(uint64(n))
	}
}

// Ext returns data as the shortest ext of type t.
func Ext(t int8, data string) forge.Bytes {
	switch n := len(data); {
	case n == 1:
		return FixExt1.Ext(t, data)
	case n == 2:
		return FixExt2.Ext(t, data)
	case n == 4:
		return FixExt4.Ext(t, data)
	case n == 8:
		return FixExt8.Ext(t, data)
	case n == 16:
		return FixExt16.Ext(t, data)
	case n <= math.MaxUint8:
		return Ext8.Ext(t, data)
	case n <= math.MaxUint16:
		return Ext16.Ext(t, data)
	default:
		return Ext32.Ext(t, data)
	}
}

// Int returns n as the shortest integer: unsigned where it is not negative.
func Int(n int64) forge.Bytes {
	switch u := uint64(n); {
	case n >= 0:
		return Uint(u)
	case n >= -32:
		return NegativeFixInt.Of(u)
	case n >= math.MinInt8:
		return Int8.Of(u)
	case n >= math.MinInt16:
		return Int16.Of(u)
	case n >= math.MinInt32:
		return Int32.Of(u)
	default:
		return Int64.Of(u)
	}
}

// Uint returns n as the shortest integer.
func Uint(n uint64) forge.Bytes {
	switch {
	case n < 128:
		return PositiveFixInt.Of(n)
	case n <= math.MaxUint8:
		return Uint8.Of(n)
	case n <= math.MaxUint16:
		return Uint16.Of(n)
	case n <= math.MaxUint32:
		return Uint32.Of(n)
	default:
		return Uint64.Of(n)
	}
}

// Float returns x as a float 64.
func Float(x float64) forge.Bytes { return Float64.Of(math.Float64bits(x)) }

// ArrayOf returns the shortest header that promises n values.
func ArrayOf(n uint32) forge.Bytes {
	switch {
	case n < 16:
		return FixArray.Of(uint64(n))
	case n <= math.MaxUint16:
		return Array16.Of(uint64(n))
	default:
		return Array32.Of(uint64(n))
	}
}

// MapOf returns the shortest header that promises n pairs.
func MapOf(n uint32) forge.Bytes {
	switch {
	case n < 16:
		return FixMap.Of(uint64(n))
	case n <= math.MaxUint16:
		return Map16.Of(uint64(n))
	default:
		return Map32.Of(uint64(n))
	}
}

// Array returns an honest array of values.
func Array(values ...io.WriterTo) forge.Sequence {
	return append(forge.Sequence{ArrayOf(uint32(len(values)))}, values...)
}

// Map returns an honest map of keys and values in turn; a key without its value
// is not counted.
func Map(pairs ...io.WriterTo) forge.Sequence {
	return append(forge.Sequence{MapOf(uint32(len(pairs) / 2))}, pairs...)
}

// Pairs returns the content of a map of n pairs without its header: the keys 0,
// 1, and so on, each with the value nil.
func Pairs(n uint64) forge.Func {
	return func(w io.Writer) error {
		b := bufio.NewWriter(w)
		for key := range n {
			if _, err := b.Write(append(Uint(key), byte(Nil))); err != nil {
				return err
			}
		}
		return b.Flush()
	}
}

// Timestamp32 returns a timestamp of whole seconds in 4 bytes.
func Timestamp32(seconds uint32) forge.Bytes {
	return binary.BigEndian.AppendUint32(FixExt4.Ext(TimestampType, ""), seconds)
}

// Timestamp64 returns a timestamp in 8 bytes: 30 bits of nanoseconds, which
// should be below 1 000 000 000 and can be above, and 34 bits of seconds.
func Timestamp64(seconds uint64, nanoseconds uint32) forge.Bytes {
	return binary.BigEndian.AppendUint64(FixExt8.Ext(TimestampType, ""), uint64(nanoseconds)<<34|seconds&(1<<34-1))
}

// Timestamp96 returns a timestamp in 12 bytes.
func Timestamp96(seconds int64, nanoseconds uint32) forge.Bytes {
	b := append(Ext8.Of(12), 0xff)
	b = binary.BigEndian.AppendUint32(b, nanoseconds)
	return binary.BigEndian.AppendUint64(b, uint64(seconds))
}
