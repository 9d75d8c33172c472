#!/bin/sh
# Runs every fuzz target of the module for FUZZTIME each ("10s", or "5000x" for
# a number of executions), on two processes. Fails at the first finding.
set -u
fuzztime=${1:?usage: run.sh FUZZTIME}
kit=$(mktemp -d)
trap 'rm -rf "$kit"' EXIT
cache=$(go env GOCACHE)/fuzz

packages=$(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...) || exit 1
for package in $packages; do
	dir=$(go list -f '{{.Dir}}' "$package")
	targets=$(cat "$dir"/*_test.go | grep -oE '^func Fuzz[A-Za-z0-9_]+' | cut -d' ' -f2)
	[ -n "$targets" ] || continue
	# Linked once: "go test -fuzz" would link again for every target.
	go test -c -fuzz . -o "$kit/tests" "$package" || exit 1
	for target in $targets; do
		echo "fuzz $target in ${dir#"$PWD"/}"
		if (cd "$dir" && "$kit/tests" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$fuzztime" -test.fuzzminimizetime 5s \
			-test.parallel 2 -test.fuzzcachedir "$cache/$package") >"$kit/log" 2>&1; then
			tail -n 2 "$kit/log" | head -n 1
			continue
		fi
		cat "$kit/log"
		# Go reports it as a failure when the time is over while a worker is busy.
		# A finding is told from that by the input it names.
		if grep -q 'context deadline exceeded' "$kit/log" && ! grep -q 'Failing input written' "$kit/log"; then
			echo "the time was over: no finding"
			continue
		fi
		exit 1
	done
done
