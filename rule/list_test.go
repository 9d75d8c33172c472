package rule_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/rule"
)

var (
	multiMember = rule.Rule{ID: "gzip/multi-member", Default: rule.Note}
	crcMismatch = rule.Rule{ID: "gzip/crc-mismatch", Default: rule.Error}
	nameUnsafe  = rule.Rule{ID: "gzip/name-unsafe", Default: rule.Warning}
)

func at(r *rule.Rule, offset int64) rule.Violation { return rule.Violation{Rule: r, Offset: offset} }

func TestEmptyList(t *testing.T) {
	var l rule.List
	require.True(t, l.Empty())
	require.Empty(t, l.Kept())
	require.Zero(t, l.Total())
	require.Zero(t, l.Count("gzip/crc-mismatch"))
	require.NoError(t, l.Err())
	for range l.Firsts() {
		t.Fatal("an empty list has no firsts")
	}
}

// A flood of one rule neither grows the list nor hides what comes after it.
func TestListKeepsTheFirstOfEveryRuleAfterAFlood(t *testing.T) {
	var l rule.List
	const flood = 100_000
	for i := range int64(flood) {
		l.Add(at(&multiMember, i))
	}
	require.Len(t, l.Kept(), rule.MaxKept)
	l.Add(at(&crcMismatch, flood))
	l.Add(at(&crcMismatch, flood+1))
	l.Add(at(&nameUnsafe, flood+2))
	l.Add(at(&multiMember, flood+3))

	kept := l.Kept()
	require.Len(t, kept, rule.MaxKept+2)
	for i := range int64(rule.MaxKept) {
		require.Equal(t, i, kept[i].Offset)
	}
	require.Equal(t, at(&crcMismatch, flood), kept[rule.MaxKept])
	require.Equal(t, at(&nameUnsafe, flood+2), kept[rule.MaxKept+1])
	require.Equal(t, uint64(flood+1), l.Count("gzip/multi-member"))
	require.Equal(t, uint64(2), l.Count("gzip/crc-mismatch"))
	require.Equal(t, uint64(1), l.Count("gzip/name-unsafe"))
	require.Equal(t, uint64(flood+4), l.Total())
	require.False(t, l.Empty())
}

// The same rule at another severity is a first of its own: an error must not
// hide behind 64 notes of its rule.
func TestListKeepsTheFirstOfEverySeverity(t *testing.T) {
	var l rule.List
	for i := range int64(rule.MaxKept) {
		l.Add(at(&nameUnsafe, i))
	}
	weighty := at(&nameUnsafe, 1000)
	weighty.Severity = rule.Error
	l.Add(weighty)
	l.Add(weighty)
	require.Len(t, l.Kept(), rule.MaxKept+1)
	require.Equal(t, uint64(rule.MaxKept+2), l.Count("gzip/name-unsafe"))

	var offsets []int64
	var counts []uint64
	for v, n := range l.Firsts() {
		offsets, counts = append(offsets, v.Offset), append(counts, n)
	}
	require.Equal(t, []int64{0, 1000}, offsets)
	require.Equal(t, []uint64{rule.MaxKept, 2}, counts)
	err, ok := l.Err().(*rule.Violation)
	require.True(t, ok)
	require.Equal(t, int64(1000), err.Offset)
}

func TestFirstsCanBeLeftEarly(t *testing.T) {
	var l rule.List
	l.Add(at(&multiMember, 1))
	l.Add(at(&crcMismatch, 2))
	var seen int
	for range l.Firsts() {
		seen++
		break
	}
	require.Equal(t, 1, seen)
}

func TestErrIsTheFirstErrorAdded(t *testing.T) {
	var l rule.List
	l.Add(at(&multiMember, 1))
	l.Add(at(&nameUnsafe, 2))
	require.NoError(t, l.Err())
	l.Add(at(&crcMismatch, 3))
	l.Add(at(&crcMismatch, 4))
	require.EqualError(t, l.Err(), "gzip/crc-mismatch at byte 3: ")
}

// A clean pass allocates nothing, and a flood nothing once the list is full.
func TestAFullListDoesNotGrow(t *testing.T) {
	var l rule.List
	for range rule.MaxKept {
		l.Add(at(&multiMember, 0))
	}
	require.Zero(t, testing.AllocsPerRun(100, func() { l.Add(at(&multiMember, 0)) }))
}
