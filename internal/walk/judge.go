package walk

import (
	"context"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/harden-input/harden/inspect"
)

// An Inspector judges a payload and adds the result to a report, as
// inspect.Inspector does. It must be safe for concurrent use.
type Inspector interface {
	InspectInto(ctx context.Context, in inspect.Input, r *inspect.Report)
}

// A Judge reads payloads and has them inspected.
type Judge struct {
	Inspector Inspector
	// Stdin is the payload "-", which the report calls StdinName.
	Stdin     io.Reader
	StdinName string
	// Unknown says what becomes of payloads in no known format.
	Unknown inspect.Unknown
	// Jobs is how many payloads are judged at once, at least 1.
	Jobs int
	// Outputs are files that this run writes to, such as a redirected stdout:
	// where nobody named them they are no payloads.
	Outputs []fs.FileInfo
	// Read counts the bytes that were read of files, those that were read
	// twice twice.
	Read atomic.Uint64
}

// ahead is how many payloads a job may be ahead of the one whose report is
// waited for.
const ahead = 32

// A verdict is a payload and where its report will come.
type verdict struct {
	payload Payload
	report  chan *inspect.Report
}

// All judges the payloads that find gives to found, and calls report with the
// report on each, in the order in which they were found. What is in memory at
// once does not depend on their number. It returns the first error of find or
// report; what is wrong with a payload is in its report.
func (j *Judge) All(ctx context.Context, find func(found func(Payload) error) error, report func(*inspect.Report) error) error {
	jobs := max(j.Jobs, 1)
	g, ctx := errgroup.WithContext(ctx)
	order := make(chan verdict, jobs*ahead)
	work := make(chan verdict, jobs)
	g.Go(func() error {
		defer close(order)
		defer close(work)
		return find(func(p Payload) error {
			v := verdict{p, make(chan *inspect.Report, 1)}
			for _, c := range []chan<- verdict{order, work} {
				select {
				case c <- v:
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			return nil
		})
	})
	for range jobs {
		g.Go(func() error {
			for v := range work {
				r := inspect.NewReport()
				j.Into(ctx, v.payload, r)
				v.report <- r
			}
			return nil
		})
	}
	g.Go(func() error {
		for v := range order {
			select {
			case r := <-v.report:
				if err := report(r); err != nil {
					return err
				}
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	})
	return g.Wait()
}

// Into judges one payload, and adds the result to r.
func (j *Judge) Into(ctx context.Context, p Payload, r *inspect.Report) {
	switch {
	case p.Err != nil:
		j.unreadable(ctx, p, p.Err, r)
	case p.Path == "-":
		j.inspect(ctx, p, inspect.Stream(j.StdinName, &counter{j.Stdin, &j.Read}), r)
	case p.Stream:
		s := &pipe{path: p.Path}
		defer s.Close()
		j.inspect(ctx, p, inspect.Stream(p.Path, &counter{s, &j.Read}), r)
	default:
		j.file(ctx, p, r)
	}
}

func (j *Judge) inspect(ctx context.Context, p Payload, in inspect.Input, r *inspect.Report) {
	in.Walked = p.From == Tree
	in.Unknown = j.Unknown
	j.Inspector.InspectInto(ctx, in, r)
}

// unreadable adds a payload that was not judged because of err.
func (j *Judge) unreadable(ctx context.Context, p Payload, err error, r *inspect.Report) {
	j.Inspector.InspectInto(ctx, inspect.Stream(p.Path, failing{err}), r)
}

func (j *Judge) file(ctx context.Context, p Payload, r *inspect.Report) {
	f, info, err := openRegular(p)
	if err != nil {
		j.unreadable(ctx, p, err, r)
		return
	}
	defer f.Close()
	if p.From != Argument && j.isOutput(info) {
		r.Summary.Skipped[skipOutput]++
		return
	}
	before := stampOf(info)
	found := inspect.NewReport()
	j.inspect(ctx, p, j.input(p, f, before.size), found)
	if !unchanged(f, before) {
		j.unreadable(ctx, p, errChanged, r)
		return
	}
	r.Merge(found)
}

func (j *Judge) isOutput(info fs.FileInfo) bool {
	return slices.ContainsFunc(j.Outputs, func(o fs.FileInfo) bool { return os.SameFile(o, info) })
}

// input is the content of a regular file. Files that a kernel makes up say
// that they are empty, and are not.
func (j *Judge) input(p Payload, f *os.File, size int64) inspect.Input {
	if size == 0 {
		if n, _ := f.ReadAt(make([]byte, 1), 0); n > 0 {
			return inspect.Stream(p.Path, &counter{f, &j.Read})
		}
	}
	return inspect.File(p.Path, &counterAt{f, &j.Read}, size)
}

// A counter counts what is read of a stream.
type counter struct {
	r io.Reader
	n *atomic.Uint64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(uint64(n))
	return n, err
}

// A counterAt counts what is read of a file.
type counterAt struct {
	r io.ReaderAt
	n *atomic.Uint64
}

func (c *counterAt) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.r.ReadAt(p, at)
	c.n.Add(uint64(n))
	return n, err
}
