#!/bin/sh
# Shows the main job on payloads of the corpus: what they say of themselves, and
# what harden says of them. Fails where a verdict is not the expected one.
set -u

show() { # expected exit code, arguments of harden inspect
	want=$1
	shift
	echo "\$ harden inspect $*"
	./harden inspect "$@" 2>&1
	got=$?
	echo "exit code $got"
	echo
	if [ "$got" -ne "$want" ]; then
		echo "demo: expected exit code $want" >&2
		exit 1
	fi
}

show 1 corpus/gzip/isize-4g.gz
show 1 corpus/gzip/bomb-2m.gz --limit gzip.max-decompressed-size=1MiB
show 1 corpus/gzip/deflate-cut.gz
show 1 corpus/msgpack/array32-4g.msgpack
show 1 corpus/gzip/msgpack-nested-promises.msgpack.gz
show 1 corpus/gzip/json-depth.json.gz
show 0 corpus/gzip/bgzf.gz
