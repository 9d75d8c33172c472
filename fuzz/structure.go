package fuzz

import (
	"bytes"

	"github.com/harden-input/harden/fuzz/mutate"
	"github.com/harden-input/harden/gzipcheck"
	"github.com/harden-input/harden/msgpackcheck"
)

// gzipProperties are the bodies that hold of any gzip payload.
func gzipProperties() []func([]byte) int {
	return []func([]byte) int{GzipMeasure, GzipReader, GzipChunks, DeflateMeter, GzipLimits, GzipTruncation, GzipPeek}
}

// msgpackProperties are the bodies that hold of any msgpack payload.
func msgpackProperties() []func([]byte) int {
	return []func([]byte) int{MsgpackMeasure, MsgpackDecode, MsgpackChunks, MsgpackLimits, MsgpackTruncation, MsgpackStream, Transcode}
}

// oneOf tries one property on a payload that was made of data; which one is
// drawn from data.
func oneOf(properties []func([]byte) int, data, payload []byte) {
	properties[draw(data).IntN(len(properties))](payload)
}

// GzipStructure holds that a payload of honest members is measured and decoded
// to its content, whatever blocks, codes and header fields it is made of, and
// tries the properties of gzip on it and on its like that is broken in one
// place. See package mutate for what its bytes mean.
func GzipStructure(data []byte) int {
	m := mutate.Gzip(data)
	if m.Whole {
		measured, err := gzipcheck.Measure(m.Payload, gzipcheck.Limits{})
		if err != nil || measured.Decompressed != uint64(len(m.Content)) || measured.Members != uint64(m.Members) {
			broken("%d honest members of %d bytes: %+v, %v\n%x", m.Members, len(m.Content), measured, err, m.Payload)
		}
		out, err := gzipcheck.NewDecoder(gzipcheck.Limits{}).Decode(nil, m.Payload)
		if err != nil || !bytes.Equal(out, m.Content) {
			broken("%d honest members decode to %d bytes, not the %d that they hold: %v\n%x", m.Members, len(out), len(m.Content), err, m.Payload)
		}
	}
	oneOf(gzipProperties(), data, m.Payload)
	return ordinary
}

// MsgpackStructure holds that a value whose headers are true is complete and
// counted in full, and tries the properties of msgpack on it and on its like
// that is broken in one place. See package mutate for what its bytes mean.
func MsgpackStructure(data []byte) int {
	m := mutate.Msgpack(data)
	if m.Whole {
		measured, err := msgpackcheck.Measure(m.Payload, msgpackcheck.Limits{})
		if !measured.Complete || measured.Values != m.Values {
			broken("%d values: %+v, %v\n%x", m.Values, measured, err, m.Payload)
		}
	}
	oneOf(msgpackProperties(), data, m.Payload)
	return ordinary
}
