//go:build !cgo

package hosttest

var loaders = []loader{{"wazero-from-file", loadWazero}}
