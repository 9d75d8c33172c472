package mutate_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/fuzz/mutate"
	"github.com/harden-input/harden/msgpackcheck"
)

var msgpackSeed = []byte("\x83\xa1a\x93\x01\xcd\x01\x00\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00\xa1b\xc4\x03bin\xa1c\x81\xa1d\xd6\xff\x65\x00\x00\x00")

func TestWholeMsgpackHoldsWhatItPromises(t *testing.T) {
	whole := 0
	for _, data := range tapes(msgpackSeed, 3000) {
		m := mutate.Msgpack(data)
		if !m.Whole {
			continue
		}
		whole++
		found, err := msgpackcheck.Measure(m.Payload, msgpackcheck.Limits{})
		require.True(t, found.Complete, "%x: %v", data, err)
		require.Equal(t, m.Values, found.Values, "%x", data)
	}
	require.Greater(t, whole, 2000)
}

func TestBrokenMsgpackBreaksTheFraming(t *testing.T) {
	broken := map[string]bool{}
	formats := map[byte]bool{}
	for _, data := range tapes(msgpackSeed, 6000) {
		m := mutate.Msgpack(data)
		found, _ := msgpackcheck.Measure(m.Payload, msgpackcheck.Limits{Checks: msgpackcheck.AllChecks})
		for v := range found.Violations.Firsts() {
			broken[v.Rule.ID] = true
		}
		if len(m.Payload) > 0 {
			formats[m.Payload[0]] = true
		}
	}
	for _, id := range []string{
		"msgpack/header-oversized", "msgpack/truncated", "msgpack/trailing-data", "msgpack/timestamp",
		"msgpack/utf8", "msgpack/duplicate-key", "msgpack/key-type", "msgpack/ext-type", "msgpack/non-canonical",
	} {
		require.True(t, broken[id], id)
	}
	for header := byte(0xc0); header < 0xe0; header++ {
		require.Equal(t, header != 0xc1, formats[header], "%#x", header)
	}
}

func TestTheSameBytesMakeTheSameMsgpack(t *testing.T) {
	for _, data := range tapes(msgpackSeed, 100) {
		require.Equal(t, mutate.Msgpack(data), mutate.Msgpack(bytes.Clone(data)))
	}
}

func TestAnyBytesMakeMsgpack(t *testing.T) {
	for _, data := range [][]byte{nil, {0xc1}, {0xdd, 0xff, 0xff, 0xff, 0xff}, bytes.Repeat([]byte{0x91}, 1000), bytes.Repeat([]byte{0xd9, 0xff}, 5000)} {
		mutate.Msgpack(data)
	}
}
