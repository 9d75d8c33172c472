package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/wasmtest"
)

var builds wasmtest.Builds

func TestMain(m *testing.M) { os.Exit(builds.Run(m)) }

// modules are the modules that a test is to hold for.
func modules(t *testing.T, test func(t *testing.T, box *Sandbox)) {
	for _, m := range []struct {
		name  string
		bytes func(testing.TB) []byte
	}{{"reactor", builds.Reactor}, {"command", builds.Command}} {
		t.Run(m.name, func(t *testing.T) { test(t, open(t, m.bytes(t))) })
	}
}

func open(t testing.TB, module []byte) *Sandbox {
	box, err := New(context.Background(), module, Options{Cache: builds.Cache()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, box.Close(context.Background())) })
	return box
}

func inspector(t testing.TB, box *Sandbox, cfg inspect.Config) *Inspector {
	ins, err := box.Inspector(cfg, DefaultMemory)
	require.NoError(t, err)
	return ins
}

// native is the inspector that a sandbox is to equal.
func native(t testing.TB, cfg inspect.Config) *inspect.Inspector {
	ins, err := inspect.New(cfg)
	require.NoError(t, err)
	return ins
}

func defaults() inspect.Config { return inspect.Config{Limits: inspect.DefaultLimits()} }

type judge interface {
	InspectInto(context.Context, inspect.Input, *inspect.Report)
}

// reported is the report on one payload as JSON.
func reported(t testing.TB, ins judge, in inspect.Input) string {
	r := inspect.NewReport()
	ins.InspectInto(context.Background(), in, r)
	text, err := json.MarshalIndent(r, "", " ")
	require.NoError(t, err)
	return string(text)
}

func file(name string, payload []byte) inspect.Input {
	return inspect.File(name, bytes.NewReader(payload), int64(len(payload)))
}

func stream(name string, payload []byte) inspect.Input {
	return inspect.Stream(name, bytes.NewBuffer(payload))
}
