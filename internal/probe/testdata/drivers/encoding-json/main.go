// Encoding-json decodes JSON into an any with the standard library.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

func main() {
	payload, err := io.ReadAll(os.Stdin)
	if err == nil {
		var value any
		err = json.Unmarshal(payload, &value)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
