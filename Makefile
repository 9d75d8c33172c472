GO ?= go
FUZZTIME ?= 10s
GOFUZZTIME ?= 20s
TARGET ?= FuzzGzipMeasure
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
PLATFORMS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64 wasip1/wasm

.PHONY: build demo test lint bench bench-peers bench-sandbox corpus-coverage fuzz wasm wasm-reactor man cross gofuzz fuzz-coverage fuzz-build probe-table bench-hosts generate clean

build:
	CGO_ENABLED=0 $(GO) build -trimpath -tags urfave_cli_no_docs -o harden ./cmd/harden

# What the tool is for, shown on payloads that it ships.
demo: build
	@sh internal/demo/demo.sh

# The hosts of the WASI module last: what was run there stands at the end.
test:
	$(GO) test ./...
	cd internal/hosttest && $(GO) test -timeout 20m

lint:
	@out=$$(gofmt -s -l .); if [ -n "$$out" ]; then echo "not gofmt -s clean:"; echo "$$out"; exit 1; fi
	$(GO) vet ./...
	GOARCH=386 $(GO) vet ./...
	GOOS=wasip1 GOARCH=wasm $(GO) vet ./...
	cd internal/jsonpeers && $(GO) vet ./... && $(GO) mod tidy -diff
	cd internal/probe/testdata/drivers && $(GO) vet ./... && $(GO) mod tidy -diff
	cd internal/hosttest && $(GO) vet ./... && $(GO) mod tidy -diff
	$(GO) run $(STATICCHECK) ./...
	$(GO) mod tidy -diff
	$(GO) generate ./...
	git diff --exit-code -- docs corpus
	@out=$$(git status --porcelain -- docs corpus); if [ -n "$$out" ]; then echo "generated files are not committed:"; echo "$$out"; exit 1; fi

# Engines beside other libraries; those that would burden users of the module
# are required by a module of their own.
bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...
	cd internal/jsonpeers && $(GO) test -run '^$$' -bench . -benchmem ./...

# The native program beside the WASI module under each host.
bench-hosts:
	cd internal/hosttest && $(GO) test -run '^$$' -bench . -benchtime 5x

# Whole programs, against gzip, pigz, igzip and libdeflate-gzip.
# BENCH_FLAGS=-quick for a short run.
bench-peers: build
	$(GO) run ./internal/benchpeers $(BENCH_FLAGS)

# How much of each engine the cases of the corpus alone reach.
corpus-coverage:
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	$(GO) test -run '^TestEngines' -coverpkg=./gzipcheck,./msgpackcheck,./jsoncheck,./internal/deflate ./corpus -args -test.gocoverdir="$$dir" >"$$dir/log" || { cat "$$dir/log"; exit 1; }; \
	$(GO) tool covdata percent -i "$$dir"

# Runs the decoders that are installed on the corpus, for docs/probe.md.
probe-table:
	$(GO) run ./internal/probetable

# What workers cost by what they share, in a table. BENCH_FLAGS='-payloads 10000'
# for the long run.
bench-sandbox: wasm-reactor
	$(GO) build -o build/benchsandbox ./internal/benchsandbox
	build/benchsandbox $(BENCH_FLAGS)

# Every fuzz target for FUZZTIME each.
fuzz:
	@sh internal/fuzztargets/run.sh $(FUZZTIME)

# One of them under dvyukov/go-fuzz, TARGET for GOFUZZTIME.
gofuzz:
	@sh internal/fuzztargets/gofuzz.sh $(TARGET) $(GOFUZZTIME)

# What structure-aware mutation covers that mutation of bytes does not.
fuzz-coverage:
	@sh internal/fuzztargets/coverage.sh 5000

# The build script of OSS-Fuzz and ClusterFuzzLite, as far as it goes without
# their image, and what it builds under libFuzzer. It needs clang.
fuzz-build:
	@rm -rf build/oss-fuzz && mkdir -p build/oss-fuzz/seeds
	HARDEN_DRY_RUN=$(TARGET) HARDEN_SOURCE=$(CURDIR) OUT=$(CURDIR)/build/oss-fuzz fuzz/oss-fuzz/build.sh
	@unzip -q build/oss-fuzz/$(TARGET)_seed_corpus.zip -d build/oss-fuzz/seeds
	cd build/oss-fuzz && dict=$(TARGET).dict && ./$(TARGET) $$(test ! -e $$dict || echo -dict=$$dict) \
		-max_len=65536 -max_total_time=10 -print_final_stats=1 seeds >log 2>&1; \
		status=$$?; grep -v '^#' log; exit $$status

wasm:
	@mkdir -p build
	GOOS=wasip1 GOARCH=wasm $(GO) build -trimpath -ldflags='-s -w' -tags urfave_cli_no_docs -o build/harden.wasm ./cmd/harden
	@ls -l build/harden.wasm

# The module for hosts that keep an instance: see docs/reactor.md.
wasm-reactor:
	@mkdir -p build
	GOOS=wasip1 GOARCH=wasm $(GO) build -trimpath -buildmode=c-shared -ldflags='-s -w' -o build/harden-reactor.wasm ./cmd/harden-reactor
	@ls -l build/harden-reactor.wasm

man:
	@mkdir -p build
	$(GO) run -tags harden_man ./cmd/harden > build/harden.1

# Every platform that harden is released for.
cross:
	@set -e; for p in $(PLATFORMS); do \
		echo "build $$p"; \
		CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build -o /dev/null ./...; \
	done

generate:
	$(GO) generate ./...

clean:
	rm -rf harden build
