package refill_test

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/refill"
)

// A step is what one Read of a scripted reader does.
type step struct {
	n   int
	err error
}

// scripted is a reader that does its steps in order and fails the test after
// the last.
type scripted struct {
	t     *testing.T
	steps []step
}

func (s *scripted) Read(p []byte) (int, error) {
	require.NotEmpty(s.t, s.steps, "read after the end")
	next := s.steps[0]
	s.steps = s.steps[1:]
	for i := range p[:max(0, min(next.n, len(p)))] {
		p[i] = 'x'
	}
	return next.n, next.err
}

func source(t *testing.T, steps ...step) *refill.Source {
	return &refill.Source{R: &scripted{t, steps}}
}

var errDisk = errors.New("disk on fire")

func TestReadHandsOnWhatThereIs(t *testing.T) {
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"whole":                 func(r io.Reader) io.Reader { return r },
		"one byte at a time":    iotest.OneByteReader,
		"end with last bytes":   iotest.DataErrReader,
		"half of what is asked": iotest.HalfReader,
	} {
		t.Run(name, func(t *testing.T) {
			s := &refill.Source{R: wrap(bytes.NewReader([]byte("payload")))}
			var got []byte
			p := make([]byte, 4)
			for {
				n, err := s.Read(p)
				got = append(got, p[:n]...)
				if err != nil {
					require.Equal(t, io.EOF, err)
					break
				}
				require.Positive(t, n)
			}
			require.Equal(t, "payload", string(got))
			require.Equal(t, io.EOF, s.Err())
		})
	}
}

// An error that comes with bytes is told once the bytes are used, and the
// reader is not asked again.
func TestErrorWithBytesIsKept(t *testing.T) {
	for name, ending := range map[string]error{"end of input": io.EOF, "error": errDisk} {
		t.Run(name, func(t *testing.T) {
			s := source(t, step{3, ending})
			p := make([]byte, 8)
			n, err := s.Read(p)
			require.NoError(t, err)
			require.Equal(t, "xxx", string(p[:n]))
			require.ErrorIs(t, s.Err(), ending)
			for range 2 {
				n, err = s.Read(p)
				require.Zero(t, n)
				require.ErrorIs(t, err, ending)
			}
		})
	}
}

// Only io.EOF itself ends the input; everything else is the reader's failure.
func TestOnlyEOFIsTheEnd(t *testing.T) {
	for name, err := range map[string]error{
		"own error":      errDisk,
		"unexpected end": io.ErrUnexpectedEOF,
		"wrapped end":    errors.Join(io.EOF),
		"closed pipe":    io.ErrClosedPipe,
	} {
		t.Run(name, func(t *testing.T) {
			_, got := source(t, step{0, err}).Read(make([]byte, 1))
			var readError *refill.Error
			require.ErrorAs(t, got, &readError)
			require.Equal(t, err, readError.Unwrap())
			require.EqualError(t, got, "reading the input: "+err.Error())
		})
	}
}

func TestEmptyReads(t *testing.T) {
	empty := make([]step, 100)
	t.Run("99 and then bytes", func(t *testing.T) {
		s := source(t, append(empty[:99:99], step{1, nil})...)
		n, err := s.Read(make([]byte, 4))
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.NoError(t, s.Err())
	})
	t.Run("99 twice, with bytes between", func(t *testing.T) {
		s := source(t, append(append(append([]step{}, empty[:99]...), step{1, nil}), append(empty[:99:99], step{1, nil})...)...)
		for range 2 {
			_, err := s.Read(make([]byte, 4))
			require.NoError(t, err)
		}
	})
	t.Run("100 are no progress", func(t *testing.T) {
		s := source(t, empty...)
		for range 2 {
			n, err := s.Read(make([]byte, 4))
			require.Zero(t, n)
			require.ErrorIs(t, err, io.ErrNoProgress)
		}
	})
}

func TestImpossibleCounts(t *testing.T) {
	for name, n := range map[string]int{"negative": -1, "more than there is room for": 5} {
		for with, err := range map[string]error{"": nil, " with the end": io.EOF} {
			t.Run(name+with, func(t *testing.T) {
				s := source(t, step{n, err})
				for range 2 {
					got, err := s.Read(make([]byte, 4))
					require.Zero(t, got)
					require.EqualError(t, err, "reading the input: the reader returned an impossible count")
				}
			})
		}
	}
}

func TestErrIsNilBeforeTheEnd(t *testing.T) {
	s := source(t, step{4, nil})
	require.NoError(t, s.Err())
	_, err := s.Read(make([]byte, 4))
	require.NoError(t, err)
	require.NoError(t, s.Err())
}
