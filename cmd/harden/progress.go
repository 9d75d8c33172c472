//go:build !wasip1

package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/report"
	"github.com/harden-input/harden/internal/walk"
)

// A progress bar appears on a terminal once a run has taken progressAfter.
const (
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
)

// A screen is stdout where that and stderr may be one terminal: the bar is not
// drawn while a report is written, and is taken away before. What is written at
// once should end in a line end.
type screen struct {
	w   io.Writer
	mu  sync.Mutex
	bar *progressbar.ProgressBar // nil while there is none
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bar != nil {
		_ = s.bar.Clear() // what cannot be cleared is no reason to write nothing
	}
	return s.w.Write(b)
}

// A progress shows on stderr how far a run is. Its methods may be called where
// there is nothing to show.
type progress struct {
	screen  *screen
	mu      sync.Mutex
	summary inspect.Summary
	done    chan struct{}
	ended   chan struct{}
}

// startProgress starts to show how far j is, if stderr is a terminal.
func (c *Command) startProgress(j *walk.Judge, s *screen, off bool) *progress {
	p := &progress{screen: s, done: make(chan struct{}), ended: make(chan struct{})}
	f, ok := c.Stderr.(*os.File)
	if off || !ok || !term.IsTerminal(int(f.Fd())) {
		close(p.ended)
		return p
	}
	go p.show(f, j, time.After(progressAfter))
	return p
}

// judged takes the summary of what was judged so far.
func (p *progress) judged(s *inspect.Summary) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.summary.Clean, p.summary.Rejected, p.summary.Undecided = s.Clean, s.Rejected, s.Undecided
}

// stop takes the bar away.
func (p *progress) stop() {
	close(p.done)
	<-p.ended
}

// show draws the bar from begin on until stop is called. Nobody knows how much there will
// be: what is still in a directory is found while others are judged.
func (p *progress) show(w io.Writer, j *walk.Judge, begin <-chan time.Time) {
	defer close(p.ended)
	select {
	case <-begin:
	case <-p.done:
		return
	}
	bar := newBar(w)
	p.draw(func() { p.screen.bar = bar })
	// A bar that cannot be drawn is no reason to stop judging.
	defer p.draw(func() { _, p.screen.bar = bar.Finish(), nil })
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		p.draw(func() {
			bar.Describe(p.text())
			_ = bar.Set64(int64(min(j.Read.Load(), 1<<62)))
		})
		select {
		case <-tick.C:
		case <-p.done:
			return
		}
	}
}

// newBar returns a bar that is drawn when it is told to and at no other time: on
// its own, a spinner writes to the terminal while a report does.
func newBar(w io.Writer) *progressbar.ProgressBar {
	return progressbar.NewOptions64(-1, progressbar.OptionSetWriter(w), progressbar.OptionShowBytes(true),
		progressbar.OptionUseIECUnits(true), progressbar.OptionClearOnFinish(), progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetSpinnerChangeInterval(0))
}

// draw calls f while no report is written.
func (p *progress) draw(f func()) {
	p.screen.mu.Lock()
	defer p.screen.mu.Unlock()
	f()
}

func (p *progress) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := &p.summary
	text := report.Amount(uint64(s.Clean+s.Rejected+s.Undecided), "payloads")
	if s.Rejected > 0 {
		text += fmt.Sprintf(", %d rejected", s.Rejected)
	}
	if s.Undecided > 0 {
		text += fmt.Sprintf(", %d undecided", s.Undecided)
	}
	return text
}
