package kubewarden

import (
	"errors"
	"fmt"
	"io"

	"github.com/harden-input/harden/internal/refill"
	"github.com/harden-input/harden/jsoncheck"
	"github.com/harden-input/harden/rule"
)

const (
	// maxInput is the most that is read of a request with its settings, in
	// bytes. An update holds an object twice, each of up to the 3 MiB that an
	// API server takes, and there is room for settings and the rest.
	maxInput = 8 << 20
	// maxSettings is the most that settings may have, in bytes.
	maxSettings = 64 << 10
)

// readText reads r to its end, which must come within most bytes.
func readText(r io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(&refill.Source{R: r}, most+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(text)) > most:
		return nil, fmt.Errorf("longer than the %d bytes that are read", most)
	case len(text) == 0:
		return nil, errors.New("empty")
	}
	return text, nil
}

// measureText refuses a text that is not JSON, costs more than lim allows, or
// that another reader could understand differently: a name that an object has
// twice, half of a surrogate pair, a byte order mark.
func measureText(text []byte, lim jsoncheck.Limits) error {
	lim.Checks = jsoncheck.DuplicateKeys | jsoncheck.LoneSurrogates
	m, err := jsoncheck.Measure(text, lim)
	if err != nil {
		return located(err)
	}
	for v := range m.Violations.Firsts() {
		return located(v)
	}
	if !m.Complete {
		return errors.New("not measured to its end")
	}
	return nil
}

// located adds to a violation where in the text its value is.
func located(err error) error {
	var v *rule.Violation
	if errors.As(err, &v) && v.Pointer != "" {
		return fmt.Errorf("%w, at %s", err, v.Pointer)
	}
	return err
}
