package msgpackcheck

import (
	"bytes"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hostile are payloads that make decoders allocate or recurse.
func hostile() []document { return append(promising(), nesting()...) }

func rep(s string, n int) []byte { return bytes.Repeat([]byte(s), n) }

// promising are payloads that promise more than they hold.
func promising() []document {
	return []document{
		{"array32", []byte("\xdd\xff\xff\xff\xff")},
		{"map32", []byte("\xdf\xff\xff\xff\xff")},
		{"map32 that wraps 32 bits", []byte("\xdf\x80\x00\x00\x00")},
		{"str32", []byte("\xdb\xff\xff\xff\xff")},
		{"bin32", []byte("\xc6\xff\xff\xff\xff")},
		{"ext32", []byte("\xc9\xff\xff\xff\xff\x05")},
		{"array16 nested below a cap on preallocation", rep("\xdc\x10\x00", 1000)},
		{"array16 nested within the bytes left", append(rep("\xdc\xff\xff", 1000), rep("\xc0", 65535)...)},
		{"map16 nested within the bytes left", append(rep("\xde\x7f\xff\xa0", 1000), rep("\xc0", 65535)...)},
		{"array32 nested for ever", rep("\xdd\xff\xff\xff\xff", 100_000)},
	}
}

// nesting are payloads that nest deep.
func nesting() []document {
	return []document{
		{"one-element arrays", rep("\x91", 2_000_000)},
		{"one-pair maps", rep("\x81\xa0", 1_000_000)},
		{"maps as keys", rep("\x81", 1_000_000)},
	}
}

// allocated returns the bytes that f allocates with nothing in any pool: the
// least of three, because others allocate as well.
func allocated(f func()) uint64 {
	least := uint64(math.MaxUint64)
	for range 3 {
		runtime.GC()
		runtime.GC() // the second one empties pools
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

func TestHostilePayloadsCostNothing(t *testing.T) {
	d := Decoder{Limits: DefaultLimits()}
	unlimited := Decoder{}
	for i, c := range hostile() {
		t.Run(c.name, func(t *testing.T) {
			most := uint64(4 << 10)
			if i >= len(promising()) {
				most = 8 << 10 // for 128 levels
			}
			measure := func() { _, _ = Measure(c.data, DefaultLimits()) }
			require.Less(t, allocated(measure), most, "Measure")
			decode := func() {
				_, err := d.Decode(c.data)
				require.Error(t, err)
			}
			require.Less(t, allocated(decode), most, "Decode")
			reader := func(d *Decoder) func() {
				return func() {
					_, err := d.DecodeReader(bytes.NewReader(c.data))
					require.Error(t, err)
				}
			}
			require.Less(t, allocated(reader(&d)), uint64(4<<20), "DecodeReader")
			// Ten thousand levels are built before depth is refused.
			require.Less(t, allocated(reader(&unlimited)), uint64(8<<20), "DecodeReader without limits")
		})
	}
}

// A map was once made for str keys with its header, and made again when its
// first key was none: 64 KiB of input then cost more than 5 MiB.
func TestDecodeReaderMakesAMapOfNumbersOnce(t *testing.T) {
	src := append([]byte("\xdf\x7f\xff\xff\xff"), rep("\x01", windowSize-5)...)
	requireDecodeReaderCosts(t, src, 4<<20)
}

// A map whose second key was no str was once made again at full size.
func TestDecodeReaderMakesRoomForAMapOnce(t *testing.T) {
	src := append([]byte("\xdf\x7f\xff\xff\xff\xa0\x01"), rep("\x01", windowSize-7)...)
	requireDecodeReaderCosts(t, src, 4<<20)
}

// Open containers were once kept in one slice that grew: 4 MiB for the 10,000
// that are built before depth is refused.
func TestDecodeReaderWithoutLimitsKeepsOpenContainersOnce(t *testing.T) {
	for _, header := range []string{"\x91", "\xdd\x00\xff\xff\xff"} {
		requireDecodeReaderCosts(t, rep(header, 1<<20/len(header)), 3<<20)
	}
	for _, header := range []string{"\x81\xa0", "\xdf\x0f\xff\xff\xff\xa0"} {
		requireDecodeReaderCosts(t, rep(header, 1<<20/len(header)), 5<<20)
	}
}

// requireDecodeReaderCosts asserts that src, which no Decoder takes, costs less
// than most bytes without limits.
func requireDecodeReaderCosts(t *testing.T, src []byte, most uint64) {
	t.Helper()
	d := Decoder{LastWins: true}
	require.Less(t, allocated(func() {
		_, err := d.DecodeReader(bytes.NewReader(src))
		require.Error(t, err)
	}), most)
}

// Levels were once kept in one slice that doubled: up to 18 bytes each, and 31
// while it was copied.
func TestALevelCostsEightBytes(t *testing.T) {
	const levels = 4_000_000
	src := append(rep("\x91", levels), 0xc0)
	for _, how := range []struct {
		name    string
		measure func() (Measurement, error)
	}{
		{"slice", func() (Measurement, error) { return Measure(src, Limits{}) }},
		{"slice, one by one", func() (Measurement, error) { return Measure(src, Limits{Checks: KeyType}) }},
		{"reader", func() (Measurement, error) { return MeasureReader(bytes.NewReader(src), -1, Limits{}) }},
	} {
		t.Run(how.name, func(t *testing.T) {
			require.Less(t, allocated(func() {
				m, err := how.measure()
				require.NoError(t, err)
				require.Equal(t, uint64(levels), m.Depth)
			}), uint64(8*levels+512<<10))
		})
	}
}

func TestDepthWithoutLimits(t *testing.T) {
	src := append(bytes.Repeat([]byte{0x91}, 4_000_000), 0xc0)
	m, err := Measure(src, Limits{})
	require.NoError(t, err)
	require.Equal(t, uint64(4_000_000), m.Depth)

	var d Decoder
	_, err = d.Decode(src)
	requireRule(t, err, "msgpack/depth")
	_, err = d.Decode(src[len(src)-10_001:])
	require.NoError(t, err)
}

func TestReaderUsesBoundedMemory(t *testing.T) {
	src := append([]byte{0xdd, 0, 0x98, 0x96, 0x7f}, bytes.Repeat([]byte("\xa3abc"), 9_999_999)...)
	got := allocated(func() {
		_, err := MeasureReader(bytes.NewReader(src), -1, DefaultLimits().with(UTF8))
		require.NoError(t, err)
	})
	require.Less(t, got, uint64(512<<10))
}

func TestCleanMeasureAllocatesNothing(t *testing.T) {
	for _, doc := range append(shapes(), randomDocuments(50)...) {
		lim := Limits{MaxDepth: 100, MaxDecodedSize: 1 << 40}
		require.Zero(t, testing.AllocsPerRun(5, func() { _, _ = Measure(doc.data, lim) }), doc.name)
	}
}

// A deep record that leaves the window leaves names behind. They were once
// forgotten one by one in front of every record that followed.
func TestSmallRecordsForgetTheNamesOfADeepOneAtOnce(t *testing.T) {
	deep := append(rep("\x81\xa1a", 1000), sized(nil, 0xc6, 2*windowSize)...)
	deep = append(deep, make([]byte, 2*windowSize)...)
	s := NewScanner(bytes.NewReader(append(deep, 0xc0)), -1, Limits{})
	defer s.Close()
	require.True(t, s.Next())
	require.Len(t, s.s.trail.names, 1000)
	require.True(t, s.Next())
	require.Empty(t, s.s.trail.names)
	require.False(t, s.Next())
	require.NoError(t, s.Err())
}

func TestManySmallRecordsDoNotPayForALargeOne(t *testing.T) {
	large := []byte("\xde\xff\xff")
	for i := range 65535 {
		large = append(large, 0xcd, byte(i>>8), byte(i), 0xc0)
	}
	lim := Limits{Checks: DuplicateKeys}
	_, err := Measure(large, lim)
	require.NoError(t, err)
	src := []byte(strings.Repeat("\x83\xa1a\x01\xa1b\x02\xa1c\x03", 100_000))
	s := NewScannerBytes(src, lim)
	defer s.Close()
	allocs := testing.AllocsPerRun(1, func() {
		for range 50_000 {
			if !s.Next() {
				t.Fatal("a record is missing")
			}
		}
	})
	require.Zero(t, allocs)
}
