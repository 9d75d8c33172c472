package transcode_test

import (
	"fmt"
	"os"

	"github.com/harden-input/harden/internal/transcode"
)

func ExampleMsgpack() {
	// A map of "a" to 1 and "b" to one byte of bin.
	payload := []byte("\x82\xa1a\x01\xa1b\xc4\x01\xff")
	if err := transcode.Msgpack(os.Stdout, payload, transcode.Options{}); err != nil {
		fmt.Println(err)
	}
	// A NaN, which JSON cannot say.
	fmt.Println(transcode.Msgpack(os.Stdout, []byte("\x91\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00"), transcode.Options{}))
	// Output:
	// {"a":1,"b":"/w=="}
	// decode/not-finite at byte 1: JSON has no NaN; --lossy writes null
}
