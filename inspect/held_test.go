package inspect

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/rule"
)

func TestInspectHeldJudgesLikeInspect(t *testing.T) {
	ins := newInspector(t, nil)
	for _, c := range corpus.All() {
		if c.Large {
			continue
		}
		data := write(t, c.Payload)
		want := ins.Inspect(context.Background(), Bytes("-", data))
		got, held := ins.InspectHeld(context.Background(), "-", iotest.HalfReader(bytes.NewReader(data)))
		require.Equal(t, want, got, c.ID)
		require.True(t, bytes.Equal(data, readAll(t, held)), c.ID)
	}
}

func readAll(t *testing.T, h *Held) []byte {
	t.Helper()
	got := make([]byte, h.Size())
	n, err := h.ReadAt(got, 0)
	require.NoError(t, err)
	require.Equal(t, len(got), n)
	return got
}

func TestHeldInPieces(t *testing.T) {
	ins := newInspector(t, nil)
	for _, size := range []int{pieceSize - 1, pieceSize, pieceSize + 1, 3 * pieceSize, 3*pieceSize + 5} {
		data := []byte(`["` + strings.Repeat("0123456789", size/10+1))[:size-2]
		data = append(data, `"]`...)
		p, held := ins.InspectHeld(context.Background(), "-", iotest.OneByteReader(bytes.NewReader(data)))
		require.Equal(t, Clean, p.Verdict, "%v", p.Violations)
		require.True(t, bytes.Equal(data, readAll(t, held)))
		require.NoError(t, iotest.TestReader(io.NewSectionReader(held, 0, held.Size()), data))
	}
}

func TestInspectHeldReadsNoMoreThanItsLimit(t *testing.T) {
	ins := newInspector(t, func(c *Config) { c.Limits.Input.MaxSize = 4 })
	p, _ := ins.InspectHeld(context.Background(), "-", bytes.NewReader([]byte("1234")))
	require.Equal(t, Clean, p.Verdict)
	p, held := ins.InspectHeld(context.Background(), "-", bytes.NewReader([]byte("12345")))
	require.Equal(t, Rejected, p.Verdict)
	require.Equal(t, []string{"input/size"}, rulesOf(p))
	require.Nil(t, held)
}

func TestInspectHeldIsUndecidedWhereReadingFails(t *testing.T) {
	p, held := newInspector(t, nil).InspectHeld(context.Background(), "-",
		io.MultiReader(bytes.NewReader([]byte("[1]")), iotest.ErrReader(errors.New("gone"))))
	require.Equal(t, Undecided, p.Verdict)
	require.Equal(t, []string{"input/unreadable"}, rulesOf(p))
	require.Nil(t, held)
}

func TestPeel(t *testing.T) {
	ins := newInspector(t, nil)
	src := write(t, layered(2))
	p, held := ins.InspectHeld(context.Background(), "-", bytes.NewReader(src))
	require.Equal(t, 2, p.CompressedLayers())
	for n, want := range [][]byte{src, write(t, layered(1)), []byte("hello")} {
		r, size, err := ins.Peel(&p, held, n)
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, uint64(len(want)), size)
		require.NoError(t, r.Close())
	}
	_, _, err := ins.Peel(&p, held, 3)
	require.ErrorContains(t, err, "cannot be peeled")
	p.Reject(1, &rule.Violation{Rule: &inputSize})
	require.Equal(t, Rejected, p.Verdict)
	_, _, err = ins.Peel(&p, held, 1)
	require.ErrorContains(t, err, "rejected cannot be peeled")
}
