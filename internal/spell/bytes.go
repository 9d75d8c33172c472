package spell

import (
	"fmt"
	"math"
	"strconv"

	"github.com/dustin/go-humanize"
)

// ParseBytes reads a number of bytes: digits, or a number with a unit such as
// 64KiB (1024) or 64kB (1000).
func ParseBytes(text string) (uint64, error) {
	// humanize goes through float64, which is exact only below 2^53.
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n, nil
	}
	n, err := humanize.ParseBytes(text)
	if err != nil || n > math.MaxInt64 {
		return 0, fmt.Errorf("%q is not a size: write bytes such as 1048576, or 64KiB, 128MiB, 2GiB", text)
	}
	return n, nil
}
