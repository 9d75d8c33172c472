// The Go decoders that docs/probe.md compares. A module of its own, so that
// users of harden do not download them.
module github.com/harden-input/harden/internal/probe/testdata/drivers

go 1.26.0

require (
	github.com/klauspost/compress v1.20.4
	github.com/tinylib/msgp v1.6.5
	github.com/ugorji/go/codec v1.3.2
	github.com/vmihailenco/msgpack/v5 v5.4.1
)

require (
	github.com/philhofer/fwd v1.2.0 // indirect
	github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
)
