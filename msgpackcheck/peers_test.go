package msgpackcheck

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// peers are decoders in other languages that turn msgpack on their standard
// input into JSON.
var peers = []struct {
	name     string
	programs []string // the first that passes the probe is used
	probe    []string
	args     []string
}{
	{
		"python msgpack", []string{"python3", "/usr/bin/python3"},
		[]string{"-c", "import msgpack"},
		[]string{"-c", "import sys,json,msgpack; json.dump(msgpack.unpackb(sys.stdin.buffer.read(),strict_map_key=False),sys.stdout)"},
	},
	{
		"perl Data::MessagePack", []string{"perl"},
		[]string{"-MData::MessagePack", "-MJSON::PP", "-e", "1"},
		[]string{"-MData::MessagePack", "-MJSON::PP", "-e",
			"sub Data::MessagePack::Boolean::TO_JSON { $_[0] ? JSON::PP::true : JSON::PP::false } binmode STDIN; local $/; " +
				"print JSON::PP->new->utf8->convert_blessed->allow_nonref->encode(Data::MessagePack->new->utf8(1)->unpack(<STDIN>))"},
	},
}

// program returns the first program that passes the probe.
func program(programs, probe []string) (name string, err error) {
	for _, name := range programs {
		if err = exec.Command(name, probe...).Run(); err == nil {
			return name, nil
		}
	}
	return "", err
}

// What others decode from honest payloads is what Decoder does.
func TestPeersDecodeTheSame(t *testing.T) {
	var d Decoder
	for _, peer := range peers {
		t.Run(peer.name, func(t *testing.T) {
			name, err := program(peer.programs, peer.probe)
			if err != nil {
				t.Skipf("%s is not installed: %v", peer.name, err)
			}
			for _, doc := range realDocuments(t) {
				t.Run(doc.name, func(t *testing.T) {
					if name == "perl" && len(doc.data) > 500_000 {
						t.Skip("JSON::PP is too slow for it")
					}
					cmd := exec.Command(name, peer.args...)
					cmd.Stdin = bytes.NewReader(doc.data)
					out, err := cmd.Output()
					require.NoError(t, err)
					var want any
					require.NoError(t, json.Unmarshal(out, &want))

					v, err := d.Decode(doc.data)
					require.NoError(t, err)
					text, err := json.Marshal(v)
					require.NoError(t, err)
					var got any
					require.NoError(t, json.Unmarshal(text, &got))
					require.True(t, closeEnough(want, got))
				})
			}
		})
	}
}

// closeEnough compares decoded JSON; perl prints 15 digits of a number.
func closeEnough(want, got any) bool {
	switch want := want.(type) {
	case float64:
		got, ok := got.(float64)
		diff := max(want-got, got-want)
		return ok && diff <= 1e-14*max(want, -want)
	case []any:
		got, ok := got.([]any)
		if !ok || len(want) != len(got) {
			return false
		}
		for i := range want {
			if !closeEnough(want[i], got[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok || len(want) != len(got) {
			return false
		}
		for k := range want {
			if !closeEnough(want[k], got[k]) {
				return false
			}
		}
		return true
	}
	return want == got
}
