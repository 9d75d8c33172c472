module github.com/harden-input/harden/internal/hosttest

go 1.26.0

replace github.com/harden-input/harden => ../..

require (
	github.com/bytecodealliance/wasmtime-go/v39 v39.0.1
	github.com/harden-input/harden v0.0.0-00010101000000-000000000000
	github.com/stretchr/testify v1.12.1
	github.com/tetratelabs/wazero v1.12.0
	github.com/tinylib/msgp v1.6.5
)

require (
	github.com/philhofer/fwd v1.2.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
