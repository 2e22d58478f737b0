# make run         build all and serve on http://127.0.0.1:8080, with the data in ./footfall-data
# make build       build ./footfall
# make test        everything, as CI runs it; installs what it needs and says so
# make test-long   the same tests with the figures of a long run
# make bench       the store against DuckDB, N=20000000 events by default
# make bench-http  the service over HTTP against a bare handler, N=20000000 events by default
# make fmt         format the code

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

BIN ?= ./footfall
VERSION = $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
N ?= 20000000
GO_TEST := go test -race -timeout 20m
CGO_FREE := CGO_ENABLED=0

.PHONY: help run build test test-long check unit bench-test bench bench-http fmt tools

help:
	@grep '^# make' Makefile | sed 's/^# //'

# What listens where, and where the data is, are the settings' defaults; FOOTFALL_LISTEN and FOOTFALL_DATA_DIR change them.
run: build
	@$(BIN) serve

build:
	@$(CGO_FREE) go build -trimpath -ldflags '-X footfall/internal/app.version=$(VERSION)' -o $(BIN) .

test: tools check unit bench-test
	@echo "all tests passed"

test-long: export FOOTFALL_TEST_LONG = 1
test-long: GO_TEST = go test -timeout 24h
test-long: tools check unit bench-test

# The race detector and the comparison with DuckDB need a C compiler, the examples in the README curl; the product does not.
tools:
	@tools/need gcc gcc libc6-dev g++
	@tools/need curl curl

check:
	@unformatted=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(CGO_FREE) go vet ./...
	$(CGO_FREE) go build ./...
	@tools/lint-api

# The race detector makes the largest tests smaller: crash images, faults and junk run once more without it, in full.
unit:
	tools/with-postgres $(GO_TEST) ./...
	go test -timeout 20m -skip 'TestScripts|TestGenerated' ./internal/store/segments ./internal/journal

bench-test:
	cd bench && go vet ./... && go test -timeout 10m ./...

bench: tools
	cd bench && go run . -n $(N) -results results

bench-http: tools
	@tools/need wrk wrk
	cd bench && go run . http -n $(N) -results results

fmt:
	gofmt -w $$(git ls-files -co --exclude-standard '*.go')
