//go:build !wasip1

// Probetable runs harden probe on decoders that are installed, or written in
// Go, and writes the table of docs/probe.md. Run it in the root of the
// repository, by make probe-table.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/internal/probe"
)

const (
	page       = "docs/probe.md"
	driversDir = "internal/probe/testdata/drivers"
	begin      = "<!-- table: written by make probe-table -->\n"
	end        = "<!-- end of table -->\n"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "probetable: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s: the table's markers are missing", page)
	}
	bin, err := os.MkdirTemp("", "harden-probetable-")
	if err != nil {
		return err
	}
	t, err := makeTable(ctx, bin)
	if err = errors.Join(err, os.RemoveAll(bin)); err != nil {
		return err
	}
	return os.WriteFile(page, []byte(before+begin+t.String()+end+after), 0o644)
}

// makeTable probes every decoder; bin is a folder for the drivers.
func makeTable(ctx context.Context, bin string) (*table, error) {
	build := exec.CommandContext(ctx, "go", "build", "-o", bin, "./...")
	build.Dir, build.Stderr = driversDir, os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("building the drivers: %w", err)
	}
	t := &table{}
	for _, d := range decoders(bin) {
		version, err := d.versionOf(ctx)
		if err != nil {
			t.missing = append(t.missing, d.name)
			continue
		}
		rep, err := d.probe(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.name, err)
		}
		if rep.Verdict == probe.Undecided {
			return nil, fmt.Errorf("%s: %s", d.name, rep.Conclusion)
		}
		if rep.Verdict == probe.Hurt && d.reports == nil {
			fmt.Fprintf(os.Stderr, "%s: left out: hurt, and no public report is known:\n", d.name)
			if err := probe.Text(os.Stderr, rep, false); err != nil {
				return nil, err
			}
			continue
		}
		t.add(&d, version, rep)
	}
	return t, nil
}

// probe runs the decoder with the limits of harden probe.
func (d *decoder) probe(ctx context.Context) (*probe.Report, error) {
	all := corpus.All()
	cases := probe.Selection{Formats: []string{d.format}, IDs: d.only}.From(all)
	if d.only != nil && len(cases) != len(d.only) {
		return nil, fmt.Errorf("the corpus lacks one of %s", strings.Join(d.only, ", "))
	}
	return probe.Run(ctx, &probe.Options{
		Command:  d.command,
		Cases:    cases,
		Benign:   probe.Baseline(all, cases),
		Expected: []string{d.format},
		Timeout:  5 * time.Second, Memory: 256 << 20, MaxOutput: 64 << 20,
	})
}

var versionNumber = regexp.MustCompile(`\d+(\.\d+)+`)

// versionOf returns the version of a decoder; an error means that it is not
// installed.
func (d *decoder) versionOf(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, d.version[0], d.version[1:]...)
	cmd.Dir = d.versionDir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", err
	}
	version := versionNumber.FindString(string(out))
	if version == "" {
		return "", fmt.Errorf("%s tells no version", d.version[0])
	}
	return version, nil
}

// A table is the part of the page that is made here.
type table struct {
	rows, notes []string
	missing     []string
}

func (t *table) add(d *decoder, version string, rep *probe.Report) {
	var wall, cpu float64
	var resident, above uint64
	base, _ := rep.Formats[0].Virtual.Get()
	for i := range rep.Cases {
		c := &rep.Cases[i]
		wall, cpu = max(wall, c.Wall), max(cpu, c.CPU)
		n, _ := c.Resident.Get()
		resident = max(resident, n)
		if n, _ = c.Virtual.Get(); n > base {
			above = max(above, n-base)
		}
	}
	name := d.name
	if d.reports != nil {
		mark := strings.Repeat("\\*", len(t.notes)+1)
		name += " " + mark
		t.notes = append(t.notes, fmt.Sprintf("%s only the cases that public reports are about: %s", mark, strings.Join(d.reports, ", ")))
	}
	count := rep.Summary.Classes
	t.rows = append(t.rows, fmt.Sprintf("| %s | %s | %s | %d | %d | %d | %d | %d | %d | %s | %s | %s | %s |",
		d.format, name, version, rep.Summary.Cases, count[probe.Accepted], count[probe.Refused],
		count[probe.Crashed], count[probe.TimedOut], count[probe.OverMemory],
		milliseconds(wall), milliseconds(cpu), humanize.IBytes(resident), humanize.IBytes(above)))
}

func milliseconds(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second)).Round(time.Millisecond)
}

func (t *table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| format | decoder | version | cases | accepted | refused | crashed | timed out | over memory | worst wall | worst cpu | worst resident | worst virtual above baseline |\n")
	fmt.Fprintf(&b, "|---|---|---|%s\n", strings.Repeat("--:|", 10))
	for _, row := range t.rows {
		fmt.Fprintln(&b, row)
	}
	for _, note := range t.notes {
		fmt.Fprintf(&b, "\n%s\n", note)
	}
	fmt.Fprintf(&b, "\nMade on %s/%s with the limits that `harden probe` has by default, without large cases.", runtime.GOOS, runtime.GOARCH)
	if t.missing != nil {
		fmt.Fprintf(&b, " Not installed there: %s.", strings.Join(t.missing, ", "))
	}
	fmt.Fprintln(&b)
	return b.String()
}

// A decoder is one row of the table.
type decoder struct {
	format, name string
	command      []string
	// version is a command that prints the version, in the folder versionDir.
	version    []string
	versionDir string
	// only are the cases that are run, where not all are: those that public
	// reports are about. A decoder that is hurt has no row without reports.
	only    []string
	reports []string
}

// decoders returns the rows; bin is where the drivers are.
func decoders(bin string) []decoder {
	const python = "/usr/bin/python3"
	tool := func(format, name string, command ...string) decoder {
		return decoder{format: format, name: "`" + name + "`", command: command, version: []string{command[0], "--version"}}
	}
	driver := func(format, name, program, module string) decoder {
		d := decoder{format: format, name: name, command: []string{filepath.Join(bin, program)}, version: []string{"go", "version"}}
		if module != "" {
			d.version, d.versionDir = []string{"go", "list", "-m", "-f", "{{.Version}}", module}, driversDir
		}
		return d
	}
	libdeflate := tool("gzip", "libdeflate-gzip -t", "libdeflate-gzip", "-t")
	libdeflate.version = []string{"libdeflate-gzip", "-V"}
	perl := tool("msgpack", "perl Data::MessagePack->unpack", "perl", "-MData::MessagePack", "-e", "binmode STDIN; local $/; Data::MessagePack->unpack(<STDIN>)")
	perl.version = []string{"perl", "-MData::MessagePack", "-e", "print $Data::MessagePack::VERSION"}
	msgpackPython := tool("msgpack", "python3 msgpack.unpackb", python, "-c", "import sys, msgpack; msgpack.unpackb(sys.stdin.buffer.read())")
	msgpackPython.version = []string{python, "-c", "import msgpack; print('.'.join(map(str, msgpack.version)))"}
	vmihailenco := driver("msgpack", "vmihailenco/msgpack, Unmarshal into `any`", "vmihailenco-msgpack", "github.com/vmihailenco/msgpack/v5")
	vmihailenco.only = []string{"msgpack/array-fuzzer", "msgpack/array-negative", "msgpack/array32-4g"}
	vmihailenco.reports = []string{"https://github.com/vmihailenco/msgpack/issues/376", "https://github.com/vmihailenco/msgpack/issues/401"}
	return []decoder{
		tool("gzip", "gzip -t", "gzip", "-t"),
		tool("gzip", "pigz -t", "pigz", "-t"),
		tool("gzip", "igzip -t", "igzip", "-t"),
		libdeflate,
		driver("gzip", "Go compress/gzip", "compress-gzip", ""),
		driver("gzip", "klauspost/compress/gzip", "klauspost-gzip", "github.com/klauspost/compress"),
		perl,
		msgpackPython,
		vmihailenco,
		driver("msgpack", "tinylib/msgp, ReadIntfBytes", "tinylib-msgp", "github.com/tinylib/msgp"),
		driver("msgpack", "ugorji/go/codec, Decode into `any`", "ugorji-codec", "github.com/ugorji/go/codec"),
		tool("json", "jq empty", "jq", "empty"),
		tool("json", "python3 json.load", python, "-c", "import sys, json; json.load(sys.stdin)"),
		driver("json", "Go encoding/json, Unmarshal into `any`", "encoding-json", ""),
		tool("json", "node JSON.parse", "node", "-e", `JSON.parse(require("fs").readFileSync(0))`),
	}
}
