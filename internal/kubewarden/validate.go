package kubewarden

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/harden-input/harden/rule"
)

// A Response is the answer to validate, as the policy server reads it.
type Response struct {
	Accepted bool `json:"accepted"`
	// Message says why the request is refused; it names rules, fields and
	// amounts, and quotes no value.
	Message string `json:"message,omitempty"`
	// Code is the HTTP status of a refusal.
	Code uint16 `json:"code,omitempty"`
}

// The codes of refusals.
const (
	// codeRequest: the request or a payload in it is at fault.
	codeRequest = 400
	// codeSettings: whoever set up the policy is.
	codeSettings = 500
)

// A SettingsResponse is the answer to validate-settings.
type SettingsResponse struct {
	Valid   bool   `json:"valid"`
	Message string `json:"message,omitempty"`
}

// maxMessage bounds the message of an error about settings, in bytes.
const maxMessage = 2 << 10

// Validate reads {"request": …, "settings": …} from r, at most 8 MiB, and writes
// a [Response] to w. A request that cannot be read or judged is refused, also
// because its settings are not valid or its time is over: the limit
// input.max-time of the settings, 900ms by default, counted from the call. The
// error is w's.
func Validate(ctx context.Context, r io.Reader, w io.Writer) error {
	start := time.Now()
	return write(w, validate(ctx, start, r))
}

func validate(ctx context.Context, start time.Time, r io.Reader) Response {
	text, err := readText(r, maxInput)
	if err == nil {
		err = measureText(deadline{ctx, start.Add(maxTime)}, text, maxDepth)
	}
	if err != nil {
		return refusal(codeRequest, "the request: "+err.Error())
	}
	c := cursor{text: text}
	if c.kind() != '{' {
		return refusal(codeRequest, `the request: not an object with the members "request" and "settings"`)
	}
	var request []byte
	settings := []byte("null")
	c.object(func(name string) {
		switch value := c.value(); name {
		case "request":
			request = value
		case "settings":
			settings = value
		}
	})
	if request == nil {
		return refusal(codeRequest, `the member "request" is missing`)
	}
	p, err := parseSettings(settings)
	if err != nil {
		return refusal(codeSettings, settingsMessage(err))
	}
	if message := p.judge(deadline{ctx, start.Add(p.time)}, request); message != "" {
		return refusal(codeRequest, message)
	}
	return Response{Accepted: true}
}

func refusal(code uint16, message string) Response {
	return Response{Message: message, Code: code}
}

// ValidateSettings reads settings from r, at most 64 KiB, and writes a
// [SettingsResponse] to w. The error is w's.
func ValidateSettings(r io.Reader, w io.Writer) error {
	text, err := readText(r, maxSettings)
	if err == nil {
		_, err = parseSettings(text)
	}
	if err != nil {
		return write(w, SettingsResponse{Message: settingsMessage(err)})
	}
	return write(w, SettingsResponse{Valid: true})
}

func settingsMessage(err error) string {
	return "settings: " + rule.Excerpt(err.Error(), maxMessage)
}

func write(w io.Writer, response any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false) // messages are read by people, and hold < and >
	if err := e.Encode(response); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}
