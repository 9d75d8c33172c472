// Tinylib-msgp decodes MessagePack into an any.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/tinylib/msgp/msgp"
)

func main() {
	payload, err := io.ReadAll(os.Stdin)
	if err == nil {
		_, _, err = msgp.ReadIntfBytes(payload)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
