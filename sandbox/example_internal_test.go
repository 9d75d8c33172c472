package sandbox

import (
	"context"
	"fmt"

	"github.com/harden-input/harden/inspect"
)

func Example() {
	module, err := builds.BuildReactor() // os.ReadFile("harden-reactor.wasm")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	box, err := New(ctx, module, Options{Cache: builds.Cache()})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer box.Close(ctx)
	ins, err := box.Inspector(inspect.Config{Limits: inspect.DefaultLimits()}, DefaultMemory)
	if err != nil {
		fmt.Println(err)
		return
	}
	body := []byte{0xdd, 0xff, 0xff, 0xff, 0xff} // a msgpack array of 4294967295
	p := ins.Inspect(ctx, inspect.Bytes("body.msgpack", body))
	fmt.Println(p.Verdict, p.Violations[0].Rule, p.Violations[0].Declared)
	// Output: rejected msgpack/header-oversized 4294967295
}
