// Package refill reads from an io.Reader the way every measuring pass does:
// only io.EOF ends the input, a reader that makes no progress is an error, and
// an error that comes with bytes is kept until the bytes are used.
package refill

import (
	"errors"
	"io"
)

// maxEmptyReads is how many reads in a row may return nothing.
const maxEmptyReads = 100

// A Source reads from R. The zero Source with R set is ready.
type Source struct {
	R   io.Reader
	err error
}

// Read reads at least one byte into p, which must not be empty. It returns
// io.EOF at the end of input; any other error, io.ErrUnexpectedEOF included, is
// one of the reader's and comes wrapped. After an error it returns that error.
func (s *Source) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	for range maxEmptyReads {
		n, err := s.R.Read(p)
		if n < 0 || n > len(p) {
			s.err = &Error{errors.New("the reader returned an impossible count")}
			return 0, s.err
		}
		if err != nil {
			if err != io.EOF {
				err = &Error{err}
			}
			s.err = err
			if n == 0 {
				return 0, err
			}
		}
		if n > 0 {
			return n, nil
		}
	}
	s.err = &Error{io.ErrNoProgress}
	return 0, s.err
}

// An Error is one of the reader's, not of the payload.
type Error struct{ Err error }

func (e *Error) Error() string { return "reading the input: " + e.Err.Error() }

// Unwrap returns the reader's own error.
func (e *Error) Unwrap() error { return e.Err }

// Err returns the error that ended the input, io.EOF included, or nil.
func (s *Source) Err() error { return s.err }
