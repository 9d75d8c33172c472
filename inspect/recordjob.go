package inspect

import (
	"errors"

	"github.com/harden-input/harden/jsoncheck"
	"github.com/harden-input/harden/msgpackcheck"
	"github.com/harden-input/harden/rule"
)

// A recordStream is what a job knows of the records that it reads.
type recordStream struct {
	kind   Records
	clock  *recordClock
	report *Report // where records go that are not clean; nil: into the job's payload
	layer  int     // the layer that holds the records
	listed int     // records in report
	read   bool    // the records were reached
	// each is called with every record; nil: nobody wants them.
	each   func(*Record) error
	record Record // the argument of each, used again and again
	// refused is the error of each, which has ended the stream.
	refused error
}

// A place is where in its stream a record stands, and what is there.
type place struct {
	number, line uint64 // from 1; line 0: the format has no lines
	at           int64  // offset in the layer
	// text are the record's bytes, of which there are length, and lineEnd what
	// follows; only filled where somebody wants the records.
	text    []byte
	length  uint64
	lineEnd string
}

var (
	errNoRecords  = errors.New("the stream holds no records")
	errNotRecords = errors.New("no kind of records is configured")
)

// readRecords judges the layer with index i record by record.
func (j *job) readRecords(i int, src bytesOf) {
	j.records.layer, j.records.read = i, true
	read := j.readLines
	if j.records.kind == MsgpackRecords {
		read = j.readValues
	}
	n, err := read(src)
	layer := &j.payload.Layers[i]
	layer.Checked = append(layer.Checked, "records")
	layer.Records = rule.N(n)
	switch {
	case j.records.refused != nil: // says it to who was asked
	case err != nil:
		j.sourceFailed(i, src, err)
	case n == 0:
		j.fail(i, errNoRecords)
	default:
		layer.Complete = true
	}
}

// readLines judges NDJSON. It returns how many records there were, and what
// ended the stream before its end.
func (j *job) readLines(src bytesOf) (n uint64, err error) {
	checker := jsoncheck.NewScanner(j.lim.JSON)
	l := newLines(src.r, j.records.clock)
	l.keeps = j.records.each != nil
	for l.next() {
		out, err := j.checkLine(checker, l)
		if l.failure() != nil {
			break // the line is not whole: the stream as a whole failed
		}
		if err != nil {
			return n, err
		}
		n++
		note := ""
		if l.cutNumber() {
			note = "a number without line end: it may be cut off"
		}
		at := place{number: n, line: l.number, at: l.at, text: l.text(), length: l.length(), lineEnd: l.lineEnd()}
		if err := j.judge(at, out, note); err != nil {
			return n, err
		}
	}
	return n, l.failure()
}

// checkLine judges the present line.
func (j *job) checkLine(checker *jsoncheck.Scanner, l *lines) (outcome, error) {
	var m jsoncheck.Measurement
	var err error
	limit := j.lim.Input.MaxRecordSize
	line, whole := l.whole()
	switch {
	case !whole:
		l.stopAt(limit)
		l.keepUpTo(limit)
		m, err = checker.MeasureReader(l, -1)
		l.keepUpTo(keptOfRejected)
		l.skip()
	case !rule.Exceeds(uint64(len(line)), limit):
		m, err = checker.Measure(line)
	}
	if rule.Exceeds(l.length(), limit) {
		return tooLong(limit, l.at), nil
	}
	if m.Complete && m.Violations.Empty() {
		return outcome{complete: true}, nil // nobody asks for the facts of a clean record
	}
	for i := range m.Violations.Kept() {
		m.Violations.Kept()[i].Offset += l.at
	}
	return jsonOutcome(m, &j.lim), fromReader(err, &m.Violations)
}

// readValues judges concatenated msgpack values, as readLines does lines.
func (j *job) readValues(src bytesOf) (n uint64, err error) {
	limit := j.lim.Input.MaxRecordSize
	ahead := valueReader{r: src.r, clock: j.records.clock, keeps: j.records.each != nil, most: min(limit, 1<<62)}
	s := msgpackcheck.NewScanner(&ahead, src.size, j.lim.Msgpack)
	defer s.Close()
	for s.Next() {
		m := s.Measurement()
		if !m.Complete && fromReader(s.Err(), &m.Violations) != nil {
			break // the value is not whole: the stream as a whole failed
		}
		n++
		out := outcome{complete: m.Complete} // nobody asks for the facts of a clean record
		switch {
		case rule.Exceeds(m.Consumed, limit):
			out = tooLong(limit, s.Offset())
		case !m.Complete || !m.Violations.Empty():
			out = msgpackOutcome(m, &j.lim)
		}
		note := ""
		if !m.Complete {
			note = "its end is unknown: nothing behind it was judged"
		}
		at := place{number: n, at: s.Offset(), length: m.Consumed, text: ahead.value(m.Consumed)}
		if err := j.judge(at, out, note); err != nil {
			return n, err
		}
		ahead.next(m.Consumed)
	}
	m := s.Measurement()
	return n, fromReader(s.Err(), &m.Violations)
}

// tooLong is the outcome of a record above input.max-record-size that starts
// at offset at: nothing else is said of it.
func tooLong(limit uint64, at int64) outcome {
	var out outcome
	out.violations.Add(rule.Violation{Rule: &inputRecordSize, Offset: at, LimitValue: rule.N(limit),
		Unit: rule.UnitBytes, Message: "the record is longer than {limit} bytes"})
	return out
}

// judge brings one record's outcome into the report, and hands the record to
// who wants it. A clean record is only counted, any other is a payload of its own.
func (j *job) judge(at place, out outcome, note string) error {
	s := &j.records
	if s.report == nil {
		j.addList(s.layer, &out.violations, func(*rule.Rule) bool { return false })
		return nil
	}
	if out.complete && out.violations.Empty() && note == "" {
		s.report.Summary.Clean++
		return s.deliver(&at, Clean, nil)
	}
	p := newPayload(j.payload.Name)
	p.Record, p.Line, p.StreamLayer = at.number, at.line, s.layer
	p.Layers = append(p.Layers, Layer{Format: s.kind.format().name, DetectedBy: j.payload.Layers[s.layer].DetectedBy, Checked: []string{}, Note: note})
	sub := job{ins: j.ins, ctx: j.ctx, lim: j.lim, payload: &p}
	sub.finish(0, out)
	p.Verdict = sub.verdict()
	for i := range p.Violations {
		if v := &p.Violations[i]; at.line != 0 {
			v.Line, v.Column = at.line, uint64(max(v.Offset-at.at, 0))+1
		}
	}
	switch {
	case p.Verdict == Clean && note == "":
		s.report.Summary.Clean++
	case s.listed >= maxListed:
		s.report.count(&p)
		s.report.Summary.Unlisted++
	default:
		s.listed++
		s.report.Add(p)
	}
	return s.deliver(&at, p.Verdict, p.Violations)
}

// deliver hands a judged record to who wants it.
func (s *recordStream) deliver(at *place, verdict Verdict, violations []Violation) error {
	if s.each == nil {
		return nil
	}
	s.record = Record{Number: at.number, Line: at.line, Offset: at.at, Length: at.length,
		Bytes: at.text, LineEnd: at.lineEnd, Verdict: verdict, Violations: violations}
	s.refused = s.each(&s.record)
	return s.refused
}
