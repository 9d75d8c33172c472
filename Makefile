GO ?= go
FUZZTIME ?= 10s
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
PLATFORMS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64 wasip1/wasm

.PHONY: build demo test lint bench bench-peers bench-sandbox probe-table corpus-coverage fuzz wasm wasm-reactor man cross generate clean

build:
	CGO_ENABLED=0 $(GO) build -trimpath -tags urfave_cli_no_docs -o harden ./cmd/harden

# What the tool is for, shown on payloads that it ships.
demo: build
	@sh internal/demo/demo.sh

# The hosts of the WASI module last: what was run there stands at the end.
test:
	$(GO) test ./...
	cd internal/hosttest && $(GO) test

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

# Whole programs, against gzip, pigz, igzip and libdeflate-gzip.
# BENCH_FLAGS=-quick for a short run.
bench-peers: build
	$(GO) run ./internal/benchpeers $(BENCH_FLAGS)

# Runs the decoders that are installed on the corpus, for docs/probe.md.
probe-table:
	$(GO) run ./internal/probetable

# How much of each engine the cases of the corpus alone reach.
corpus-coverage:
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	$(GO) test -run '^TestEngines' -coverpkg=./gzipcheck,./msgpackcheck,./jsoncheck,./internal/deflate ./corpus -args -test.gocoverdir="$$dir" >"$$dir/log" || { cat "$$dir/log"; exit 1; }; \
	$(GO) tool covdata percent -i "$$dir"

# Every fuzz target for FUZZTIME each.
fuzz:
	@sh internal/fuzztargets/run.sh $(FUZZTIME)

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
