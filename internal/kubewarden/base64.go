package kubewarden

import (
	"bytes"
	"encoding/base64"
)

// maxPeels is how often base64 is taken off a field. Helm's release secrets
// are encoded by Helm, and once more as all data of a secret is.
const maxPeels = 2

// takeBase64Off decodes base64 of RFC 4648: in the standard alphabet or the
// one for URLs, with padding or without, with line ends anywhere, as Kubernetes
// has it. What a lenient reader would decode is decoded: more is judged so.
func takeBase64Off(text []byte) ([]byte, error) {
	std, url := base64.StdEncoding, base64.URLEncoding
	if bytes.IndexByte(text, '=') < 0 {
		std, url = base64.RawStdEncoding, base64.RawURLEncoding
	}
	encoding := std
	if bytes.IndexByte(text, '-') >= 0 || bytes.IndexByte(text, '_') >= 0 {
		encoding = url
	}
	decoded := make([]byte, encoding.DecodedLen(len(text)))
	n, err := encoding.Decode(decoded, text)
	return decoded[:n], err
}

// peel takes base64 off text as often as it can be, and returns each result,
// the outermost first.
func peel(text []byte) [][]byte {
	var peeled [][]byte
	for range maxPeels {
		inner, err := takeBase64Off(text)
		if err != nil {
			break
		}
		peeled = append(peeled, inner)
		text = inner
	}
	return peeled
}
