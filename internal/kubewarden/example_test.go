package kubewarden_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/harden-input/harden/internal/kubewarden"
)

// The payload is five bytes of MessagePack that promise four billion values.
func ExampleValidate() {
	request := `{"request": {"payload": "3f////8="}, "settings": {"chain": "msgpack"}}`
	if err := kubewarden.Validate(context.Background(), strings.NewReader(request), os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"accepted":false,"message":"/payload: msgpack/header-oversized at byte 0: array header promises 4294967295 values, at most 0 can follow: forged or cut off (declared 4294967295 values, actual 0 values)","code":400}
}

func ExampleValidateSettings() {
	settings := `{"chain": "gzip+json", "feilds": ["/object/data/*"]}`
	if err := kubewarden.ValidateSettings(strings.NewReader(settings), os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"valid":false,"message":"settings: unknown setting \"feilds\": did you mean fields? (settings: profile, fail-on, limits, chain, fields, require-format)"}
}
