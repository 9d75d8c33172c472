package kubewarden

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/refill"
	"github.com/harden-input/harden/rule"
)

const (
	// maxInput is the most that is read of a request with its settings, in
	// bytes. An update holds an object twice, each of up to the 3 MiB that an
	// API server takes, and there is room for settings and the rest.
	maxInput = 8 << 20
	// maxDepth is how many arrays and objects may be open at once in it.
	maxDepth = 500
	// maxSettings is the most that settings may have, in bytes.
	maxSettings = 64 << 10
	// maxSettingsDepth is how deep limits can be spread over objects.
	maxSettingsDepth = 8
)

// readText reads r to its end, which must come within most bytes. It grows in
// few large steps: some WASI hosts copy all of a module's memory each time it
// grows.
func readText(r io.Reader, most int) ([]byte, error) {
	source := refill.Source{R: r}
	text := make([]byte, 0, 64<<10)
	for {
		if len(text) == cap(text) {
			grown := make([]byte, len(text), min(8*cap(text), most+1))
			copy(grown, text)
			text = grown
		}
		n, err := source.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case len(text) > most:
			return nil, fmt.Errorf("longer than the %d bytes that are read", most)
		case err == io.EOF:
			return text, nil
		case err != nil:
			return nil, err
		}
	}
}

// measureText refuses a text that is not JSON, costs more than the default
// profile allows or is nested deeper than depth, and one that another reader
// could understand differently: a name that an object has twice, half of a
// surrogate pair, a byte order mark.
func measureText(ctx context.Context, text []byte, depth uint64) error {
	chain, err := inspect.ParseChain("json")
	if err != nil {
		return err
	}
	lim := inspect.DefaultLimits()
	lim.Input = inspect.InputLimits{}
	lim.JSON.MaxDepth = depth
	ins, err := inspect.New(inspect.Config{Limits: lim, Chain: chain, FailOn: rule.Warning})
	if err != nil {
		return err
	}
	p := ins.Inspect(ctx, inspect.Bytes("", text))
	if p.Verdict == inspect.Clean {
		return nil
	}
	for i := range p.Violations {
		if v := &p.Violations[i]; v.Severity >= rule.Warning {
			return errors.New(describe(&p, v, maxTime))
		}
	}
	return errNotMeasured
}

// errNotMeasured is said of what neither was judged to its end nor has a
// violation that says why.
var errNotMeasured = errors.New("not measured to its end")
