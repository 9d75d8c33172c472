package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/fuzz/target"
)

func TestDictionariesAreThoseOnDisk(t *testing.T) {
	require.Equal(t, string(target.Dictionary("gzip")), string(gzipDictionary()), "run go generate ./fuzz/target")
	require.Equal(t, string(target.Dictionary("msgpack")), string(msgpackDictionary()), "run go generate ./fuzz/target")
}
