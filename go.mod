module github.com/harden-input/harden

go 1.26
