package sandbox

import (
	"sync"
	"sync/atomic"

	"github.com/tetratelabs/wazero/experimental"
)

// maxReused is up to which size memory is kept for the next instance, in bytes:
// a payload that needed more must not be paid for ever after.
const maxReused = 16 << 20

// memories are where instances get their linear memory. wazero's own cap on
// memory belongs to a runtime, and so to the compiled code; this one belongs to
// the instance, so that instances with different caps share one module.
type memories struct {
	pool sync.Pool     // of *[]byte, all zero up to their capacity
	live atomic.Int64  // instances
	held atomic.Uint64 // their bytes
}

// A memory is the linear memory of one instance.
type memory struct {
	of      *memories
	bytes   []byte
	most    uint64 // bytes; 0: no cap
	refused bool   // the guest asked for more than most
}

func (m *memories) get(most uint64) *memory {
	mem := &memory{of: m, most: most}
	m.live.Add(1)
	if old, ok := m.pool.Get().(*[]byte); ok {
		mem.bytes = (*old)[:0]
		m.held.Add(uint64(cap(mem.bytes)))
	}
	return mem
}

// Allocate is that of an experimental.MemoryAllocator: an instance has one memory.
func (m *memory) Allocate(_, _ uint64) experimental.LinearMemory { return m }

// Reallocate grows the memory to size bytes, or returns nil where that is above
// the cap: the guest's memory.grow then fails.
func (m *memory) Reallocate(size uint64) []byte {
	if m.most != 0 && size > m.most {
		m.refused = true
		return nil
	}
	if size > uint64(cap(m.bytes)) {
		grown := make([]byte, size, max(size, m.capped(2*size)))
		copy(grown, m.bytes)
		m.of.held.Add(uint64(cap(grown)) - uint64(cap(m.bytes)))
		m.bytes = grown
	}
	m.bytes = m.bytes[:size]
	return m.bytes
}

// capped returns n, or what the memory may have if that is less.
func (m *memory) capped(n uint64) uint64 {
	if m.most != 0 {
		return min(n, m.most)
	}
	return n
}

// Free is called by wazero, which is too early: release frees.
func (m *memory) Free() {}

// release gives the memory to instances to come, without what this one left in
// it. Nothing may use the instance any more.
func (m *memory) release() {
	m.of.held.Add(-uint64(cap(m.bytes)))
	m.of.live.Add(-1)
	if cap(m.bytes) <= maxReused {
		clear(m.bytes)
		m.of.pool.Put(&m.bytes)
	}
	m.bytes = nil
}
