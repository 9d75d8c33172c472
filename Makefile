.PHONY: build bench-peers generate

build:
	CGO_ENABLED=0 go build -trimpath -o harden ./cmd/harden

# Times ./harden against gzip, pigz, igzip and libdeflate-gzip: see
# internal/benchpeers. BENCH_FLAGS=-quick for a short run.
bench-peers: build
	go run ./internal/benchpeers $(BENCH_FLAGS)

generate:
	go generate ./...
