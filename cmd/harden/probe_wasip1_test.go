package main

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProbeNeedsANativeBuild(t *testing.T) {
	var out, errs bytes.Buffer
	c := Command{Stdin: &bytes.Buffer{}, Stdout: &out, Stderr: &errs}
	require.Equal(t, ExitUndecided, c.Main(context.Background(), []string{"harden", "probe", "--format", "gzip", "--", "gzip", "-t"}))
	require.Empty(t, out.String())
	require.Equal(t, "harden: probe starts processes, and WASI has none: use a native build of harden\n", errs.String())
}
