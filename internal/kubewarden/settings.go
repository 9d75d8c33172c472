package kubewarden

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/config"
	"github.com/harden-input/harden/internal/spell"
	"github.com/harden-input/harden/rule"
)

// maxTime is the limit input.max-time where the settings set none, whatever the
// profile: the time for all fields of a request together, and always for reading
// and measuring the request. The policy server ends a policy that is not done
// after two ticks of a clock of one second, and the first may come at once: so a
// second is the least that it gives, and what is refused in time has a message.
const maxTime = 900 * time.Millisecond

// keyMaxTime is the only limit that settings may raise above the profile's: a
// policy that takes too long is ended by the server, and refuses all the same.
const keyMaxTime = "input.max-time"

// The keys of settings.
const (
	keyProfile       = "profile"
	keyFailOn        = "fail-on"
	keyLimits        = "limits"
	keyChain         = "chain"
	keyFields        = "fields"
	keyRequireFormat = "require-format"
)

func settingKeys() []string {
	return []string{keyProfile, keyFailOn, keyLimits, keyChain, keyFields, keyRequireFormat}
}

// defaultField is what is inspected where the settings name no fields.
const defaultField = "/payload"

// A policy is what settings come to.
type policy struct {
	chain         inspect.Chain
	failOn        rule.Severity
	fields        []*fieldPointer
	requireFormat bool
	time          time.Duration
	inspector     *inspect.Inspector
}

// parseSettings reads settings: an object as docs/kubewarden.md describes it.
// Null stands for the defaults.
func parseSettings(text []byte) (*policy, error) {
	if len(text) > maxSettings {
		return nil, fmt.Errorf("%d bytes long, allowed are %d", len(text), maxSettings)
	}
	if err := measureText(context.Background(), text, maxSettingsDepth); err != nil {
		return nil, err
	}
	s := settings{c: cursor{text: text}, Settings: config.Settings{Chain: "auto"}, fields: []string{defaultField}}
	switch s.c.kind() {
	case 'n':
	case '{':
		s.c.object(s.member)
	default:
		return nil, errors.New(`not an object: write {"fields": ["/payload"]}, or {} for the defaults`)
	}
	if s.err != nil {
		return nil, s.err
	}
	return s.policy()
}

// settings are what is read of a settings object so far.
type settings struct {
	config.Settings
	fields        []string
	requireFormat bool

	c   cursor
	err error // the first
}

// member reads the member with this name, at whose value the cursor is.
func (s *settings) member(key string) {
	switch key {
	case keyProfile:
		s.Profile = s.text(key)
	case keyFailOn:
		s.FailOn = s.text(key)
	case keyChain:
		s.Chain = s.text(key)
	case keyRequireFormat:
		switch s.c.kind() {
		case 't', 'f':
			s.requireFormat = string(s.c.value()) == "true"
		default:
			s.wrongType(key, "true or false")
		}
	case keyLimits:
		if s.c.kind() != '{' {
			s.wrongType(key, `an object, as in {"gzip.max-members": 16}`)
			return
		}
		s.c.object(s.limit)
	case keyFields:
		if s.c.kind() != '[' {
			s.wrongType(key, `a list of JSON Pointers, as in ["/payload"]`)
			return
		}
		s.fields = nil
		s.c.array(func(i int) { s.fields = append(s.fields, s.pointer(fmt.Sprintf("%s[%d]", key, i))) })
	default:
		s.c.value()
		closest := ""
		if c := spell.Closest(key, settingKeys()); c != "" {
			closest = ": did you mean " + c + "?"
		}
		s.fail(fmt.Errorf("unknown setting %q%s (settings: %s)", key, closest, strings.Join(settingKeys(), ", ")))
	}
}

func (s *settings) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// wrongType passes over the value of a setting that is not of its type.
func (s *settings) wrongType(key, want string) {
	s.c.value()
	s.fail(fmt.Errorf("%s: write %s", key, want))
}

// text reads the value of a setting that is a word.
func (s *settings) text(key string) string {
	if s.c.kind() != '"' {
		s.wrongType(key, "a string")
		return ""
	}
	text := string(unquote(s.c.value()))
	if text == "" {
		s.fail(fmt.Errorf("%s is empty: leave it out for the default", key))
	}
	return text
}

// pointer reads a pointer; the empty one is the request itself.
func (s *settings) pointer(key string) string {
	if s.c.kind() != '"' {
		s.wrongType(key, `a JSON Pointer, as in "/payload"`)
		return ""
	}
	return string(unquote(s.c.value()))
}

// limit reads a limit, whose key may be spread over objects as it may in a
// configuration file.
func (s *settings) limit(key string) {
	switch s.c.kind() {
	case '{':
		s.c.object(func(inner string) { s.limit(key + "." + inner) })
		return
	case '"':
		s.setLimit(key, string(unquote(s.c.value())))
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		s.setLimit(key, string(s.c.value()))
	default:
		s.wrongType(keyLimits+": "+key, `a number, or a string such as "16MiB", "500ms" or "none"`)
	}
}

func (s *settings) setLimit(key, value string) {
	if err := spell.SetLimit(&inspect.Limits{}, key, value); err != nil {
		s.fail(fmt.Errorf("%s: %w", keyLimits, err))
		return
	}
	if slices.ContainsFunc(s.Limits, func(l string) bool { return strings.HasPrefix(l, key+"=") }) {
		s.fail(fmt.Errorf("%s: %s is set twice", keyLimits, key))
		return
	}
	s.Limits = append(s.Limits, key+"="+value)
}

// policy checks what does not depend on one setting alone.
func (s *settings) policy() (*policy, error) {
	r, err := s.Resolve()
	if err != nil {
		return nil, err
	}
	base, err := config.Settings{Profile: s.Profile, FailOn: s.FailOn, Chain: "auto"}.Resolve()
	if err != nil {
		return nil, err
	}
	p := &policy{chain: r.Config.Chain, failOn: r.Config.FailOn, requireFormat: s.requireFormat, time: maxTime}
	limits := &r.Config.Limits.Input
	if slices.Contains(r.Config.OnPurpose, keyMaxTime) {
		if p.time = time.Duration(limits.MaxTime); p.time == 0 {
			return nil, fmt.Errorf("%s: %s is needed: the policy server would end the policy without a message", keyLimits, keyMaxTime)
		}
	}
	// The inspector would start anew for each field: see deadline.
	limits.MaxTime, base.Config.Limits.Input.MaxTime = 0, 0
	if looser := r.LooserLimits(base); len(looser) > 0 {
		return nil, fmt.Errorf("%s: %s: settings may only tighten the profile: choose one that allows it (harden limits shows them)", keyLimits, looser[0])
	}
	if p.inspector, err = inspect.New(r.Config); err != nil {
		return nil, err
	}
	return p, p.parseFields(s.fields)
}

func (p *policy) parseFields(texts []string) error {
	switch {
	case len(texts) == 0:
		return fmt.Errorf(`%s is empty: name what to inspect, as in ["/payload"]`, keyFields)
	case len(texts) > maxPointers:
		return fmt.Errorf("%s: more than %d pointers", keyFields, maxPointers)
	}
	for _, text := range texts {
		f, err := parsePointer(text)
		if err != nil {
			return fmt.Errorf("%s: %w", keyFields, err)
		}
		p.fields = append(p.fields, f)
	}
	return nil
}
