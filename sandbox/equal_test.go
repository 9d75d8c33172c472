package sandbox

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/rule"
)

// seeds calls test with every payload of the corpus that lies on disk.
func seeds(t *testing.T, test func(name string, payload []byte)) {
	n := 0
	require.NoError(t, fs.WalkDir(corpus.Seeds(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		payload, err := fs.ReadFile(corpus.Seeds(), path)
		n++
		test(path, payload)
		return err
	}))
	require.NotZero(t, n)
}

func TestReportsAreThoseWithoutASandbox(t *testing.T) {
	modules(t, func(t *testing.T, box *Sandbox) {
		ins, same := inspector(t, box, defaults()), native(t, defaults())
		seeds(t, func(name string, payload []byte) {
			in := file(name, payload)
			in.Walked = true
			require.Equal(t, reported(t, same, in), reported(t, ins, in), name)
		})
	})
}

func TestReportsOnStreamsAreThoseWithoutASandbox(t *testing.T) {
	ins, same := inspector(t, open(t, builds.Reactor(t)), defaults()), native(t, defaults())
	seeds(t, func(name string, payload []byte) {
		require.Equal(t, reported(t, same, stream("-", payload)), reported(t, ins, stream("-", payload)), name)
	})
}

// gzipOf is a gzip around what b writes.
func gzipOf(t *testing.T, body forge.Body) []byte {
	var b bytes.Buffer
	_, err := forge.Gzip{Body: body}.WriteTo(&b)
	require.NoError(t, err)
	return b.Bytes()
}

func TestSettingsReachTheInstance(t *testing.T) {
	records := []byte("{\"a\":1}\n{\"a\":\n\n[1]\n{\"a\":1,\"a\":2}\n")
	twice := []byte(`{"a":1,"a":2,"A":3,"s":"\ud800"}`)
	bomb := gzipOf(t, forge.Zeros(2<<20))
	modules(t, func(t *testing.T, box *Sandbox) {
		for _, p := range inspect.Profiles() {
			profile := inspect.Config{Limits: p.Limits, Severities: p.Severities, Defaults: p.Defaults}
			with := func(change func(*inspect.Config)) inspect.Config {
				cfg := profile
				change(&cfg)
				return cfg
			}
			gzipped, err := inspect.ParseChain("gzip?+json")
			require.NoError(t, err)
			for _, tt := range []struct {
				name    string
				cfg     inspect.Config
				payload []byte
			}{
				{"duplicate keys", profile, twice},
				{"a bomb", profile, bomb},
				{"msgpack map with an array as key", profile, []byte{0x81, 0x91, 1, 2}},
				{"fail-on", with(func(c *inspect.Config) { c.FailOn = rule.Note }), []byte("\ufeff{\"a\":1}")},
				{"severity", with(func(c *inspect.Config) { c.Severities = map[string]rule.Severity{"json/duplicate-key": rule.Error} }), twice},
				{"chain", with(func(c *inspect.Config) { c.Chain = gzipped }), bomb},
				{"shallow", with(func(c *inspect.Config) { c.Shallow = true }), bomb},
				{"records", with(func(c *inspect.Config) { c.Records = inspect.NDJSON }), records},
				{"limits of a stream of records", with(func(c *inspect.Config) {
					c.Records = inspect.NDJSON
					c.Limits.Input.MaxSize = 4
				}), records},
				{"and on purpose", with(func(c *inspect.Config) {
					c.Records = inspect.NDJSON
					c.Limits.Input.MaxSize = 4
					c.OnPurpose = []string{"input.max-size"}
				}), records},
			} {
				t.Run(p.Name+" "+tt.name, func(t *testing.T) {
					ins, same := inspector(t, box, tt.cfg), native(t, tt.cfg)
					require.Equal(t, reported(t, same, stream("-", tt.payload)), reported(t, ins, stream("-", tt.payload)))
				})
			}
		}
	})
}

func TestNamesAndWhatBecomesOfUnknownFormats(t *testing.T) {
	unknown := []byte("neither")
	modules(t, func(t *testing.T, box *Sandbox) {
		ins, same := inspector(t, box, defaults()), native(t, defaults())
		for _, tt := range []struct {
			name string
			in   func(inspect.Input) inspect.Input
		}{
			{"named", func(in inspect.Input) inspect.Input { return in }},
			{"walked", func(in inspect.Input) inspect.Input { in.Walked = true; return in }},
			{"skipped", func(in inspect.Input) inspect.Input { in.Unknown = inspect.UnknownSkipped; return in }},
			{"walked, not skipped", func(in inspect.Input) inspect.Input {
				in.Walked, in.Unknown = true, inspect.UnknownUndecided
				return in
			}},
			{"claimed", func(in inspect.Input) inspect.Input { in.Name = "x.json"; return in }},
			{"records claimed", func(in inspect.Input) inspect.Input { in.Name = "x.ndjson"; return in }},
			{"no name", func(in inspect.Input) inspect.Input { in.Name = ""; return in }},
			{"like a flag", func(in inspect.Input) inspect.Input { in.Name = "--help"; return in }},
			{"not UTF-8, and a zero byte", func(in inspect.Input) inspect.Input { in.Name = "\xff\x00.json"; return in }},
		} {
			t.Run(tt.name, func(t *testing.T) {
				in := tt.in(file("x", unknown))
				want := same.Inspect(context.Background(), in)
				got := ins.Inspect(context.Background(), in)
				require.Equal(t, want, got)
				require.Equal(t, reported(t, same, in), reported(t, ins, in))
			})
		}
	})
}

func TestPayloadsMayBeLargerThanTheMemoryOfAnInstance(t *testing.T) {
	// Bytes that deflate cannot shrink, and 80 MiB of them.
	body := func(d *forge.Deflate) {
		block := bytes.Repeat([]byte{0x5a}, 65535)
		for i := range 1280 {
			d.Stored(i == 1279, block)
		}
	}
	payload := gzipOf(t, body)
	require.Greater(t, len(payload), DefaultMemory)
	modules(t, func(t *testing.T, box *Sandbox) {
		ins, same := inspector(t, box, defaults()), native(t, defaults())
		require.Equal(t, reported(t, same, file("-", payload)), reported(t, ins, file("-", payload)))
		require.Equal(t, reported(t, same, stream("-", payload)), reported(t, ins, stream("-", payload)))
	})
}

// faultyReader returns some bytes, and then something else than more.
type faultyReader struct {
	bytes []byte
	read  func() (int, error)
}

func (r *faultyReader) Read(p []byte) (int, error) {
	if len(r.bytes) == 0 {
		return r.read()
	}
	n := copy(p, r.bytes)
	r.bytes = r.bytes[n:]
	return n, nil
}

func TestErrorsOfReadersAreReported(t *testing.T) {
	modules(t, func(t *testing.T, box *Sandbox) {
		ins, same := inspector(t, box, defaults()), native(t, defaults())
		for _, tt := range []struct {
			name string
			read func() (int, error)
		}{
			{"of a device", func() (int, error) { return 0, errors.New("the disk is on \x1b[31mfire") }},
			{"of a file that was cut", func() (int, error) { return 0, io.ErrUnexpectedEOF }},
			// A guest takes no bytes for the end, and the rest would go unjudged.
			{"no progress", func() (int, error) { return 0, nil }},
		} {
			t.Run(tt.name, func(t *testing.T) {
				in := func() inspect.Input {
					return inspect.Stream("-", &faultyReader{[]byte(`{"a":1}`), tt.read})
				}
				require.Equal(t, reported(t, same, in()), reported(t, ins, in()))
			})
		}
	})
}
