package spell

import (
	"fmt"

	"github.com/harden-input/harden/rule"
)

// ParseSize reads the size in bytes that a flag such as --max-output was given,
// as SetLimit does: 64MiB, 1048576, or none, which is 0.
func ParseSize(flag, text string) (uint64, error) {
	n, err := ParseLimit(rule.UnitBytes, text)
	if err != nil {
		return 0, fmt.Errorf("--%s: %w", flag, err)
	}
	return n, nil
}
