//go:build !wasip1

package probe

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/harden-input/harden/rule"
)

// columns head the table of cases.
var columns = []string{"class", "case", "kind", "ended", "wall", "cpu", "resident", "virtual", "output", "why"}

// Text writes r as a table for people: what hurt, what is malformed and was
// accepted all the same, and the counts. Where all is set every case is listed.
func Text(w io.Writer, r *Report, all bool) error {
	var b bytes.Buffer
	for _, line := range r.head() {
		fmt.Fprintln(&b, line)
	}
	if rows := r.rows(all); len(rows) > 0 {
		fmt.Fprintln(&b)
		table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, strings.Join(columns, "\t"))
		for i := range rows {
			fmt.Fprintln(table, strings.Join(rows[i].cells(), "\t"))
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	fmt.Fprintln(&b)
	fmt.Fprintln(&b, r.counts())
	fmt.Fprintln(&b, "verdict: "+r.Conclusion)
	_, err := w.Write(trimLines(b.Bytes()))
	return err
}

// trimLines removes the spaces that an empty last column leaves.
func trimLines(text []byte) []byte {
	lines := bytes.Split(text, []byte("\n"))
	for i := range lines {
		lines[i] = bytes.TrimRight(lines[i], " ")
	}
	return bytes.Join(lines, []byte("\n"))
}

// Markdown writes what [Text] does, for an issue or a page.
func Markdown(w io.Writer, r *Report, all bool) error {
	var b bytes.Buffer
	for _, line := range r.head() {
		fmt.Fprintf(&b, "- %s\n", inMarkdown(line))
	}
	if rows := r.rows(all); len(rows) > 0 {
		fmt.Fprintf(&b, "\n| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
		for i := range rows {
			cells := rows[i].cells()
			for j, cell := range cells {
				cells[j] = inMarkdown(cell)
			}
			fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
		}
	}
	fmt.Fprintf(&b, "\n%s\n\n**verdict: %s**\n", r.counts(), r.Conclusion)
	_, err := w.Write(b.Bytes())
	return err
}

// inMarkdown keeps text from being taken for markup, links, or mentions.
func inMarkdown(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '@':
			b.WriteString("&#64;")
		case strings.ContainsRune("\\|`*_[]#~", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return strings.ReplaceAll(b.String(), "://", `\://`)
}

// head says what was run, how it was measured, and from where on.
func (r *Report) head() []string {
	command := make([]string, len(r.Command))
	for i, arg := range r.Command {
		command[i] = escape(arg)
	}
	lines := []string{
		"command: " + strings.Join(command, " "),
		fmt.Sprintf("limits: %s, %s of memory, %s of output", limit(r.Limits.Timeout != 0, seconds(r.Limits.Timeout)),
			limit(r.Limits.Memory != 0, size(r.Limits.Memory)), limit(r.Limits.MaxOutput != 0, size(r.Limits.MaxOutput))),
		"memory: " + memoryText[r.Memory],
	}
	if len(r.NotMeasured) > 0 {
		lines = append(lines, "not measured on this platform: "+strings.Join(r.NotMeasured, ", "))
	}
	for i := range r.Formats {
		f := &r.Formats[i]
		line := fmt.Sprintf("baseline %s: %d of %d benign cases accepted", f.Format, f.Accepted, f.Benign)
		switch {
		case f.Benign == 0:
			line = fmt.Sprintf("baseline %s: no benign case was run", f.Format)
		case f.Unread():
			line += ": the command does not seem to read this format at all"
		default:
			line += fmt.Sprintf(", peak resident up to %s, virtual up to %s", amount(f.Resident), amount(f.Virtual))
		}
		if f.AcceptsAnything {
			line += "; accepts even the byte c1, which is of no format: does it look at its input?"
		}
		lines = append(lines, line)
	}
	return lines
}

var memoryText = map[MemoryMeasured]string{
	MemoryAtExit:      "peaks of the largest process, read as each process exits",
	MemoryPolled:      "peaks of the largest process, read every few milliseconds, because ptrace is not permitted: what comes after the last look is missing",
	MemoryRusage:      "peak resident size as the platform reports it at the end",
	MemoryNotMeasured: "not measured",
}

func limit(is bool, text string) string {
	if !is {
		return "no limit"
	}
	return text
}

// rows returns what is listed, the worst first.
func (r *Report) rows(all bool) []Result {
	sorted := r.worstFirst()
	if all {
		return sorted
	}
	var rows []Result
	for i := range sorted {
		if sorted[i].Class.Hurts() || sorted[i].acceptedMalformed() {
			rows = append(rows, sorted[i])
		}
	}
	return rows
}

// cells are the columns of a case.
func (r *Result) cells() []string {
	ended := r.Signal
	if ended == "" {
		ended = "exit " + r.Exit.String()
	}
	why := r.Why
	if r.Stderr != "" {
		why = strings.TrimPrefix(why+"; stderr: "+r.Stderr, "; ")
	}
	return []string{string(r.Class), r.Case, string(r.Kind), ended, seconds(r.Wall), seconds(r.CPU),
		amount(r.Resident), amount(r.Virtual), size(r.Output), why}
}

func amount(n rule.Amount) string {
	if n, known := n.Get(); known {
		return size(n)
	}
	return "?"
}

// seconds writes a time for people.
func seconds(s float64) string {
	d := time.Duration(s * float64(time.Second))
	if d >= time.Second {
		return d.Round(10 * time.Millisecond).String()
	}
	return d.Round(100 * time.Microsecond).String()
}

// counts says how many cases are in each class.
func (r *Report) counts() string {
	parts := []string{}
	for _, class := range Classes() {
		part := fmt.Sprintf("%d %s", r.Summary.Classes[class], class)
		if class == Accepted {
			part += fmt.Sprintf(" (%d of them malformed)", r.Summary.MalformedAccepted)
		}
		parts = append(parts, part)
	}
	return counted(r.Summary.Cases) + ": " + strings.Join(parts, ", ")
}
