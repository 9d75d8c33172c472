// Ugorji-codec decodes MessagePack into an any.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/ugorji/go/codec"
)

func main() {
	payload, err := io.ReadAll(os.Stdin)
	if err == nil {
		var value any
		err = codec.NewDecoderBytes(payload, &codec.MsgpackHandle{}).Decode(&value)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
