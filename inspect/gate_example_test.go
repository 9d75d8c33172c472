package inspect_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/harden-input/harden/inspect"
)

// A gate hands on the very bytes that it judged.
func ExampleInspector_InspectHeld() {
	chain, _ := inspect.ParseChain("gzip?+json")
	ins, err := inspect.New(inspect.Config{Limits: inspect.DefaultLimits(), Chain: chain})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, held := ins.InspectHeld(context.Background(), "body", strings.NewReader(`{"a":1}`))
	if p.Verdict != inspect.Clean {
		fmt.Println("refused:", p.Violations)
		return
	}
	content, size, err := ins.Peel(&p, held, p.CompressedLayers())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer content.Close()
	fmt.Println(size, "bytes")
	_, _ = io.Copy(os.Stdout, content)
	// Output:
	// 7 bytes
	// {"a":1}
}

// The records of a stream that are clean go on, the others do not.
func ExampleInspector_Sift() {
	ins, err := inspect.New(inspect.Config{Limits: inspect.DefaultLimits(), Records: inspect.NDJSON})
	if err != nil {
		fmt.Println(err)
		return
	}
	in := strings.NewReader("{\"a\":1}\n[[[\n{\"b\":2}\n")
	rep := inspect.NewReport()
	err = ins.Sift(context.Background(), inspect.Stream("events", in), rep, func(r *inspect.Record) error {
		if r.Verdict != inspect.Clean {
			fmt.Printf("line %d: %s\n", r.Line, r.Violations[0].Rule)
			return nil
		}
		_, err := fmt.Printf("%s%s", r.Bytes, r.LineEnd)
		return err
	})
	fmt.Println(err, rep.Summary.Clean, "clean")
	// Output:
	// {"a":1}
	// line 2: json/truncated
	// {"b":2}
	// <nil> 2 clean
}
