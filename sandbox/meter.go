package sandbox

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// What a metered module imports, to be called by every so many turns of its
// loops.
const (
	meterModule = "harden"
	meterTick   = "tick"
)

// turns is how many turns loops take between two ticks: some milliseconds.
const turns = 1 << 20

// Opcodes that metering has to do with.
const (
	opBlock       = 0x02
	opLoop        = 0x03
	opIf          = 0x04
	opElse        = 0x05
	opEnd         = 0x0b
	opBr          = 0x0c
	opBrIf        = 0x0d
	opBrTable     = 0x0e
	opReturn      = 0x0f
	opCall        = 0x10
	opIndirect    = 0x11
	opDrop        = 0x1a
	opSelect      = 0x1b
	opSelectTyped = 0x1c
	opLocalGet    = 0x20
	opGlobalGet   = 0x23
	opGlobalSet   = 0x24
	opTableSet    = 0x26
	opLoad        = 0x28 // the first of the loads and stores
	opStore       = 0x3e // the last
	opMemorySize  = 0x3f
	opMemoryGrow  = 0x40
	opConst32     = 0x41
	opConst64     = 0x42
	opFloat32     = 0x43
	opFloat64     = 0x44
	opEqz32       = 0x45 // the first of those without operands
	opSub32       = 0x6b
	opExtend      = 0xc4 // the last
	opRefNull     = 0xd0
	opRefIsNull   = 0xd1
	opRefFunc     = 0xd2
	opMore        = 0xfc // a second number follows

	voidBlock = 0x40
	typeI32   = 0x7f
)

// A meter rewrites a module so that it calls a function of the host once in a
// while, whatever it does, which may then end it. wazero can do so itself, but
// looks with every turn of every loop, and a module takes some five times as
// long. Without either, an instance that never ends could not be stopped, and
// would hold up the host's own garbage collection.
type meter struct {
	tick   uint64 // index of the imported function; those from it on move up
	global uint64 // index of the turns that are left
}

// metered returns the module with a meter in it.
func metered(module []byte) ([]byte, error) {
	content, err := split(module)
	if err != nil {
		return nil, err
	}
	var m meter
	if err := m.declare(&content); err != nil {
		return nil, err
	}
	for _, s := range []struct {
		id      int
		rewrite func(*reader) ([]byte, error)
	}{{exportSection, m.exports}, {startSection, m.start}, {elementSection, m.elements}, {codeSection, m.code}} {
		if content[s.id] == nil {
			continue
		}
		r := reader{rest: content[s.id]}
		if content[s.id], err = s.rewrite(&r); err != nil {
			return nil, err
		}
		if err := r.end(); err != nil {
			return nil, err
		}
	}
	if content[dataSection] != nil && content[dataCountSection] == nil {
		if content[dataSection], err = mergeData(content[dataSection]); err != nil {
			return nil, err
		}
	}
	return join(content), nil
}

// declare adds the import and the global, and learns their indices.
func (m *meter) declare(content *[sections][]byte) error {
	var globals uint64
	r := reader{rest: content[importSection]}
	if r.rest != nil {
		for range r.count() {
			r.bytes(r.number())
			r.bytes(r.number())
			switch kind := r.byte(); kind {
			case 0:
				r.number()
				m.tick++
			case 3:
				r.bytes(2)
				globals++
			default:
				return fmt.Errorf("an import of kind %d", kind)
			}
		}
		if err := r.end(); err != nil {
			return err
		}
	}
	var err error
	var noneToNone, own uint64
	if content[typeSection], noneToNone, err = appended(content[typeSection], []byte{0x60, 0, 0}); err != nil {
		return err
	}
	entry := append(appendSized(appendSized(nil, []byte(meterModule)), []byte(meterTick)), 0)
	if content[importSection], _, err = appended(content[importSection], binary.AppendUvarint(entry, noneToNone)); err != nil {
		return err
	}
	entry = append(appendSigned([]byte{typeI32, 1, opConst32}, turns), opEnd)
	if content[globalSection], own, err = appended(content[globalSection], entry); err != nil {
		return err
	}
	m.global = globals + own
	return nil
}

// moved is the index that a function has after the import was added.
func (m *meter) moved(index uint64) uint64 {
	if index >= m.tick {
		return index + 1
	}
	return index
}

func (m *meter) exports(r *reader) ([]byte, error) {
	n := r.count()
	out := binary.AppendUvarint(nil, n)
	for range n {
		out = appendSized(out, r.bytes(r.number()))
		kind, index := r.byte(), r.number()
		if kind == 0 {
			index = m.moved(index)
		}
		out = binary.AppendUvarint(append(out, kind), index)
	}
	return out, r.err
}

func (m *meter) start(r *reader) ([]byte, error) {
	return binary.AppendUvarint(nil, m.moved(r.number())), r.err
}

// elements moves the functions in tables.
func (m *meter) elements(r *reader) ([]byte, error) {
	n := r.count()
	out := binary.AppendUvarint(nil, n)
	for range n {
		if flag := r.number(); flag != 0 {
			return nil, fmt.Errorf("elements of kind %d", flag)
		}
		out = append(out, 0)
		for op := byte(0); op != opEnd && r.err == nil; {
			op, out = m.instruction(r, out)
		}
		functions := r.count()
		out = binary.AppendUvarint(out, functions)
		for range functions {
			out = binary.AppendUvarint(out, m.moved(r.number()))
		}
	}
	return out, r.err
}

func (m *meter) code(r *reader) ([]byte, error) {
	n := r.count()
	out := binary.AppendUvarint(nil, n)
	for range n {
		body := reader{rest: r.bytes(r.number())}
		locals := body.rest
		for range body.count() {
			body.number()
			body.byte()
		}
		rewritten := append([]byte(nil), locals[:len(locals)-len(body.rest)]...)
		begin := len(rewritten)
		// Calls that call themselves twice need no loop to never end: where no
		// loop is sure to count a call, its beginning does.
		straight, counted, calls := true, false, false
		for len(body.rest) > 0 {
			var op byte
			op, rewritten = m.instruction(&body, rewritten)
			switch op {
			case opLoop:
				counted = counted || straight
			case opIf, opBr, opBrIf, opBrTable, opReturn:
				straight = false
			case opCall, opIndirect:
				calls = true
			}
		}
		if body.err != nil {
			return nil, body.err
		}
		if calls && !counted {
			rewritten = slices.Insert(rewritten, begin, m.turn(nil)...)
		}
		out = appendSized(out, rewritten)
	}
	return out, r.err
}

// instruction copies one instruction, and puts the meter behind it where it
// begins a loop.
func (m *meter) instruction(r *reader, out []byte) (op byte, _ []byte) {
	before := r.rest
	op = r.byte()
	switch {
	case op == opCall || op == opRefFunc:
		return op, binary.AppendUvarint(append(out, op), m.moved(r.number()))
	case op == opBlock || op == opLoop || op == opIf:
		r.signed()
	case op <= 0x01, op == opElse, op == opEnd, op == opReturn, op == opDrop, op == opSelect, op == opRefIsNull,
		op >= opEqz32 && op <= opExtend:
	case op == opBr || op == opBrIf, op >= opLocalGet && op <= opTableSet, op == opRefNull:
		r.number()
	case op == opBrTable:
		for range r.count() {
			r.number()
		}
		r.number()
	case op == opIndirect:
		r.number()
		r.number()
	case op == opSelectTyped:
		r.bytes(r.number())
	case op >= opLoad && op <= opStore:
		r.number()
		r.number()
	case op == opMemorySize || op == opMemoryGrow:
		r.byte()
	case op == opConst32 || op == opConst64:
		r.signed()
	case op == opFloat32:
		r.bytes(4)
	case op == opFloat64:
		r.bytes(8)
	case op == opMore:
		more(r)
	default:
		r.fail(fmt.Errorf("opcode %#x", op))
	}
	out = append(out, before[:len(before)-len(r.rest)]...)
	if op == opLoop {
		out = m.turn(out)
	}
	return op, out
}

// more reads what follows opMore: conversions that saturate, and operations on
// whole memories and tables.
func more(r *reader) {
	switch n := r.number(); {
	case n <= 7:
	case n == 9 || n == 11 || n == 13 || n >= 15 && n <= 17:
		r.number()
	case n == 8 || n == 10 || n == 12 || n == 14:
		r.number()
		r.number()
	default:
		r.fail(fmt.Errorf("opcode 0xfc %d", n))
	}
}

// turn counts a turn of a loop, and ticks after the last.
func (m *meter) turn(out []byte) []byte {
	get := binary.AppendUvarint([]byte{opGlobalGet}, m.global)
	set := binary.AppendUvarint([]byte{opGlobalSet}, m.global)
	out = append(append(append(out, get...), opConst32, 1, opSub32), set...)
	out = append(append(out, get...), opEqz32, opIf, voidBlock)
	out = append(appendSigned(append(out, opConst32), turns), set...)
	return append(binary.AppendUvarint(append(out, opCall), m.tick), opEnd)
}
