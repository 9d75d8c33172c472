package guest

import (
	"context"
	"encoding/json"
	"os"

	"github.com/harden-input/harden/inspect"
)

// A Judge judges one payload after the other. It keeps what the last settings
// came to, because hosts that keep an instance repeat them. The zero Judge is
// ready; it must not be used by two goroutines at once.
type Judge struct {
	settings string
	judge    func(inspect.Input) *inspect.Report
}

// Bytes judges a payload in memory, and returns the report as JSON; where the
// settings make no sense, {"error":"…"}.
func (j *Judge) Bytes(settings []byte, name string, payload []byte) []byte {
	if err := j.settle(settings); err != nil {
		return errorJSON(err)
	}
	return reportJSON(j.judge(inspect.Bytes(name, payload)))
}

// File judges the file at path, or stdin where that is "-", as Bytes does.
func (j *Judge) File(settings []byte, name, path string) []byte {
	if err := j.settle(settings); err != nil {
		return errorJSON(err)
	}
	if path == "-" {
		return reportJSON(j.judge(inspect.Stream(name, os.Stdin)))
	}
	f, err := os.Open(path)
	if err != nil {
		return reportJSON(j.judge(inspect.Stream(name, failing{err})))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return reportJSON(j.judge(inspect.Stream(name, failing{err})))
	}
	return reportJSON(j.judge(inspect.File(name, f, info.Size())))
}

// settle makes j judge under settings.
func (j *Judge) settle(text []byte) error {
	if j.judge != nil && j.settings == string(text) {
		return nil
	}
	s, err := ParseSettings(text)
	if err != nil {
		return err
	}
	unknown, err := s.unknown()
	if err != nil {
		return err
	}
	cfg, err := s.Config()
	if err != nil {
		return err
	}
	ins, err := inspect.New(cfg)
	if err != nil {
		return err
	}
	j.settings = string(text)
	j.judge = func(in inspect.Input) *inspect.Report {
		in.Walked, in.Unknown = s.Walked, unknown
		r := inspect.NewReport()
		if s.Whole {
			r.Add(ins.Inspect(context.Background(), in))
		} else {
			ins.InspectInto(context.Background(), in, r)
		}
		return r
	}
	return nil
}

func reportJSON(r *inspect.Report) []byte {
	text, err := json.Marshal(r)
	if err != nil {
		return errorJSON(err)
	}
	return text
}

// An Error is what stands where no report could be made.
type Error struct {
	Error string `json:"error"`
}

func errorJSON(err error) []byte {
	text, _ := json.Marshal(Error{err.Error()}) // a string can always be written
	return text
}

// failing is the content of what cannot be read.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
