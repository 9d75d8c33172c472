package pointer

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func render(steps ...Segment) string {
	return Render(len(steps), func(level int) Segment { return steps[level] })
}

func name(s string) Segment { return Name([]byte(s)) }

func TestRender(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []Segment
		want  string
	}{
		{"root", nil, ""},
		{"member", []Segment{name("a")}, "/a"},
		{"element", []Segment{Index(0)}, "/0"},
		{"largest index", []Segment{Index(1<<64 - 1)}, "/18446744073709551615"},
		{"member of element of member", []Segment{name("a"), Index(3), name("b")}, "/a/3/b"},
		{"empty name", []Segment{name("")}, "/"},
		{"RFC 6901 escapes", []Segment{name("a/b"), name("m~n"), name("~1")}, "/a~1b/m~0n/~01"},
		{"line end and invalid byte", []Segment{name("a\n\xff")}, `/a\x0a\xff`},
		{"bidirectional control", []Segment{name("a\u202eb")}, `/a\u{202e}b`},
		{"step not known", []Segment{{}, Index(1)}, "/…/1"},
		{"name of 64 bytes", []Segment{name(strings.Repeat("n", 64))}, "/" + strings.Repeat("n", 64)},
		{"name of 65 bytes", []Segment{name(strings.Repeat("n", 65))}, "/" + strings.Repeat("n", 64) + "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, render(c.steps...))
		})
	}
}

func TestRenderLeavesOutTheMiddle(t *testing.T) {
	indexes := func(level int) Segment { return Index(uint64(level)) }
	require.NotContains(t, Render(First+Last, indexes), "…")
	got := Render(1000, indexes)
	require.True(t, strings.HasPrefix(got, "/0/1/2"), got)
	require.Contains(t, got, "/15/…/984/")
	require.True(t, strings.HasSuffix(got, "/998/999"), got)
}

func TestRenderAsksOnlyForShownLevels(t *testing.T) {
	var asked []int
	Render(4_000_000, func(level int) Segment {
		asked = append(asked, level)
		return Index(0)
	})
	require.Len(t, asked, First+Last)
	require.Equal(t, 4_000_000-Last, asked[First])
}

func TestRenderIsBounded(t *testing.T) {
	for _, n := range []string{
		strings.Repeat("\xff", 100), strings.Repeat("n", 64), strings.Repeat("é", 50),
		strings.Repeat("\U0001f600", 20), strings.Repeat("\u202e", 40), strings.Repeat("/", 64),
	} {
		for depth := 1; depth < 40; depth++ {
			got := Render(depth, func(int) Segment { return name(n) })
			require.LessOrEqual(t, len(got), MaxLength)
			require.True(t, utf8.ValidString(got))
			require.Equal(t, byte('/'), got[0])
			require.Equal(t, render(name(n)), got[len(got)-len(render(name(n))):], "the last step is shown")
			require.True(t, strings.HasPrefix(got, render(name(n))), "the first step is shown")
		}
	}
}

func TestKeptNameRendersLikeTheWhole(t *testing.T) {
	for _, unit := range []string{"n", "é", "€", "\U0001f600", "\xf0\x9f", "\xff"} {
		for pad := range 5 {
			n := strings.Repeat("x", pad) + strings.Repeat(unit, 80)
			require.Equal(t, render(name(n)), render(name(n[:KeptName])), "%q", n)
		}
	}
}

func TestPath(t *testing.T) {
	p := NewPath(40)
	for level := range 60 {
		p.Set(level, Index(99))
	}
	for level := range 40 {
		p.Set(level, Index(uint64(level)))
	}
	p.Set(39, name("last"))
	want := Render(40, func(level int) Segment {
		if level == 39 {
			return name("last")
		}
		return Index(uint64(level))
	})
	require.Equal(t, want, p.String())
}

func TestPathWithoutSteps(t *testing.T) {
	root, unknown := NewPath(0), NewPath(2)
	root.Set(0, Index(1))
	require.Equal(t, "", root.String())
	require.Equal(t, "/…/…", unknown.String())
}

func TestPathDoesNotAllocateBeforeString(t *testing.T) {
	n := []byte("name")
	require.Zero(t, testing.AllocsPerRun(10, func() {
		p := NewPath(1000)
		for level := range 1000 {
			p.Set(level, Name(n))
		}
	}))
}
