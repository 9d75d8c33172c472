package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"
)

// report writes two Markdown tables, of time and of memory, and what a reader
// has to know about them.
func report(w io.Writer, o options, tools, missing []tool, rows []row, floor int64) {
	fmt.Fprintf(w, "Median of %d runs of each whole process, taking turns, on %s/%s with %d CPUs. ", o.runs, runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Fprintf(w, "harden is `%s`; a peer's figure is how many times as long it took.\n\n", strings.Join(append([]string{o.harden}, tools[0].args...), " "))

	header(w, tools, "input", "gzip", "inflated")
	for _, r := range rows {
		line := []string{r.input.name, size(r.input.compressed), size(r.input.inflated)}
		for i, out := range r.outcome {
			line = append(line, timeCell(i == 0, out, r.outcome[0]))
		}
		writeRow(w, line)
	}

	if rows[0].outcome[0].maxRSS > 0 {
		fmt.Fprintf(w, "\nPeak memory (resident). A process is never said to have less than the launcher it was started from, %s here: figures near that mean at most.\n\n", size(floor))
		header(w, tools, "input")
		for _, r := range rows {
			line := []string{r.input.name}
			for _, out := range r.outcome {
				line = append(line, size(out.maxRSS))
			}
			writeRow(w, line)
		}
	}
	for _, t := range missing {
		fmt.Fprintf(w, "\nNot compared: %s is not installed (Debian: apt install %s).\n", t.name, t.install)
	}
}

func header(w io.Writer, tools []tool, columns ...string) {
	n := len(columns)
	for i, t := range tools {
		name := t.command()
		if i == 0 {
			name = t.name
		}
		columns = append(columns, name)
	}
	writeRow(w, columns)
	fmt.Fprintf(w, "|---|%s\n", strings.Repeat("---:|", n-1+len(tools)))
}

func writeRow(w io.Writer, cells []string) {
	fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
}

// timeCell is a tool's time, with a ratio for peers. A tool that did not accept
// the input has done other work, so it gets no ratio; nor does any peer where
// harden did not accept it.
func timeCell(first bool, out, harden outcome) string {
	if s := status(out.worst); s != "" {
		return fmt.Sprintf("%s after %s", s, duration(out.median))
	}
	if first || status(harden.worst) != "" || harden.median == 0 {
		return duration(out.median)
	}
	return fmt.Sprintf("%s× (%s)", ratio(float64(out.median)/float64(harden.median)), duration(out.median))
}

// status says how a run ended that did not end well.
func status(r result) string {
	switch {
	case r.TimedOut:
		return "**out of time**"
	case r.Exit < 0:
		return "**killed**"
	case r.Exit > 0:
		return fmt.Sprintf("**exit %d**", r.Exit)
	}
	return ""
}

func ratio(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

func duration(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	if ms < 100 {
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}

// size writes a number of bytes with three digits at most.
func size(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB"}
	x, u := float64(n), 0
	for x >= 1000 && u < len(units)-1 {
		x, u = x/1024, u+1
	}
	if x < 10 && u > 0 {
		return fmt.Sprintf("%.1f %s", x, units[u])
	}
	return fmt.Sprintf("%.0f %s", x, units[u])
}
