#!/bin/bash -eu
# Builds the targets of fuzz/gofuzz into $OUT, for OSS-Fuzz and ClusterFuzzLite:
# each with seeds from the corpus, options and the dictionary of its format.
#
# HARDEN_DRY_RUN="FuzzGzipMeasure FuzzJSONChunks" builds these without the image
# of either service, out of HARDEN_SOURCE: go-fuzz-build and clang stand in for
# compile_go_fuzzer. See make fuzz-build.
cd "${HARDEN_SOURCE:-$SRC/harden}"

mapfile -t targets < <(sed -n 's/^func \(Fuzz[A-Za-z]*\)(data \[\]byte) int .*/\1/p' fuzz/gofuzz/gofuzz.go)
if [[ -n "${HARDEN_DRY_RUN:-}" ]]; then
	read -r -a targets <<<"$HARDEN_DRY_RUN"
	compile_go_fuzzer() {
		go tool go-fuzz-build -libfuzzer -tags "$4" -func "$2" -o "$OUT/$3.a" "$1"
		"${CXX:-clang++}" -fsanitize=fuzzer "$OUT/$3.a" -o "$OUT/$3"
		rm "$OUT/$3.a"
	}
fi
if [[ ${#targets[@]} -eq 0 ]]; then
	echo "no target is in fuzz/gofuzz/gofuzz.go" >&2
	exit 1
fi

for target in "${targets[@]}"; do
	compile_go_fuzzer github.com/harden-input/harden/fuzz/gofuzz "$target" "$target" gofuzz
	printf '[libfuzzer]\nmax_len = 65536\n' >"$OUT/$target.options"
done
# FuzzX_seed_corpus.zip and FuzzX.dict.
go run ./cmd/harden corpus export --layout libfuzzer --force --to "$OUT"
