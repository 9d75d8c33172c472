package main

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/report"
	"github.com/harden-input/harden/rule"
)

// maxSetAside is how many bytes of one record go into the rejects.
const maxSetAside = 64 << 10

// rejects is the file that records go to which are not clean, one line of JSON
// each. A nil *rejects takes them and keeps nothing.
type rejects struct {
	f       *os.File
	most    uint64 // bytes of the file, 0: no limit
	written uint64
	counted uint64 // records that were too many
}

// A reject is one line of the file.
type reject struct {
	Record     uint64              `json:"record"`
	Line       uint64              `json:"line,omitempty"`
	Offset     int64               `json:"offset"`
	Length     uint64              `json:"length"` // bytes, as far as read
	Verdict    inspect.Verdict     `json:"verdict"`
	Reason     string              `json:"reason"`
	Violations []inspect.Violation `json:"violations"`
	// Cut says that Base64 is only the start of the record.
	Cut    bool   `json:"cut,omitempty"`
	Base64 []byte `json:"base64"`
}

// createRejects makes the file, or empties it. It follows no link: where the
// directory belongs to somebody else, that could empty any file of ours.
func createRejects(path string, most uint64) (*rejects, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("--rejects %s: is a symbolic link, and those are not followed: name the file itself", report.Name(path))
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("--rejects: %w", err)
	}
	return &rejects{f: f, most: most}, nil
}

// add writes a record at once, so that nothing is lost where the process ends.
// Once one did not fit, no other is written.
func (s *rejects) add(r *inspect.Record) error {
	if s == nil {
		return nil
	}
	if s.counted > 0 {
		s.counted++
		return nil
	}
	kept := r.Bytes[:min(len(r.Bytes), maxSetAside)]
	line, err := json.Marshal(reject{
		Record: r.Number, Line: r.Line, Offset: r.Offset, Length: r.Length, Verdict: r.Verdict,
		Reason: reason(r), Violations: append([]inspect.Violation{}, r.Violations...),
		Cut: uint64(len(kept)) < r.Length, Base64: kept,
	})
	if err != nil {
		return fmt.Errorf("--rejects: %w", err)
	}
	line = append(line, '\n')
	if rule.Exceeds(s.written+uint64(len(line)), s.most) {
		s.counted++
		return nil
	}
	s.written += uint64(len(line))
	if _, err := s.f.Write(line); err != nil {
		return fmt.Errorf("--rejects: %w", err)
	}
	return nil
}

// reason is the first violation that weighs most, as one sentence.
func reason(r *inspect.Record) string {
	if len(r.Violations) == 0 {
		return string(r.Verdict)
	}
	worst := &r.Violations[0]
	for i := range r.Violations {
		if v := &r.Violations[i]; v.Severity > worst.Severity {
			worst = v
		}
	}
	return worst.Rule + ": " + worst.Message
}

func (s *rejects) close() error {
	if s == nil {
		return nil
	}
	if err := s.f.Close(); err != nil {
		return fmt.Errorf("--rejects: %w", err)
	}
	return nil
}

// tell says how many records did not fit.
func (s *rejects) tell(w io.Writer) {
	if s != nil && s.counted > 0 {
		fmt.Fprintf(w, "harden: --rejects: %s not written, the file would be larger than --rejects-max %s\n",
			report.Amount(s.counted, "records"), report.Amount(s.most, rule.UnitBytes))
	}
}
