# `make bench` and `make test` are the two main commands. They first install everything that is missing.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

BENCH_FLAGS ?=
# For `make gate`: the revision to compare with, a suite (empty for the suites that run without being named), and further options.
BASE ?=
SUITE ?=
GATE_FLAGS ?=

# Makes `make` end with the exit status of a bench; see scripts/make-status.c.
STATUS := .build-make/status
-load .build-make/status.so
.build-make/status.so: scripts/make-status.c
	@mkdir -p $(@D) && $$(command -v cc || echo clang) -shared -fPIC -O1 -o $@ $<

PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: help setup models build bench bench-run gate gate-run test prove lab peers peers-view benchmarks format lint docs interface install uninstall deb release clean

help: ## What there is to make.
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

setup: ## Install the Debian packages that are missing.
	@scripts/setup

models: setup ## Fetch what recognises text (OpenVINO, PP-OCRv6) into .build-models/.
	@scripts/models

build: setup ## Build the release executables into bin/.
	@{ scripts/models || echo "make: no text recognition models; scan uses Tesseract" >&2; } & \
	status=0; scripts/build || status=$$?; wait; exit $$status

bench: bench-run ## Run the main job on the bundled corpora; reports/<run>/report.html.
	@$(exit-status $(shell cat $(STATUS)))
	@test ! -s $(STATUS)

bench-run: build
	@: > $(STATUS); bin/swiftwing bench $(BENCH_FLAGS) || echo $$? > $(STATUS)

gate: gate-run ## Compare the working tree with BASE=REF by turns [SUITE=NAME]; 1 regressed, 3 inconclusive.
	@$(exit-status $(shell cat $(STATUS)))
	@test ! -s $(STATUS)

gate-run: build
	@: > $(STATUS); scripts/gate '$(BASE)' $(if $(SUITE),--suite $(SUITE)) $(GATE_FLAGS) || echo $$? > $(STATUS)

test: setup ## Run every test, the checks of the command line and the pages, and the device lab's.
	@scripts/setup lab/packages scripts/check-packages
	@scripts/test

prove: build ## Run the night's proofs; reports/proved.md says what passed when, on which commit.
	@scripts/setup lab/packages scripts/check-packages
	@scripts/prove

lab: build ## Run the scenarios on real drivers in the device lab; reports/lab-<run>/report.html.
	@scripts/setup lab/packages
	@lab/suite

peers: build ## Compare `swiftwing photo` with the programs by which people make photos smaller.
	@scripts/setup Benchmarks/packages
	@bin/swiftwing bench --suite peers-photo --profile strict

peers-view: build ## Compare how late a camera is in the viewfinder's page and in that of ustreamer.
	@scripts/peers-view

benchmarks: setup ## Measure the libraries by themselves.
	@scripts/benchmarks

format: ## Format all Swift sources in place.
	@swift format --configuration .swift-format -i -r Package.swift Sources Tests Benchmarks/Benchmarks Benchmarks/Sources Benchmarks/Package.swift Fuzzing/Sources Fuzzing/Package.swift Examples/Sources Examples/Package.swift

lint: ## Say what `make format` would change, and which types share a name.
	@scripts/names
	@swift format lint --strict --configuration .swift-format -r Package.swift Sources Tests Benchmarks/Benchmarks Benchmarks/Sources Benchmarks/Package.swift Fuzzing/Sources Fuzzing/Package.swift Examples/Sources Examples/Package.swift

docs: setup ## The documentation of the libraries, into .build-docs/.
	@scripts/docs

interface: build docs ## Write the public interface anew into docs/interface/, when each change of it is meant.
	@scripts/interface --write

install: ## Install what `make build` has built, below PREFIX (/usr/local) of DESTDIR.
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install

uninstall: ## Remove what `make install` has installed there.
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install --uninstall

deb: build ## The Debian package, into .build-deb/.
	@scripts/setup packaging/packages
	@scripts/deb

release: ## The packages, tarballs, checksums and bill of materials of a version, as root, into .build-release-files/.
	@scripts/release

clean: ## Remove everything built.
	@rm -rf .build .build-* bin Benchmarks/.build
