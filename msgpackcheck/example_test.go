package msgpackcheck_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/harden-input/harden/msgpackcheck"
	"github.com/harden-input/harden/rule"
)

func ExampleMeasure() {
	payload := []byte("\x82\xa4name\xa5Alice\xa3age\x2a")
	m, err := msgpackcheck.Measure(payload, msgpackcheck.DefaultLimits())
	fmt.Println(m.Values, m.Maps, m.Strings, m.Depth, err)
	// Output: 5 1 3 1 <nil>
}

// Five bytes that make decoders ask for 64 GiB.
func ExampleMeasure_forged() {
	_, err := msgpackcheck.Measure([]byte("\xdd\xff\xff\xff\xff"), msgpackcheck.DefaultLimits())
	var v *rule.Violation
	if errors.As(err, &v) {
		fmt.Println(v.Rule.ID)
		fmt.Println(v.Text())
	}
	// Output:
	// msgpack/header-oversized
	// array header promises 4294967295 values, at most 0 can follow: forged or cut off
}

func ExampleMeasure_checks() {
	lim := msgpackcheck.DefaultLimits()
	lim.Checks = msgpackcheck.DuplicateKeys
	m, err := msgpackcheck.Measure([]byte("\x82\xa4role\xa4user\xa4role\xa5admin"), lim)
	fmt.Println(err)
	for _, v := range m.Violations.Kept() {
		fmt.Println(v.Rule.Default, v.Error(), "at", v.Pointer)
	}
	// Output:
	// <nil>
	// warning msgpack/duplicate-key at byte 11: the map holds this key already at /role
}

func ExampleDecoder() {
	d := msgpackcheck.Decoder{Limits: msgpackcheck.DefaultLimits()}
	v, err := d.Decode([]byte("\x82\xa4name\xa5Alice\xa3age\x2a"))
	fmt.Println(v, err)
	// Output: map[age:42 name:Alice] <nil>
}

// Of a stream, the bytes are gone by the time the verdict is known: measure it
// where only the facts are wanted, and decode it with DecodeReader.
func ExampleMeasureReader() {
	payload := strings.NewReader("\x93\x01\xa3two\x91\x03")
	m, err := msgpackcheck.MeasureReader(payload, payload.Size(), msgpackcheck.DefaultLimits())
	fmt.Println(m.Arrays, m.Depth, m.Complete, err)
	// Output: 2 2 true <nil>
}

func ExampleDecoder_DecodeReader() {
	d := msgpackcheck.Decoder{Limits: msgpackcheck.DefaultLimits()}
	v, err := d.DecodeReader(strings.NewReader("\x82\xa4name\xa5Alice\xa3age\x2a"))
	fmt.Println(v, err)
	_, err = d.DecodeReader(strings.NewReader("\xdd\x00\x98\x96\x7f\x01"))
	fmt.Println(err)
	// Output:
	// map[age:42 name:Alice] <nil>
	// msgpack/truncated at byte 6: input ends before a promised value
}

func ExampleDecoder_Stream() {
	d := msgpackcheck.Decoder{Limits: msgpackcheck.DefaultLimits()}
	st := d.Stream(strings.NewReader("\x93\x01\x02\x03\xa5hello\x92\x01\xc1"))
	defer st.Close()
	for st.Next() {
		v, err := st.Value()
		fmt.Println(v, err)
	}
	fmt.Println(st.Err())
	// Output:
	// [1 2 3] <nil>
	// hello <nil>
	// <nil> msgpack/reserved-byte at byte 12: 0xc1 starts no value
	// msgpack/reserved-byte at byte 12: 0xc1 starts no value
}

func ExampleScanner() {
	s := msgpackcheck.NewScannerBytes([]byte("\x93\x01\x02\x03\xa5hello"), msgpackcheck.DefaultLimits())
	defer s.Close()
	for s.Next() {
		m := s.Measurement()
		fmt.Printf("%d values in %d bytes at %d\n", m.Values, m.Consumed, s.Offset())
	}
	fmt.Println(s.Err())
	// Output:
	// 4 values in 4 bytes at 0
	// 1 values in 6 bytes at 4
	// <nil>
}

func ExampleLooks() {
	fmt.Println(msgpackcheck.Looks([]byte("\x81\xa1a\x01")))
	fmt.Println(msgpackcheck.Looks([]byte("{\"a\":1}")))
	// Output:
	// true
	// false
}
