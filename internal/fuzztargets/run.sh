#!/bin/sh
# Runs every fuzz target of the module for FUZZTIME each ("10s", or "5000x" for
# a number of executions). Fails at the first finding.
set -u
fuzztime=${1:?usage: run.sh FUZZTIME}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

for dir in $(go list -f '{{.Dir}}' ./...); do
	for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go 2>/dev/null | cut -d' ' -f2); do
		echo "fuzz $target in ${dir#"$PWD"/}"
		if (cd "$dir" && go test -run '^$' -fuzz "^$target\$" -fuzztime "$fuzztime" .) >"$log" 2>&1; then
			tail -n 2 "$log"
			continue
		fi
		cat "$log"
		# Go reports it as a failure when the time is over while a worker is busy.
		# A finding is told from that by the input it names.
		if grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input written' "$log"; then
			echo "the time was over: no finding"
			continue
		fi
		exit 1
	done
done
