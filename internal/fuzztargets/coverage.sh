#!/bin/sh
# Prints what two kinds of mutation cover of the engines after the same number
# of inputs, from the same seeds: bytes, and the structure of package mutate.
set -eu
executions=${1:?usage: coverage.sh EXECUTIONS}
kit=$(mktemp -d)
trap 'rm -rf "$kit"' EXIT
module=$(go list -m)

for kind in Bytes Structure; do
	go test -count 1 -run "^TestCoverageOf$kind\$" -coverprofile "$kit/$kind" \
		-coverpkg "$module/gzipcheck,$module/internal/deflate,$module/msgpackcheck" ./fuzz -args -executions "$executions" >"$kit/log" ||
		{ cat "$kit/log"; exit 1; }
done
echo "statements covered after $executions inputs of each format"
for package in gzipcheck internal/deflate msgpackcheck; do
	for kind in Bytes Structure; do
		awk -v of="$module/$package/" -v kind=$kind '
			index($1, of) == 1 { if (!($1 in of_block)) { of_block[$1] = $2; all += $2 } if ($3 > 0 && !hit[$1]++) got += $2 }
			END { printf "%s %d of %d (%.1f %%)  ", kind, got, all, 100 * got / all }' "$kit/$kind"
	done
	echo "$package"
done
