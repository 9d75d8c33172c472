package walk

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxListed is the longest path that a list may hold, in bytes.
const maxListed = 64 << 10

// ReadList calls path with each path of a list: one a line, or with a zero
// byte behind each where zero is set. Empty ones are passed over. It reads as
// far as paths are wanted, and ends early with an error that path returns.
func ReadList(r io.Reader, zero bool, path func(string) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxListed)
	if zero {
		s.Split(splitZero)
	}
	for s.Scan() {
		name := s.Text()
		switch name {
		case "":
			continue
		case "-":
			name = "./-" // in a list it is a file's name
		}
		if err := path(name); err != nil {
			return err
		}
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		if zero {
			return fmt.Errorf("a path in the list is longer than %d bytes: are the paths not separated by zero bytes?", maxListed)
		}
		return fmt.Errorf("a path in the list is longer than %d bytes", maxListed)
	}
	return s.Err()
}

func splitZero(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}
