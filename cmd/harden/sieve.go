package main

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/spell"
)

// passedBuffer is how many bytes of clean records are gathered before they are
// handed on, unless more has to be waited for.
const passedBuffer = 64 << 10

// A sieve is a filter of records: clean ones are handed on as they come, others
// are set aside.
type sieve struct {
	command      *Command
	ins          *inspect.Inspector
	to           consumer
	started      bool
	passed       *bufio.Writer
	rejects      *rejects // nil: they are only counted
	rejectedCode int
	verbose      bool
	seen         inspect.Summary // the records so far
}

func (s *sieve) run(ctx *cli.Context) (int, error) {
	most, err := spell.ParseSize("rejects-max", ctx.String("rejects-max"))
	if err != nil {
		return ExitUndecided, &usageError{err, "harden filter --help"}
	}
	switch path := ctx.String("rejects"); {
	case path != "":
		if s.rejects, err = createRejects(path, most); err != nil {
			return ExitUndecided, err
		}
	case ctx.IsSet("rejects-max"):
		return ExitUndecided, &usageError{errors.New("--rejects-max bounds a file: name it with --rejects"), "harden filter --help"}
	}
	s.passed = bufio.NewWriterSize(s.to, passedBuffer)
	rep := inspect.NewReport()
	stdin := inspect.Stream("-", s.command.Stdin)
	stdin.BeforeRead = s.passed.Flush // what has passed does not wait for more
	sifted := s.ins.Sift(ctx.Context, stdin, rep, s.take)
	return s.end(rep, sifted)
}

// take hands on a clean record and sets any other aside.
func (s *sieve) take(r *inspect.Record) error {
	switch r.Verdict {
	case inspect.Clean:
		s.seen.Clean++
	case inspect.Rejected:
		s.seen.Rejected++
		return s.rejects.add(r)
	default:
		s.seen.Undecided++
		return s.rejects.add(r)
	}
	if !s.started {
		if err := s.to.start(); err != nil {
			return err
		}
		s.started = true
	}
	if _, err := s.passed.Write(r.Bytes); err != nil {
		return err
	}
	_, err := s.passed.WriteString(r.LineEnd)
	return err
}

// end tells what was found, waits for the consumer, and settles the exit code.
func (s *sieve) end(rep *inspect.Report, sifted error) (int, error) {
	handed := s.passed.Flush()
	consumed, finished := ExitClean, error(nil)
	if s.started {
		consumed, finished = s.to.finish()
	}
	kept := s.rejects.close()
	switch {
	case isClosedPipe(handed): // nobody wants more: what was seen counts, quietly
		if code := exitCode(&s.seen, s.rejectedCode, false); code != ExitClean {
			return code, kept
		}
		return consumed, errors.Join(finished, kept)
	case handed != nil:
		return ExitUndecided, fmt.Errorf("handing on what is clean: %w", handed)
	case sifted != nil || kept != nil || finished != nil:
		return ExitUndecided, errors.Join(sifted, kept, finished)
	}
	if err := s.command.reportTo(s.command.Stderr, rep, s.verbose); err != nil {
		return ExitUndecided, err
	}
	s.rejects.tell(s.command.Stderr)
	if code := exitCode(&rep.Summary, s.rejectedCode, false); code != ExitClean {
		s.command.sumUp(&rep.Summary)
		return code, nil
	}
	return consumed, nil
}
