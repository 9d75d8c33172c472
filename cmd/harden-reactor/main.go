//go:build wasip1

// Command harden-reactor is the module for hosts that keep an instance: it
// exports functions instead of running once. See docs/reactor.md.
package main

import (
	"math"
	"reflect"

	"github.com/harden-input/harden/internal/guest"
)

// maxHeld bounds what a host may have allocated at once, in bytes.
const maxHeld = 1 << 30

// An instance has one host, which calls one function at a time.
var (
	buffers = map[uint32][]byte{} // by address: what the host allocated or has to free
	held    uint64                // their bytes
	judge   guest.Judge
)

func main() {}

// abi returns the version of these functions.
//
//go:wasmexport harden_abi
func abi() uint32 { return guest.ABI }

// alloc returns the address of size bytes of memory, 0 where size is 0 or the
// host holds too much already.
//
//go:wasmexport harden_alloc
func alloc(size uint32) uint32 {
	if size == 0 || held+uint64(size) > maxHeld {
		return 0
	}
	return keep(make([]byte, size))
}

// free gives memory back. An address that is not held is left alone.
//
//go:wasmexport harden_free
func free(at uint32) {
	held -= uint64(len(buffers[at]))
	delete(buffers, at)
}

// inspectBytes judges the payload in memory and returns the report, its address
// in the upper half and its length in the lower; 0 where an address is not one
// that alloc returned, or a length goes beyond what was allocated there. The
// host frees the report.
//
//go:wasmexport harden_inspect
func inspectBytes(settings, settingsLen, name, nameLen, payload, payloadLen uint32) uint64 {
	s, n, p := buffer(settings, settingsLen), buffer(name, nameLen), buffer(payload, payloadLen)
	if s == nil || n == nil || p == nil {
		return 0
	}
	return result(judge.Bytes(s, string(n), p))
}

// inspectFile judges a file in a directory that the host opened for the
// instance, or stdin where path is "-". It returns as inspectBytes does.
//
//go:wasmexport harden_inspect_file
func inspectFile(settings, settingsLen, name, nameLen, path, pathLen uint32) uint64 {
	s, n, p := buffer(settings, settingsLen), buffer(name, nameLen), buffer(path, pathLen)
	if s == nil || n == nil || p == nil {
		return 0
	}
	return result(judge.File(s, string(n), string(p)))
}

// buffer returns the first size bytes of what is held at an address, nil where
// there are not so many. No bytes may have any address.
func buffer(at, size uint32) []byte {
	if size == 0 {
		return []byte{}
	}
	b := buffers[at]
	if uint64(len(b)) < uint64(size) {
		return nil
	}
	return b[:size:size]
}

// keep holds b, which is not empty, until the host frees it. Linear memory ends
// at 4 GiB, and Go's collector moves nothing.
func keep(b []byte) uint32 {
	at := uint32(reflect.ValueOf(b).Pointer())
	buffers[at] = b
	held += uint64(len(b))
	return at
}

func result(text []byte) uint64 {
	if uint64(len(text)) > math.MaxUint32 {
		return 0
	}
	return uint64(keep(text))<<32 | uint64(len(text))
}
