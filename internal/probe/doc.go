// Package probe runs a command, any decoder, on payloads of the corpus and says
// which of them hurt it.
//
//	cases := probe.Selection{Formats: []string{"gzip"}}.From(corpus.All())
//	rep, err := probe.Run(ctx, &probe.Options{
//		Command: []string{"gzip", "-t"},
//		Cases:   cases,
//		Benign:  probe.Baseline(corpus.All(), cases),
//		Timeout: 5 * time.Second,
//		Memory:  256 << 20,
//	})
//	…
//	err = probe.Text(os.Stdout, rep, false)
//
// Every payload is a process of its own, which gets it on stdin, or as a file
// where an argument holds {}. A process gets its time, its memory and its
// output measured, and is killed, with all that descends from it, when it goes
// over. Benign payloads run first: what the command needs for them is what it
// needs anyway, and the rest is measured from there.
//
// # Memory
//
// Peak resident and peak virtual size are those of the largest process that the
// command ran, not of all together: after a fork two processes share their
// pages, and a sum would count them twice. Only where the sum goes over the
// limit are shared pages looked at; if the processes hold more than the limit
// with each page counted once, the command is over memory.
//
// On Linux each process is stopped at its exit, by ptrace, and its peaks are
// read from /proc then. What wait4 returns as the peak is not used: a process
// inherits it from whoever started it. Where ptrace is not permitted the peaks
// are those of the last look, a few milliseconds before the end. Either way a
// process that replaces itself by exec is measured from there on; what it held
// before was seen by the looks only. Elsewhere than on Linux the report says
// what could not be measured.
//
// A WASI host has no processes; there this package is empty.
package probe
