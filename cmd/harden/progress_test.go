//go:build !wasip1

package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/walk"
)

// A watched screen hands on what is drawn, so that a test can wait for it.
type watched chan string

func (s watched) Write(p []byte) (int, error) {
	s <- string(p)
	return len(p), nil
}

func TestProgressShowsPayloadsAndBytesAndGoesAway(t *testing.T) {
	p := &progress{screen: &screen{}, done: make(chan struct{}), ended: make(chan struct{})}
	p.judged(&inspect.Summary{Clean: 1, Rejected: 2, Undecided: 3})
	j := &walk.Judge{}
	j.Read.Add(5 << 20)
	begin := make(chan time.Time)
	close(begin)
	s := make(watched)
	go p.show(s, j, begin)
	drawn := ""
	for !strings.Contains(drawn, "MiB") {
		drawn += <-s
	}
	require.Contains(t, drawn, "6 payloads, 2 rejected, 3 undecided")
	close(p.done)
	last := ""
	for ended := false; !ended; {
		select {
		case text := <-s:
			last = text
		case <-p.ended:
			ended = true
		}
	}
	require.Empty(t, strings.TrimSpace(last), "the line is empty at the end")
}

func TestProgressOfAShortRunDrawsNothing(t *testing.T) {
	p := &progress{screen: &screen{}, done: make(chan struct{}), ended: make(chan struct{})}
	var b bytes.Buffer
	go p.show(&b, &walk.Judge{}, nil)
	p.stop()
	require.Empty(t, b.String())
}

func TestReportTakesTheBarAwayFirst(t *testing.T) {
	var terminal bytes.Buffer
	s := &screen{w: &terminal, bar: newBar(&terminal)}
	require.NoError(t, s.bar.RenderBlank())
	before := terminal.Len()
	_, err := s.Write([]byte("a.json: clean\n"))
	require.NoError(t, err)
	written := terminal.String()[before:]
	require.True(t, strings.HasPrefix(written, "\r"), "%q", written)
	require.True(t, strings.HasSuffix(written, "\ra.json: clean\n"), "%q", written)
}
