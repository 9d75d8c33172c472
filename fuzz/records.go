package fuzz

import (
	"bytes"
	"context"
	"io"
	"reflect"
	"sync"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/jsoncheck"
	"github.com/harden-input/harden/msgpackcheck"
)

// recordInspectors judge streams of records.
var recordInspectors = sync.OnceValue(func() map[inspect.Records]*inspect.Inspector {
	return map[inspect.Records]*inspect.Inspector{
		inspect.NDJSON:         inspector("json", inspect.NDJSON),
		inspect.MsgpackRecords: inspector("msgpack", inspect.MsgpackRecords),
	}
})

// A siftedRecord is one that Sift gave out.
type siftedRecord struct {
	number, line uint64
	offset       int64
	text         string
	verdict      inspect.Verdict
}

func sifted(ins *inspect.Inspector, src io.Reader) ([]siftedRecord, *inspect.Report) {
	rep := inspect.NewReport()
	var records []siftedRecord
	err := ins.Sift(context.Background(), inspect.Stream("-", src), rep, func(r *inspect.Record) error {
		records = append(records, siftedRecord{r.Number, r.Line, r.Offset, string(r.Bytes) + r.LineEnd, r.Verdict})
		return nil
	})
	if err != nil {
		broken("Sift: %v", err)
	}
	return records, rep
}

// Sift holds of both kinds of records that each is given out as it stands in the
// stream, is clean where a checker finds it so, and is the same in whatever
// pieces the stream arrives; and that the report counts them.
func Sift(data []byte) int {
	passed := false
	for kind, ins := range recordInspectors() {
		want, rep := sifted(ins, bytes.NewReader(data))
		got, _ := sifted(ins, piecewise(data, draw(data)))
		if !reflect.DeepEqual(want, got) {
			broken("%s piecewise: %+v\nat once %+v", kind, got, want)
		}
		end, clean := int64(0), 0
		for _, rec := range want {
			if rec.offset < end {
				broken("%s: a record at %d overlaps the one before, which ends at %d", kind, rec.offset, end)
			}
			end = rec.offset + int64(len(rec.text))
			if end > int64(len(data)) || string(data[rec.offset:end]) != rec.text {
				broken("%s: record %d is not what stands at %d: %q", kind, rec.number, rec.offset, rec.text)
			}
			if (rec.verdict == inspect.Clean) != cleanRecord(kind, rec.text) {
				broken("%s: record %d is %s: %q", kind, rec.number, rec.verdict, rec.text)
			}
			if rec.verdict == inspect.Clean {
				clean++
			}
		}
		if rep.Summary.Clean != clean {
			broken("%s: %d clean records are counted, %d were given out", kind, rep.Summary.Clean, clean)
		}
		passed = passed || clean > 0
	}
	return worth(passed)
}

// cleanRecord reports whether the checker of a kind takes one record.
func cleanRecord(kind inspect.Records, text string) bool {
	if kind == inspect.NDJSON {
		_, err := jsoncheck.Measure([]byte(text), inspectLimits().JSON)
		return err == nil
	}
	_, err := msgpackcheck.Measure([]byte(text), inspectLimits().Msgpack)
	return err == nil
}
