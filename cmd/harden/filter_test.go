package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// filtered runs harden filter over in, with stdout.
func filtered(in string, stdout io.Writer, args ...string) (code int, stderr string) {
	var b bytes.Buffer
	c := Command{Stdin: strings.NewReader(in), Stdout: stdout, Stderr: &b}
	code = c.Main(context.Background(), append([]string{"harden", "filter"}, args...))
	return code, b.String()
}

// short takes less than it is given, which a Writer must not do in silence.
type short struct{}

func (short) Write(p []byte) (int, error) { return len(p) / 2, nil }

// broken is a writer that fails with err.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

func TestWhatIsNotHandedOnWholeIsNoSuccess(t *testing.T) {
	for _, args := range [][]string{{"--as", "json"}, {"--records", "ndjson"}} {
		code, stderr := filtered("{}\n", short{}, args...)
		require.Equal(t, ExitUndecided, code)
		require.Contains(t, stderr, "handing on what is clean: short write")

		code, stderr = filtered("{}\n", broken{errors.New("gone")}, args...)
		require.Equal(t, ExitUndecided, code)
		require.Contains(t, stderr, "handing on what is clean: gone")
	}
}

func TestClosedPipeIsQuiet(t *testing.T) {
	for _, args := range [][]string{{"--as", "json"}, {"--records", "ndjson"}} {
		code, stderr := filtered("{}\n", broken{io.ErrClosedPipe}, args...)
		require.Equal(t, ExitClean, code)
		require.Empty(t, stderr)
	}
	code, stderr := filtered("[\n"+strings.Repeat("{}\n", 100_000), broken{io.ErrClosedPipe}, "--records", "ndjson")
	require.Equal(t, ExitRejected, code, "what was seen counts")
	require.Empty(t, stderr)
}
