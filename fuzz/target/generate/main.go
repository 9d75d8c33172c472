// Command generate writes gzip.dict and msgpack.dict, whose words are binary,
// into the directory it is given. json.dict is kept by hand.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: generate DIR")
	}
	for name, content := range dictionaries() {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), content, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// dictionaries returns the files by name.
func dictionaries() map[string][]byte {
	return map[string][]byte{"gzip.dict": gzipDictionary(), "msgpack.dict": msgpackDictionary()}
}

// A dictionary is written in the syntax that AFL++ and libFuzzer share: a line
// for each word, its name and its bytes in quotes.
type dictionary struct{ bytes.Buffer }

// section starts a group of words.
func (d *dictionary) section(title string) { fmt.Fprintf(d, "\n# %s\n", title) }

// word adds one word. Escapes are \xNN, \" and \\, which both programs read.
func (d *dictionary) word(name string, content []byte) {
	d.WriteString(name + `="`)
	for _, c := range content {
		switch {
		case c == '"' || c == '\\':
			d.WriteByte('\\')
			d.WriteByte(c)
		case c >= ' ' && c <= '~':
			d.WriteByte(c)
		default:
			fmt.Fprintf(d, `\x%02x`, c)
		}
	}
	d.WriteString("\"\n")
}

// payload adds what p writes.
func (d *dictionary) payload(name string, p io.WriterTo) {
	var content bytes.Buffer
	if _, err := p.WriteTo(&content); err != nil {
		panic(fmt.Sprintf("%s: %v", name, err)) // p is written in this package
	}
	d.word(name, content.Bytes())
}
