package sandbox

import (
	"math"
	"sync/atomic"

	"github.com/tetratelabs/wazero/experimental"

	"github.com/harden-input/harden/rule"
)

// maxReserved is how much address space is set aside for an instance whose cap
// is higher or that has none, in bytes.
const maxReserved = 1 << 30

// memories counts the linear memory of instances. wazero's own cap on memory
// belongs to a runtime, and so to the compiled code; this one belongs to the
// instance, so that instances with different caps share one module.
type memories struct {
	live atomic.Int64  // instances
	held atomic.Uint64 // their bytes
}

// Live returns how many instances there are at this moment, and how many bytes
// of linear memory they have together.
func (s *Sandbox) Live() (instances int64, bytes uint64) {
	return s.memories.live.Load(), s.memories.held.Load()
}

// A memory is the linear memory of one instance. It is not part of the Go heap
// where the system can help it: it would be garbage after every payload, and
// wait for a collection.
type memory struct {
	of       *memories
	reserved []byte // as far as address space goes; pages that were not used cost nothing
	size     uint64 // bytes that the instance has
	most     uint64 // bytes; 0: no cap
	refused  bool   // the guest asked for more than there is
}

func (m *memories) get(most uint64) *memory {
	m.live.Add(1)
	return &memory{of: m, most: most}
}

// Allocate is that of an experimental.MemoryAllocator: an instance has one memory.
func (m *memory) Allocate(_, _ uint64) experimental.LinearMemory { return m }

// Reallocate grows the memory to size bytes, or returns nil where that is above
// the cap or the system has no more: the guest's memory.grow then fails.
func (m *memory) Reallocate(size uint64) []byte {
	if rule.Exceeds(size, m.most) || !m.reserve(size) {
		m.refused = true
		return nil
	}
	m.of.held.Add(size - m.size)
	m.size = size
	return m.reserved[:size]
}

// reserve makes sure that there is room for size bytes, and reports whether
// there is.
func (m *memory) reserve(size uint64) bool {
	if size <= uint64(len(m.reserved)) {
		return true
	}
	room := uint64(maxReserved)
	if m.most != 0 {
		room = min(room, m.most)
	}
	room = max(room, size)
	if room > math.MaxInt {
		return false
	}
	larger, err := reserve(int(room))
	if err != nil {
		return false
	}
	copy(larger, m.reserved[:m.size])
	m.giveBack()
	m.reserved = larger
	return true
}

func (m *memory) giveBack() {
	if m.reserved != nil {
		giveBack(m.reserved)
		m.reserved = nil
	}
}

// Free is called by wazero, which may still look at the memory: release frees.
func (m *memory) Free() {}

// release gives the memory back to the system. Nothing may use the instance
// any more: its memory is not there.
func (m *memory) release() {
	m.of.held.Add(-m.size)
	m.of.live.Add(-1)
	m.size = 0
	m.giveBack()
}
