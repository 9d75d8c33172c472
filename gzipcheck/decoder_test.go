package gzipcheck

import (
	"bytes"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/rule"
)

func TestDecode(t *testing.T) {
	d := NewDecoder(DefaultLimits())
	for _, c := range payloadCases() {
		t.Run(c.name, func(t *testing.T) {
			src := write(t, c.payload)
			m, want := Measure(src, DefaultLimits())
			out, err := d.Decode([]byte("before"), src)
			require.Equal(t, want, err)
			if err != nil {
				require.Equal(t, "before", string(out), "dst comes back as it was")
				return
			}
			require.Equal(t, "before", string(out[:6]))
			require.Len(t, out, 6+int(m.Decompressed))
		})
	}
}

func TestDecodeConcatenatesMembers(t *testing.T) {
	src := write(t, forge.Sequence{forge.Gzip{Name: "a", HeaderCRC: true, Body: forge.Text("hello, ")}, forge.Gzip{}, member("world")})
	out, err := NewDecoder(Limits{}).Decode(nil, src)
	require.NoError(t, err)
	require.Equal(t, "hello, world", string(out))
}

func TestCRCMismatch(t *testing.T) {
	good := member("hello")
	bad := forge.Gzip{Body: forge.Text("world"), Trailer: func(t *forge.Trailer) { t.CRC ^= 1 }}
	src := write(t, forge.Sequence{good, bad})
	m, err := Measure(src, DefaultLimits())
	require.NoError(t, err, "Measure has no bytes to sum")
	require.True(t, m.Complete)

	dst := []byte("before")
	out, err := NewDecoder(DefaultLimits()).Decode(dst, src)
	var v *rule.Violation
	require.ErrorAs(t, err, &v)
	require.Equal(t, "gzip/crc-mismatch", v.Rule.ID)
	require.Equal(t, int64(25+17), v.Offset)
	require.Equal(t, "before", string(out))

	out, rm, err := readAll(bytes.NewReader(src), DefaultLimits(), false)
	require.Equal(t, "helloworld", string(out))
	require.Equal(t, v.Error(), err.Error())
	require.False(t, rm.Complete)

	out, rm, err = readAll(bytes.NewReader(append(src, write(t, good)...)), DefaultLimits(), true)
	require.NoError(t, err, "collected, and read on")
	require.Equal(t, "helloworldhello", string(out))
	require.True(t, rm.Complete)
	require.Equal(t, []string{"gzip/multi-member", "gzip/crc-mismatch"}, ids(&rm.Violations))
}

func TestDecodeAllocatesExactlyOnce(t *testing.T) {
	const size = 1 << 20
	src := write(t, forge.Gzip{Body: forge.Zeros(size)})
	d := NewDecoder(DefaultLimits())
	out, err := d.Decode(nil, src)
	require.NoError(t, err)
	require.Equal(t, size, cap(out))

	room := make([]byte, 3, 3+size)
	out, err = d.Decode(room, src)
	require.NoError(t, err)
	require.Same(t, &room[0], &out[0], "what has room is used")
	require.Less(t, allocatedBytes(func() { _, _ = d.Decode(room, src) }), uint64(4<<10), "but for flate's own tables")
}

func TestDecodeLeavesTheRestOfAnArrayAlone(t *testing.T) {
	array := []byte("0123456789")
	out, err := NewDecoder(Limits{}).Decode(array[:2], write(t, member("abc")))
	require.NoError(t, err)
	require.Equal(t, "01abc", string(out))
	require.Equal(t, "01abc56789", string(array))
}

func TestDecoderIsSafeForConcurrentUse(t *testing.T) {
	d := NewDecoder(DefaultLimits())
	good, bad := write(t, member("hello")), write(t, forge.Gzip{Body: forge.Text("hello"), Trailer: isize(4)})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				out, err := d.Decode(nil, good)
				if err != nil || string(out) != "hello" {
					t.Errorf("got %q, %v", out, err)
				}
				if _, err = d.Decode(nil, bad); err == nil {
					t.Error("a forged trailer passed")
				}
			}
		})
	}
	wg.Wait()
}

// A pooled reader that kept its source would keep every payload alive.
func TestPoolsDoNotKeepTheSource(t *testing.T) {
	freed := make(chan struct{})
	func() {
		src := write(t, forge.Gzip{Body: forge.StoredBlocks(make([]byte, 1<<15))})
		runtime.AddCleanup(&src[0], func(struct{}) { close(freed) }, struct{}{})
		_, err := NewDecoder(Limits{}).Decode(nil, src)
		require.NoError(t, err)
		_, _, err = readAll(bytes.NewReader(src), Limits{}, false)
		require.NoError(t, err)
	}()
	for range 100 {
		runtime.GC()
		select {
		case <-freed:
			return
		default:
		}
	}
	t.Fatal("the source is still reachable after decoding")
}
