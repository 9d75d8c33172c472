package sandbox

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
)

// TestModulesOfHardenAreMetered holds that neither falls back to the slow way
// of ending instances, and that starting one does not cost a segment for every
// run of zeros.
func TestModulesOfHardenAreMetered(t *testing.T) {
	for name, module := range map[string][]byte{"reactor": builds.Reactor(t), "command": builds.Command(t)} {
		t.Run(name, func(t *testing.T) {
			m, err := metered(module)
			require.NoError(t, err)
			content, err := split(m)
			require.NoError(t, err)
			r := reader{rest: content[dataSection]}
			require.Less(t, r.number(), uint64(100))
		})
	}
}

func TestWhatTheMeterDoesNotKnowIsNotRewritten(t *testing.T) {
	for name, body := range map[string][]byte{
		"vectors":       {0xfd, 0x0c},
		"atomics":       {0xfe, 0x03, 0x00},
		"tail calls":    {0x12, 0x00},
		"cut off":       {opFloat64, 0},
		"bulk unheard":  {opMore, 99},
		"exceptions":    {0x08, 0x00},
		"endless LEB":   {opConst32, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80},
		"branch beyond": {opBrTable, 0xff, 0xff, 0xff, 0xff, 0x0f},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := metered(hostile{inspect: body}.module())
			require.Error(t, err)
		})
	}
}

func TestTheMeterMovesWhateverNamesAFunction(t *testing.T) {
	// Two functions that return 1 and 2; the third calls the second, and the
	// second again through a table.
	code := func(body ...byte) []byte { return appendSized(nil, append(append([]byte{0}, body...), opEnd)) }
	section := func(entries ...[]byte) []byte {
		s := binary.AppendUvarint(nil, uint64(len(entries)))
		for _, e := range entries {
			s = append(s, e...)
		}
		return s
	}
	const opAdd32 = 0x6a
	module := join([sections][]byte{
		typeSection:     section([]byte{0x60, 0, 1, typeI32}),
		functionSection: section([]byte{0}, []byte{0}, []byte{0}),
		tableSection:    section([]byte{0x70, 0, 1}),
		exportSection:   section(append(appendSized(nil, []byte("sum")), 0, 2)),
		elementSection:  section([]byte{0, opConst32, 0, opEnd, 1, 1}),
		codeSection: section(code(opConst32, 1), code(opConst32, 2),
			code(opCall, 1, opConst32, 0, opIndirect, 0, 0, opAdd32)),
	})
	m, err := metered(module)
	require.NoError(t, err)
	ctx := context.Background()
	for name, module := range map[string][]byte{"as it was": module, "metered": m} {
		r := wazero.NewRuntime(ctx)
		_, err = r.NewHostModuleBuilder(meterModule).NewFunctionBuilder().WithFunc(tick).Export(meterTick).Instantiate(ctx)
		require.NoError(t, err)
		instance, err := r.Instantiate(ctx, module)
		require.NoError(t, err, name)
		sum, err := instance.ExportedFunction("sum").Call(ctx)
		require.NoError(t, err)
		require.Equal(t, []uint64{4}, sum, name)
		require.NoError(t, r.Close(ctx))
	}
}

func TestMergeData(t *testing.T) {
	type seg struct {
		at   int64
		data string
	}
	section := func(segments ...seg) []byte {
		s := binary.AppendUvarint(nil, uint64(len(segments)))
		for _, g := range segments {
			s = append(appendSigned(append(s, 0, opConst32), g.at), opEnd)
			s = appendSized(s, []byte(g.data))
		}
		return s
	}
	passive := []byte{1, 1, 1, 'x'}
	for _, tt := range []struct {
		name     string
		in, want []byte
	}{
		{"none", section(), section()},
		{"side by side", section(seg{8, "ab"}, seg{10, "cd"}), section(seg{8, "abcd"})},
		{"zeros between", section(seg{8, "ab"}, seg{13, "cd"}), section(seg{8, "ab\x00\x00\x00cd"})},
		{"in any order", section(seg{10, "cd"}, seg{8, "ab"}), section(seg{8, "abcd"})},
		{"too far apart", section(seg{0, "a"}, seg{2 + maxGap, "b"}), section(seg{0, "a"}, seg{2 + maxGap, "b"})},
		{"just near enough", section(seg{0, "a"}, seg{1 + maxGap, "b"}), section(seg{0, "a" + string(make([]byte, maxGap)) + "b"})},
		{"overlapping", section(seg{8, "ab"}, seg{9, "cd"}), section(seg{8, "ab"}, seg{9, "cd"})},
		{"above 2 GiB", section(seg{-4, "ab"}, seg{-2, "cd"}), section(seg{-4, "abcd"})},
		{"passive", passive, passive},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := mergeData(tt.in)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
	_, err := mergeData([]byte{2, 0, opConst32, 0, opEnd, 1, 'x'})
	require.ErrorIs(t, err, errCut)
}

func FuzzMetered(f *testing.F) {
	f.Add(hostile{report: "{}"}.module())
	f.Fuzz(func(t *testing.T, module []byte) {
		m, err := metered(module)
		if err != nil {
			return
		}
		// Its own work it can read.
		_, err = metered(m)
		require.NoError(t, err)
	})
}

// TestBytesBehindTheLastEntryAreRefused keeps out entries that were added behind
// bytes that belong to none.
func TestBytesBehindTheLastEntryAreRefused(t *testing.T) {
	for name, content := range map[string][sections][]byte{
		"imports": {importSection: {0, '0'}},
		"exports": {exportSection: {0, '0'}},
		"start":   {startSection: {0, '0'}},
		"tables":  {elementSection: {0, '0'}},
		"bodies":  {codeSection: {0, '0'}},
		"data":    {dataSection: {0, '0'}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := metered(join(content))
			require.ErrorIs(t, err, errMore)
		})
	}
}

// TestCountsBeyondTheModuleAreCut keeps out a few bytes that say there are
// 2^32-1 entries: a byte was written out for each.
func TestCountsBeyondTheModuleAreCut(t *testing.T) {
	many := []byte{0xff, 0xff, 0xff, 0xff, 0x0f}
	for name, content := range map[string][sections][]byte{
		"imports":           {importSection: many},
		"exports":           {exportSection: many},
		"tables":            {elementSection: many},
		"functions of them": {elementSection: append([]byte{1, 0, opConst32, 0, opEnd}, many...)},
		"bodies":            {codeSection: many},
		"locals":            {codeSection: append([]byte{1, 5}, many...)},
		"data":              {dataSection: many},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := metered(join(content))
			require.ErrorIs(t, err, errCut)
		})
	}
}

// TestCallsAreCounted keeps out the function that calls itself twice: without
// any loop it runs for years, and nothing ended it.
func TestCallsAreCounted(t *testing.T) {
	const deep = 21
	less := []byte{opLocalGet, 0, opConst32, 1, opSub32, opCall, 0}
	body := append([]byte{0, opLocalGet, 0, opIf, voidBlock}, append(append(less, less...), opEnd, opEnd)...)
	m, err := metered(join([sections][]byte{
		typeSection:     {1, 0x60, 1, typeI32, 0},
		functionSection: {1, 0},
		exportSection:   append(appendSized([]byte{1}, []byte("f")), 0, 0),
		codeSection:     appendSized([]byte{1}, body),
	}))
	require.NoError(t, err)
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer func() { require.NoError(t, r.Close(ctx)) }()
	ticks := 0
	_, err = r.NewHostModuleBuilder(meterModule).NewFunctionBuilder().WithFunc(func() { ticks++ }).Export(meterTick).Instantiate(ctx)
	require.NoError(t, err)
	instance, err := r.Instantiate(ctx, m)
	require.NoError(t, err)
	_, err = instance.ExportedFunction("f").Call(ctx, deep)
	require.NoError(t, err)
	require.Equal(t, (1<<(deep+1)-1)/turns, ticks)
}
