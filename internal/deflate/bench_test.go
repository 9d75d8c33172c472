package deflate

import (
	"archive/tar"
	"bytes"
	stdflate "compress/flate"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
)

// deflated returns what write writes, deflated at a level of compress/flate.
func deflated(b testing.TB, level int, write func(io.Writer) error) []byte {
	var out bytes.Buffer
	w, err := stdflate.NewWriter(&out, level)
	require.NoError(b, err)
	require.NoError(b, write(w))
	require.NoError(b, w.Close())
	return out.Bytes()
}

// goroot returns the folder of the Go distribution that runs the test.
func goroot(b testing.TB) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip("the go command is not here: ", err)
	}
	return string(bytes.TrimSpace(out))
}

// sourceTar writes GOROOT/src as a tar file.
func sourceTar(b testing.TB) func(io.Writer) error {
	dir := filepath.Join(goroot(b), "src")
	return func(w io.Writer) error {
		tw := tar.NewWriter(w)
		if err := tw.AddFS(os.DirFS(dir)); err != nil {
			return err
		}
		return tw.Close()
	}
}

// goBinary writes the go command.
func goBinary(b testing.TB) func(io.Writer) error {
	name := "go"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(goroot(b), "bin", name)
	return func(w io.Writer) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	}
}

// jsonFiles writes the JSON files the Go distribution is tested with.
func jsonFiles(b testing.TB) func(io.Writer) error {
	dir := filepath.Join(goroot(b), "src/encoding/json/internal/jsontest/testdata")
	return func(w io.Writer) error {
		names, err := filepath.Glob(filepath.Join(dir, "*.zst"))
		if err != nil || len(names) == 0 {
			return fmt.Errorf("no JSON files in %s: %v", dir, err)
		}
		for _, name := range names {
			f, err := os.Open(name)
			if err != nil {
				return err
			}
			z, err := zstd.NewReader(f)
			if err != nil {
				return err
			}
			_, err = z.WriteTo(w)
			z.Close()
			f.Close()
			if err != nil {
				return err
			}
		}
		return nil
	}
}

const giga = 1 << 30

// zeros writes 1 GiB of zeros.
func zeros(w io.Writer) error {
	block := make([]byte, 1<<20)
	for range giga / len(block) {
		if _, err := w.Write(block); err != nil {
			return err
		}
	}
	return nil
}

// repetitiveObject writes a JSON object of a million members whose values are
// runs of one letter, 1 KiB each.
func repetitiveObject(w io.Writer) error {
	var member []byte
	end := "{"
	for i := range 1 << 20 {
		letter := "abcdefghijklmnopqrstuvwxyz"[i%26:][:1]
		member = fmt.Appendf(member[:0], `%s"k%07d":"`, end, i)
		member = append(member, bytes.Repeat([]byte(letter), 1024-len(member))...)
		member = append(member, '"')
		if _, err := w.Write(member); err != nil {
			return err
		}
		end = ","
	}
	_, err := io.WriteString(w, "}")
	return err
}

// forged returns the stream that write forges.
func forged(b testing.TB, write func(*forge.Deflate)) []byte {
	var out bytes.Buffer
	d := forge.NewDeflate(&out)
	write(d)
	require.NoError(b, d.Flush())
	return out.Bytes()
}

// A flood is a stream of blocks that produce next to nothing.
var floods = []struct {
	name   string
	blocks int
	write  func(d *forge.Deflate, blocks int)
}{
	{"empty dynamic blocks", 100_000, func(d *forge.Deflate, blocks int) {
		codes := forge.CodesFor([]uint{forge.EndOfBlock}, nil)
		for i := range blocks {
			d.Dynamic(i == blocks-1, codes)
			d.EndBlock()
		}
	}},
	{"dynamic blocks by turns", 100_000, func(d *forge.Deflate, blocks int) {
		codes := [2]forge.Codes{
			forge.CodesFor([]uint{'a', forge.EndOfBlock}, nil),
			forge.CodesFor([]uint{'a', 'b', 'c', forge.EndOfBlock}, []uint{0, 1}),
		}
		for i := range blocks {
			d.Dynamic(i == blocks-1, codes[i%2])
			d.EndBlock()
		}
	}},
	{"dynamic blocks of one literal", 100_000, func(d *forge.Deflate, blocks int) {
		codes := forge.CodesFor([]uint{'a', forge.EndOfBlock}, nil)
		for i := range blocks {
			d.Dynamic(i == blocks-1, codes)
			d.WriteString("a")
			d.EndBlock()
		}
	}},
	{"dynamic blocks of 15-bit codes", 25_000, func(d *forge.Deflate, blocks int) {
		codes := [2]forge.Codes{longCodes(0), longCodes(1)}
		for i := range blocks {
			d.Dynamic(i == blocks-1, codes[i%2])
			d.EndBlock()
		}
	}},
	{"dynamic blocks of all codes", 25_000, func(d *forge.Deflate, blocks int) {
		codes := [2]forge.Codes{allCodes(0), allCodes(1)}
		for i := range blocks {
			d.Dynamic(i == blocks-1, codes[i%2])
			d.EndBlock()
		}
	}},
	{"empty fixed blocks", 800_000, func(d *forge.Deflate, blocks int) {
		for i := range blocks {
			d.Fixed(i == blocks-1)
			d.EndBlock()
		}
	}},
	{"fixed and dynamic blocks by turns", 200_000, func(d *forge.Deflate, blocks int) {
		codes := forge.CodesFor([]uint{forge.EndOfBlock}, nil)
		for i := range blocks / 2 {
			d.Fixed(forge.More)
			d.EndBlock()
			d.Dynamic(i == blocks/2-1, codes)
			d.EndBlock()
		}
	}},
	{"empty stored blocks", 200_000, func(d *forge.Deflate, blocks int) {
		for i := range blocks {
			d.Stored(i == blocks-1, nil)
		}
	}},
}

// longCodes returns codes of the lengths 1 to 15 for some symbols, end of block
// being one of the longest; first moves them about.
func longCodes(first int) forge.Codes {
	c := forge.Codes{LitLen: make([]uint8, 286), Distance: make([]uint8, 30)}
	for n := range 14 {
		c.LitLen[first+n] = uint8(n + 1)
		c.Distance[first+n] = uint8(n + 1)
	}
	c.LitLen[255], c.LitLen[forge.EndOfBlock] = 15, 15
	c.Distance[28], c.Distance[29] = 15, 15
	return c
}

// allCodes returns codes for every symbol, of 8 or 9 bits and of 4 or 5; first
// moves them about.
func allCodes(first int) forge.Codes {
	c := forge.Codes{LitLen: make([]uint8, 286), Distance: make([]uint8, 30)}
	// 226 codes of 8 bits and 60 of 9 are complete, and so are 2 of 4 bits and
	// 28 of 5.
	for i := range c.LitLen {
		c.LitLen[i] = 8
	}
	for i := range 60 {
		c.LitLen[(first+i)%256] = 9
	}
	for i := range c.Distance {
		c.Distance[i] = 5
	}
	for i := range 2 {
		c.Distance[first+i] = 4
	}
	return c
}

// decoders run through a stream and say how much it inflates to.
var decoders = []struct {
	name string
	run  func(stream []byte) (uint64, error)
}{
	{"harden", meter()},
	{"klauspost", inflater(flate.NewReader(nil))},
	{"std", inflater(stdflate.NewReader(nil))},
}

func meter() func(stream []byte) (uint64, error) {
	m := new(Meter)
	return func(stream []byte) (uint64, error) {
		m.Reset()
		if _, s := m.Run(stream, true, Unlimited); s != Done {
			return m.Out, fmt.Errorf("%v at bit %d", s, m.BitOffset())
		}
		return m.Out, nil
	}
}

// inflater reads and discards what r, a reader of either flate package, makes
// of a stream.
func inflater(r io.Reader) func(stream []byte) (uint64, error) {
	return func(stream []byte) (uint64, error) {
		if err := r.(flate.Resetter).Reset(bytes.NewReader(stream), nil); err != nil {
			return 0, err
		}
		n, err := io.Copy(io.Discard, r)
		return uint64(n), err
	}
}

// inputs are made when first used and kept, compressed, for the benchmarks
// that follow.
var inputs sync.Map

func input(b *testing.B, name string, produce func() []byte) []byte {
	if v, ok := inputs.Load(name); ok {
		return v.([]byte)
	}
	stream := produce()
	inputs.Store(name, stream)
	return stream
}

func BenchmarkData(b *testing.B) {
	for _, data := range []struct {
		name  string
		level int
		write func(testing.TB) func(io.Writer) error
	}{
		{"source", 6, sourceTar},
		{"binary", 6, goBinary},
		{"json", 6, jsonFiles},
		{"zeros", 9, func(testing.TB) func(io.Writer) error { return zeros }},
		{"object", 9, func(testing.TB) func(io.Writer) error { return repetitiveObject }},
	} {
		for _, d := range decoders {
			b.Run(data.name+"/"+d.name, func(b *testing.B) {
				stream := input(b, data.name, func() []byte {
					return deflated(b, data.level, data.write(b))
				})
				b.ReportAllocs()
				for b.Loop() {
					n, err := d.run(stream)
					if err != nil {
						b.Fatal(err)
					}
					b.SetBytes(int64(n))
				}
				b.ReportMetric(float64(len(stream)), "input-B")
			})
		}
	}
}

func BenchmarkFloods(b *testing.B) {
	for _, f := range floods {
		for _, d := range decoders {
			b.Run(f.name+"/"+d.name, func(b *testing.B) {
				stream := input(b, f.name, func() []byte {
					return forged(b, func(d *forge.Deflate) { f.write(d, f.blocks) })
				})
				b.ReportAllocs()
				b.SetBytes(int64(len(stream)))
				for b.Loop() {
					if _, err := d.run(stream); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
