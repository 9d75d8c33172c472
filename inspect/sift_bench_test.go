package inspect

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/jsoncheck"
)

// BenchmarkSift compares records that are judged one by one with the same
// values as one JSON text, under the same limits and checks.
func BenchmarkSift(b *testing.B) {
	for _, size := range []int{200, 2000} {
		var lines, text bytes.Buffer
		text.WriteByte('[')
		for i := 0; lines.Len() < 16<<20; i++ {
			record := fmt.Sprintf(`{"id":%d,"time":"2026-01-02T03:04:05Z","level":"info","user":{"name":"u%d","tags":["a","b",0.5]},"ok":true,"message":"%s"}`,
				i, i*7919, bytes.Repeat([]byte("x"), size-120))
			fmt.Fprintln(&lines, record)
			fmt.Fprintf(&text, "%s,\n", record)
		}
		text.WriteString("0]")
		ins := newInspector(b, func(c *Config) {
			c.Records = NDJSON
			c.Limits.JSON.MaxArrayElements, c.Limits.JSON.MaxValues, c.Limits.JSON.MaxDecodedSize = 0, 0, 0
		})
		b.Run(fmt.Sprintf("records of %d bytes", size), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(lines.Len()))
			for b.Loop() {
				err := ins.Sift(context.Background(), Stream("-", bytes.NewReader(lines.Bytes())), NewReport(), func(*Record) error { return nil })
				require.NoError(b, err)
			}
		})
		b.Run(fmt.Sprintf("one text of %d bytes each", size), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				m, err := jsoncheck.MeasureReader(bytes.NewReader(text.Bytes()), -1, ins.cfg.Limits.JSON)
				require.NoError(b, err)
				require.True(b, m.Complete)
			}
		})
	}
}
