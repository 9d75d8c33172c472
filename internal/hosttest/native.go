package hosttest

import (
	"context"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// RunNative runs the native program as a host runs the module, in the directory
// dir. Of call it takes the arguments, the environment and stdin.
func RunNative(ctx context.Context, tb testing.TB, dir string, call Call) Result {
	tb.Helper()
	cmd := exec.CommandContext(ctx, Native(tb), call.Args...)
	cmd.Dir, cmd.Stdin, cmd.Env = dir, call.Stdin, append([]string{}, call.Env...)
	r, err := runProcess(cmd)
	require.NoError(tb, err)
	return r
}
