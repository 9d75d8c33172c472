//go:build !cgo

package hosttest

import "fmt"

// NewWasmtime fails: wasmtime is a C library.
func NewWasmtime([]byte) (Host, error) {
	return nil, fmt.Errorf("wasmtime: built without cgo: %w", errNoHost)
}
