// Package config turns what people write in flags and files into limits,
// severities and profiles, with errors that say what to write instead.
package spell

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/rule"
)

// None is how "no limit" is written. A bare 0 is refused, so that unset, zero
// and none stay apart.
const None = "none"

// SetLimit sets the limit with this key to what text says: a number, a byte
// size such as 64MiB for limits in bytes, a duration such as 30s for limits in
// time, or none.
func SetLimit(lim *inspect.Limits, key, text string) error {
	f, err := LimitNamed(key)
	if err != nil {
		return err
	}
	n, err := ParseLimit(f.Unit, text)
	if err != nil {
		return fmt.Errorf("limit %s: %w", key, err)
	}
	*f.Field(lim) = n
	return nil
}

// ParseLimit reads a limit that counts unit, as SetLimit does.
func ParseLimit(unit, text string) (uint64, error) {
	if text == None {
		return 0, nil
	}
	n, err := parseAmount(unit, text)
	if err == nil && n == 0 {
		return 0, fmt.Errorf("0 is no limit to work with: write %s for no limit", None)
	}
	return n, err
}

func parseAmount(unit, text string) (uint64, error) {
	switch unit {
	case inspect.UnitTime:
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return 0, fmt.Errorf("%q is not a duration: write one such as 500ms, 30s or 10m, or %s", text, None)
		}
		return uint64(d), nil
	case rule.UnitBytes:
		n, err := ParseBytes(text)
		if err != nil {
			return 0, fmt.Errorf("%w, or %s", err, None)
		}
		return n, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number of %s: write digits, or %s", text, unit, None)
	}
	return n, nil
}

// FormatLimit writes a limit as SetLimit reads it, in the shortest exact form.
func FormatLimit(unit string, n uint64) string {
	switch {
	case n == 0:
		return None
	case unit == inspect.UnitTime:
		text := time.Duration(n).String()
		if short, ok := strings.CutSuffix(text, "m0s"); ok {
			text = short + "m"
		}
		return text
	case unit == rule.UnitBytes:
		for _, u := range []struct {
			size uint64
			name string
		}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
			if n%u.size == 0 {
				return strconv.FormatUint(n/u.size, 10) + u.name
			}
		}
	}
	return strconv.FormatUint(n, 10)
}

// LimitNamed returns the limit with this key, or an error that suggests the
// closest.
func LimitNamed(key string) (rule.LimitField[inspect.Limits], error) {
	var keys []string
	for _, f := range inspect.LimitTable() {
		if f.Key == key {
			return f, nil
		}
		keys = append(keys, f.Key)
	}
	return rule.LimitField[inspect.Limits]{}, fmt.Errorf("unknown limit %q%s", key, Suggestion(key, keys))
}
