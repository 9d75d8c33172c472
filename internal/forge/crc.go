package forge

import "hash/crc32"

// An output is what a decoder makes of the stream so far: its length, its CRC-32
// and its last 32 KiB, which matches refer to.
type output struct {
	length uint64
	crc    uint32
	window []byte
}

const windowSize = 32 << 10

// literal adds bytes that the stream spells out.
func (o *output) literal(p []byte) {
	for len(p) > 0 {
		part := p[:min(len(p), windowSize)]
		o.window = append(o.window, part...)
		o.grown(len(part))
		p = p[len(part):]
	}
}

// grown accounts for the last n bytes of the window, which are new.
func (o *output) grown(n int) {
	o.crc = crc32.Update(o.crc, crc32.IEEETable, o.window[len(o.window)-n:])
	o.length += uint64(n)
	if len(o.window) >= 2*windowSize {
		o.window = append(o.window[:0], o.window[len(o.window)-windowSize:]...)
	}
}

// repeat adds n bytes, each equal to the one distance before it. What lies
// before the start of the output counts as zero.
func (o *output) repeat(distance int, n uint64) {
	if missing := distance - len(o.window); missing > 0 {
		o.window = append(make([]byte, missing), o.window...)
	}
	const direct = 2 * windowSize
	if n > direct {
		// The output goes on with period distance. Its CRC comes from that of
		// one period, and of the rest only the window's worth is spelled out.
		period := append([]byte(nil), o.window[len(o.window)-distance:]...)
		skipped := (n - windowSize) / uint64(distance)
		length := skipped * uint64(distance)
		o.crc = combine(o.crc, repeated(crc32.ChecksumIEEE(period), uint64(distance), skipped), length)
		o.length += length
		n -= length
	}
	for n > 0 {
		part := int(min(n, windowSize))
		for range part {
			o.window = append(o.window, o.window[len(o.window)-distance])
		}
		o.grown(part)
		n -= uint64(part)
	}
}

// combine returns the CRC-32 of one text followed by another of n bytes, from
// the CRCs of both.
func combine(first, second uint32, n uint64) uint32 {
	return shift(first, n) ^ second
}

// repeated returns the CRC-32 of a text of n bytes, times over, from its CRC, in
// O(log times) steps.
func repeated(crc uint32, n, times uint64) uint32 {
	var sum uint32
	for ; times > 0; times >>= 1 {
		if times&1 != 0 {
			sum = combine(sum, crc, n)
		}
		crc = combine(crc, crc, n)
		n *= 2
	}
	return sum
}

// shift multiplies crc by x^8n modulo the CRC polynomial: what n zero bytes do
// to it.
func shift(crc uint32, n uint64) uint32 {
	power := uint32(1) << 23 // x^8: bit 31 stands for x^0
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			crc = multiply(power, crc)
		}
		power = multiply(power, power)
	}
	return crc
}

// multiply returns a·b modulo the CRC polynomial, all in reflected bit order.
func multiply(a, b uint32) uint32 {
	var product uint32
	for bit := uint32(1) << 31; bit != 0; bit >>= 1 {
		if a&bit != 0 {
			product ^= b
		}
		carry := b & 1
		b = b>>1 ^ crc32.IEEE*carry
	}
	return product
}
