// Vmihailenco-msgpack decodes MessagePack into an any.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/vmihailenco/msgpack/v5"
)

func main() {
	payload, err := io.ReadAll(os.Stdin)
	if err == nil {
		var value any
		err = msgpack.Unmarshal(payload, &value)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
