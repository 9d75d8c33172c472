package fuzz

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tinylib/msgp/msgp"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/harden-input/harden/msgpackcheck"
	"github.com/harden-input/harden/rule"
)

func msgpackList(m *msgpackcheck.Measurement) *rule.List { return &m.Violations }

// MsgpackMeasure holds that Measure agrees with tinylib/msgp's Skip of a slice,
// which is right about structure. They differ by design where Skip leaves
// trailing data alone, looks into no timestamp and gives up at some depth.
func MsgpackMeasure(data []byte) int {
	m, err := msgpackcheck.Measure(data, msgpackcheck.Limits{Checks: msgpackcheck.AllChecks})
	completeness(m.Complete, &m.Violations)
	if (err == nil) != (m.Violations.Err() == nil) {
		broken("error %v with %s", err, findings(&m.Violations))
	}
	if strconv.IntSize < 64 {
		return unwanted // Skip counts in machine words
	}
	rest, skipErr := msgp.Skip(data)
	trailing := m.Violations.Count("msgpack/trailing-data")
	switch {
	case errors.Is(skipErr, msgp.ErrRecursion):
	case skipErr != nil && m.Complete:
		broken("complete, but Skip says %v", skipErr)
	case skipErr == nil && len(rest) > 0 && (trailing != 1 || m.Consumed != uint64(len(data)-len(rest))):
		broken("Skip leaves %d of %d bytes, consumed %d: %v", len(rest), len(data), m.Consumed, err)
	case skipErr == nil && len(rest) == 0 && (!m.Complete || err != nil && m.Violations.Count("msgpack/timestamp") == 0):
		broken("Skip finds nothing wrong: %v", err)
	}
	return worth(m.Values > 1)
}

// msgpackLimits are limits that inputs of a few bytes can reach.
var msgpackLimits = msgpackcheck.Limits{
	MaxDepth: 8, MaxValues: 100, MaxDecodedSize: 1 << 20, MaxArrayLength: 50, MaxMapLength: 40,
	MaxStrLength: 1000, MaxBinLength: 1000, MaxExtLength: 1000, MaxTrackedKeys: 1000,
}

// MsgpackChunks holds that the verdict does not depend on how the bytes arrive
// and, but for headers that promise too much, not on whether their number is
// known.
func MsgpackChunks(data []byte) int {
	r := draw(data)
	lim := msgpackLimits
	if r.IntN(2) == 0 {
		lim = drawLimits(r, msgpackcheck.LimitTable())
	}
	lim.Checks = msgpackcheck.Checks(r.UintN(uint(msgpackcheck.AllChecks) + 1))
	want, wantErr := msgpackcheck.Measure(data, lim)
	for how, src := range map[string]io.Reader{"bytewise": bytewise(data), "piecewise": piecewise(data, r)} {
		m, err := msgpackcheck.MeasureReader(src, int64(len(data)), lim)
		sameError(how, wantErr, err)
		same(how, want, m, msgpackList)
	}
	m, err := msgpackcheck.MeasureReader(piecewise(data, r), -1, lim)
	if want.Violations.Count("msgpack/header-oversized") == 0 {
		if (wantErr == nil) != (err == nil) || want.Complete != m.Complete || want.Violations.Total() != m.Violations.Total() {
			broken("of unknown size: %s, %v\nnot %s, %v", findings(&m.Violations), err, findings(&want.Violations), wantErr)
		}
	} else if m.Complete || err == nil {
		broken("of unknown size: clean, not %v", wantErr)
	}
	return worth(want.Values > 1)
}

// MsgpackDecode holds that the decoders take exactly what Measure finds clean,
// over a slice and over a reader, and what of it vmihailenco/msgpack can decode
// comes to the same.
func MsgpackDecode(data []byte) int {
	lim := msgpackcheck.DefaultLimits()
	lim.Checks = msgpackcheck.DuplicateKeys | msgpackcheck.KeyType
	m, err := msgpackcheck.Measure(data, lim)
	d := msgpackcheck.Decoder{Limits: lim}
	value, decodeErr := d.Decode(data)
	streamed, readerErr := d.DecodeReader(piecewise(data, draw(data)))
	switch {
	case err != nil:
		sameError("Decode", err, decodeErr)
		if readerErr == nil {
			broken("DecodeReader takes what Measure refuses: %v", err)
		}
		return ordinary
	case decodeErr != nil:
		if m.Violations.Count("msgpack/duplicate-key")+m.Violations.Count("msgpack/key-type") == 0 {
			broken("Decode: %v, Measure finds no key at fault", decodeErr)
		}
		sameError("DecodeReader", decodeErr, readerErr)
		return interesting
	case readerErr != nil:
		broken("DecodeReader: %v, Decode takes it", readerErr)
	}
	tree := printed(value)
	if s := printed(streamed); s != tree {
		broken("DecodeReader gives %.1000s\nDecode %.1000s", s, tree)
	}
	for _, other := range []msgpackcheck.Decoder{
		{Limits: lim, AliasBytes: true}, {Limits: lim, InternKeys: true}, {Limits: lim, LastWins: true},
	} {
		v, err := other.Decode(data)
		if s := printed(v); err != nil || s != tree {
			broken("%+v gives %.1000s, %v\nnot %.1000s", other, s, err, tree)
		}
	}
	if plain(value) {
		decodedByPeer(data, tree)
	}
	return worth(m.Values > 1)
}

// printed writes a decoded tree with its types, so that equal trees are equal
// text: NaN is NaN, and the entries of a map are in order, several NaN as keys
// included, which fmt leaves in any.
func printed(v any) string {
	var entries []string
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			entries = append(entries, printed(e))
		}
		return "[" + strings.Join(entries, ", ") + "]"
	case map[string]any:
		for k, e := range v {
			entries = append(entries, fmt.Sprintf("%q: %s", k, printed(e)))
		}
	case map[any]any:
		for k, e := range v {
			entries = append(entries, fmt.Sprintf("%#v: %s", k, printed(e)))
		}
	default:
		return fmt.Sprintf("%#v", v)
	}
	slices.Sort(entries)
	return fmt.Sprintf("%T{%s}", v, strings.Join(entries, ", "))
}

// plain reports whether a tree holds nothing that decoders map to Go in ways of
// their own: no ext and no timestamp, and no map but with keys that are str.
func plain(v any) bool {
	switch v := v.(type) {
	case nil, bool, int64, uint64, float64, string, []byte:
		return true
	case []any:
		for _, e := range v {
			if !plain(e) {
				return false
			}
		}
		return true
	case map[string]any:
		for _, e := range v {
			if !plain(e) {
				return false
			}
		}
		return true
	}
	return false
}

func decodedByPeer(data []byte, tree string) {
	peer, err := msgpack.NewDecoder(bytes.NewReader(data)).DecodeInterface()
	if err != nil {
		broken("vmihailenco: %v, we decode %.1000s", err, tree)
	}
	if s := printed(likeOurs(peer)); s != tree {
		broken("vmihailenco decodes %.1000s\nwe decode %.1000s", s, tree)
	}
}

// likeOurs makes of a peer's tree what Decoder says in other types: numbers are
// int64, uint64 where they have to be, or float64, and nothing empty is nil.
func likeOurs(peer any) any {
	v := reflect.ValueOf(peer)
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanUint() && v.Uint() <= math.MaxInt64:
		return int64(v.Uint())
	case v.CanUint():
		return v.Uint()
	case v.CanFloat():
		return v.Float()
	}
	switch p := peer.(type) {
	case []any:
		all := make([]any, 0, len(p))
		for _, e := range p {
			all = append(all, likeOurs(e))
		}
		return all
	case map[string]any:
		all := make(map[string]any, len(p))
		for k, e := range p {
			all[k] = likeOurs(e)
		}
		return all
	case []byte:
		return append([]byte{}, p...)
	}
	return peer
}

// MsgpackTruncation holds that no part of a clean value is clean.
func MsgpackTruncation(data []byte) int {
	m, err := msgpackcheck.Measure(data, msgpackcheck.Limits{})
	if err != nil {
		return ordinary
	}
	for _, n := range prefixes(draw(data), len(data)) {
		part, err := msgpackcheck.Measure(data[:n], msgpackcheck.Limits{})
		if err == nil || part.Complete {
			broken("the first %d of %d bytes are clean", n, len(data))
		}
		if _, err := msgpackcheck.MeasureReader(bytes.NewReader(data[:n]), -1, msgpackcheck.Limits{}); err == nil {
			broken("the first %d of %d bytes are clean over a reader", n, len(data))
		}
	}
	return worth(m.Values > 1)
}

// MsgpackLimits holds that lower limits refuse no less, and that limits are
// exact.
func MsgpackLimits(data []byte) int {
	r := draw(data)
	table := msgpackcheck.LimitTable()
	measure := func(lim msgpackcheck.Limits) error {
		_, err := msgpackcheck.Measure(data, lim)
		return err
	}
	monotone(r, table, drawLimits(r, table), measure)
	m, err := msgpackcheck.Measure(data, msgpackcheck.Limits{})
	if err != nil {
		return ordinary
	}
	exact(table, map[string]uint64{
		"msgpack.max-depth":        m.Depth,
		"msgpack.max-values":       m.Values,
		"msgpack.max-decoded-size": m.DecodedSize,
		"msgpack.max-array-length": m.LargestArray,
		"msgpack.max-map-length":   m.LargestMap,
		"msgpack.max-str-length":   m.LargestString,
	}, measure)
	return worth(m.Values > 1)
}
