#!/bin/sh
# Runs one target of fuzz/gofuzz under dvyukov/go-fuzz for TIME ("20s", "10m"),
# on two processes, seeded from the corpus. What it has learned is kept in
# build/gofuzz/TARGET. Fails where a crasher lies there.
set -eu
usage="usage: gofuzz.sh TARGET TIME (TARGET is one of fuzz/target, TIME is 20s or 10m)"
target=${1:?$usage}
time=${2:?$usage}
case $time in
*m) seconds=$((${time%m} * 60)) ;;
*) seconds=${time%s} ;;
esac
entry=$(grep -o "{\"$target\", \"[a-z]*\"}" fuzz/target/target.go) || {
	echo "$target is no target; there are:" >&2
	sed -n 's/^func \(Fuzz[A-Za-z]*\)(.*/  \1/p' fuzz/gofuzz/gofuzz.go >&2
	exit 2
}
format=$(echo "$entry" | cut -d'"' -f4)

kit=build/gofuzz
work=$kit/$target
mkdir -p "$work"
if [ ! -e $kit/targets.zip ] || [ -n "$(find . -path ./build -prune -o \( -name '*.go' -o -name go.mod \) -newer $kit/targets.zip -print | head -n 1)" ]; then
	echo "building the targets, which takes a minute"
	go tool go-fuzz-build -o $kit/targets.zip ./fuzz/gofuzz
fi
go build -o $kit/go-fuzz github.com/dvyukov/go-fuzz/go-fuzz
go run ./cmd/harden corpus export --layout go-fuzz ${format:+--format "$format"} --force --to "$work"

$kit/go-fuzz -bin $kit/targets.zip -workdir "$work" -procs 2 -func "$target" >"$work/log" 2>&1 &
fuzzer=$!
trap 'kill -INT $fuzzer 2>/dev/null' EXIT
trap 'exit 130' INT TERM
sleep "$seconds" || { echo "$usage" >&2 && exit 2; }
kill -INT $fuzzer 2>/dev/null || {
	cat "$work/log"
	exit 1
}
wait $fuzzer || true
trap - EXIT

grep 'workers: ' "$work/log" | tail -n 1
if [ -n "$(ls "$work/crashers" 2>/dev/null)" ]; then
	echo "crashers are in $work/crashers: each input, as it is and .quoted, and the .output of the panic"
	cat "$work"/crashers/*.output
	exit 1
fi
