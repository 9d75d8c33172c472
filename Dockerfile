# An image of harden and nothing else:
#   docker build -t harden .
#   docker run --rm -i harden inspect - < payload
#   docker run --rm --read-only --network none -v "$PWD:/src:ro" harden inspect /src/payload.json
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
ARG TARGETOS
ARG TARGETARCH
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags='-s -w' -tags urfave_cli_no_docs -o /harden ./cmd/harden

FROM scratch
COPY --from=build /harden /harden
COPY LICENSE /LICENSE
USER 65532:65532
ENTRYPOINT ["/harden"]
CMD ["--help"]
