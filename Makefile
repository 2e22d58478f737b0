# make run         build all and serve on http://127.0.0.1:8080, with the data in ./footfall-data
# make build       build ./footfall
# make test        everything, as CI runs it; installs what it needs and says so
# make test-long   the same tests with the figures of a long run
# make bench       the store against DuckDB, N=20000000 events by default
# make bench-http  the service over HTTP against a bare handler, N=20000000 events by default
# make bench-collect  hits over HTTP against a bare handler
# make bench-reports  hits over HTTP while reports are built
# make e2e         the tracker and the dashboard in Chromium, against the binary; FOOTFALL_BIG=dir measures the dashboard on that data too
# make screenshots the pictures in docs/, from the demo
# make bench-steady   half of the hits that it takes for 30 minutes, and its memory in each
# make fuzz        each parser of what comes from outside gets junk for FUZZ=10m
# make fmt         format the code

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

BIN ?= ./footfall
VERSION = $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
N ?= 20000000
FUZZ ?= 10m
# Nothing is built for debuggers: a first build takes a fifth less time, and the binary is 5 MB smaller. Traces of panics and
# profiles are as ever. Names are looked up by Go and not by C, as without cgo: what is built with and without it is the same.
# Both are in the environment for the tests that build the binary too.
BARE := -dwarf=false
export GOFLAGS := $(strip $(shell go env GOFLAGS) -gcflags=all=$(BARE) -tags=netgo,osusergo)
# SQLite is C, translated: the race detector watches the driver and all above it. To watch the C too took most of the time
# of the tests that have a database: 106 s of processor time instead of 68 s in internal/httpapi.
UNWATCHED := modernc.org/sqlite/lib modernc.org/libc
TIMEOUT := 20m
GO_TEST = go test -race $(foreach p,$(UNWATCHED),-gcflags='$(p)=$(BARE) -race=false -d=checkptr=0')
CGO_FREE := CGO_ENABLED=0
# Of what only these tests are built of, a third of a first build, nobody wants the compiler to make it fast.
ONLY_TESTS := $(addprefix github.com/,apache/arrow-go/v18/... apache/thrift/... goccy/go-json/... andybalholm/brotli/... parquet-go/parquet-go) google.golang.org/...
LIGHTLY := $(foreach p,$(ONLY_TESTS),-gcflags='$(p)=$(BARE) -N -l')
SIDE_BY_SIDE := --no-print-directory --output-sync=target

.PHONY: help run build test test-long check lint race full system e2e screenshots browser web-test bench-test bench bench-http bench-collect bench-reports bench-steady fuzz fmt tools places

help:
	@grep '^# make' Makefile | sed 's/^# //'

# What listens where, and where the data is, are the settings' defaults; FOOTFALL_LISTEN and FOOTFALL_DATA_DIR change them.
run: build
	@$(BIN) serve

build: web/dist/index.html places
	@$(CGO_FREE) go build -trimpath -ldflags '-X footfall/internal/app.version=$(VERSION)' -o $(BIN) .

# The dashboard, from npm's packages and web/src; again only when one of them is newer than what was built.
WEB = $(shell find web/src web/tools web/index.html web/vite.config.ts web/tsconfig.json -type f -not -path 'web/src/generated/*' -not -name schema.d.ts)
NPM = $(addsuffix /node_modules/.package-lock.json,web tracker test/e2e)
web/dist/index.html: web/node_modules/.package-lock.json api/openapi.yaml $(WEB)
	@echo "building the dashboard into web/dist"
	@cd web && npm run --silent build

$(NPM): %/node_modules/.package-lock.json: %/package.json %/package-lock.json
	@tools/need npm nodejs npm
	@echo "installing what $* is built or tested with from npm into $*/node_modules"
	@cd $* && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

# The database of places that the binary embeds; without a network the build goes on, and says so.
places:
	@tools/places

# First what all the others need. Then stages run side by side, as much of them is waiting: the race detector has a build of
# its own; the others go on with what the binary was built of, so they wait for it. What a stage prints comes when it ends.
test:
	@$(MAKE) -j3 $(SIDE_BY_SIDE) places web/dist/index.html lint
	@$(MAKE) -j3 $(SIDE_BY_SIDE) race e2e check system full bench-test web-test AFTER=build
	@echo "all tests passed"

unexport AFTER
check full bench-test: | $(AFTER)

test-long: export FOOTFALL_TEST_LONG = 1
test-long: GO_TEST = go test
test-long: TIMEOUT = 24h
test-long: tools web-test check lint race system e2e bench-test bench-steady fuzz

# The race detector and the comparison with DuckDB need a C compiler, the examples in the README curl, the accounts of an
# installation with many nodes PostgreSQL; the product does not.
tools:
	@tools/need gcc gcc libc6-dev g++
	@tools/need curl curl
	@tools/need pg_ctlcluster postgresql

check: places web/dist/index.html
	@unformatted=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(CGO_FREE) go vet -trimpath $(LIGHTLY) ./...
	$(CGO_FREE) go build -trimpath ./...

lint:
	@tools/lint-api

# What runs the binary as it is shipped: of these tests the race detector would see the test alone.
OF_THE_BINARY = $(shell go list ./test/... | grep -v /kill_store)

# The tests that take longest come first, so that none is left to run alone, and all of them after those in the browser, of
# which only one runs at a time. What is wrong without running, check finds.
race: tools places web/dist/index.html
	nice -n 5 tools/with-postgres $(GO_TEST) -timeout $(TIMEOUT) -p 3 -vet=off ./internal/store/... ./internal/httpapi $(filter-out $(OF_THE_BINARY),$(shell go list ./...))

# The race detector makes the largest tests of the store smaller: crash images, faults and junk run once more without it, in full.
full: places web/dist/index.html
	$(CGO_FREE) go test -trimpath $(LIGHTLY) -vet=off -timeout $(TIMEOUT) -skip 'TestScripts|TestGenerated' ./internal/store/segments

system: build tools
	FOOTFALL_BINARY=$(abspath $(BIN)) $(CGO_FREE) go test -trimpath $(LIGHTLY) -vet=off -timeout $(TIMEOUT) $(OF_THE_BINARY)

# With Debian's Chromium; npm brings no browser of its own.
e2e: build browser
	cd test/e2e && FOOTFALL_BINARY=$(abspath $(BIN)) npm test --silent

screenshots: build browser
	cd test/e2e && FOOTFALL_BINARY=$(abspath $(BIN)) npm run --silent screenshots

browser: $(NPM)
	@tools/need chromium chromium

# Also how large the built dashboard may be.
web-test: web/dist/index.html
	cd web && npm test --silent

bench-test: tools
	cd bench && go vet -trimpath ./... && go test -trimpath -vet=off -timeout 10m ./...

bench: tools places
	cd bench && go run . -n $(N) -results results

bench-http: tools places
	@tools/need wrk wrk
	cd bench && go run . http -n $(N) -results results

bench-collect: tools places
	@tools/need wrk wrk
	cd bench && go run . collect -results results

bench-reports: tools places
	cd bench && go run . reports -results results

bench-steady: tools places
	@tools/need wrk wrk
	cd bench && go run . collect -minutes 30 -results results

fuzz: tools
	@grep -ro --include='*_test.go' '^func Fuzz[A-Za-z0-9]*' internal | sed 's|/[^/]*:func | |' | while read -r dir name; do \
		echo "$$name in $$dir"; go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZ) "./$$dir" </dev/null; done

fmt:
	gofmt -w $$(git ls-files -co --exclude-standard '*.go')
