# `make help` documents itself: a target's line with two hashes is its help.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 4
SEED := $(or $(SEED),$(shell od -An -N4 -tu4 /dev/urandom | tr -d ' '))
ALONE := tests/http/test_attacks.py tests/recovery/test_many_writers.py
BROWSER := tests/console
PYTEST = $(BIN)/python -m pytest --randomly-seed=$(SEED)
PYTESTS = $(PYTEST) -n $(WORKERS) --dist worksteal $(ALONE:%=--ignore=%) --ignore=$(BROWSER)
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: help setup console demo test test-all test-console test-fast lint format bench serve doctor generate lock clean

help: ## show this help
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

$(VENV)/.runtime: requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --require-hashes -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q gateway memory
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime requirements-dev.lock
	$(PIP) install --require-hashes -r requirements-dev.lock
	@touch $@

setup: $(VENV)/.runtime ## make .venv with the command .venv/bin/anamnesis

$(VENV)/.console: $(VENV)/.runtime console/requirements.lock
	$(PIP) install --require-hashes -r console/requirements.lock
	@touch $@

console: $(VENV)/.console ## build the console's page, which `make serve` shows at /console/, unless it is fresh
	$(BIN)/python console/build.py

demo: setup ## play a scripted triage conversation through a real gateway, and show what it remembers
	$(BIN)/python -m gateway.commands.demo

test: $(VENV)/.dev ## run the tests of some minutes, and some of each long grid (SEED=<n> draws the same again)
	$(PYTESTS) -m "not long" $(ARGS)
	$(PYTEST) -m "not long" $(ALONE) $(ARGS) || test $$? = 5 # none is chosen by ARGS

test-all: test ## run all tests: after `test` what it leaves out (needs a Weaviate: built once, by Go)
	-$(BIN)/python tests/weaviate_build.py
	$(PYTESTS) -m long $(ARGS)
	$(PYTEST) -m long $(ALONE) $(ARGS) || test $$? = 5

test-console: $(VENV)/.dev $(VENV)/.console ## test the console, in a Chromium too (apt install chromium fonts-noto-cjk)
	$(BIN)/python console/build.py test
	$(PYTEST) -n $(WORKERS) --dist worksteal $(BROWSER) $(ARGS)

test-fast: $(VENV)/.dev ## run the unit tests alone
	$(BIN)/python -m pytest tests/unit $(ARGS)

lint: $(VENV)/.dev ## check style, types, architecture and sizes
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --strict benchmarks
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tests.ratchet

format: $(VENV)/.dev ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.dev ## measure speed and memory, each beside its baseline (ARGS="--quick" for a short run)
	$(BIN)/python -m benchmarks $(ARGS)

serve: setup ## run a gateway on http://127.0.0.1:8077, with the console at /console/
	@$(BIN)/python console/build.py fresh || $(MAKE) --no-print-directory console || echo "going on with the console as it is, if it is there"
	$(BIN)/anamnesis serve

doctor: setup ## check what a gateway would run on
	$(BIN)/anamnesis doctor

generate: setup ## write what is made from the code: the client stub, docs/reference.md
	$(BIN)/python -m gateway.client_stub
	$(BIN)/python -m gateway.reference
	$(BIN)/python -m gateway.console.typescript

lock: $(VENV)/.console ## write the lock files anew (needs uv)
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --extra build pyproject.toml -o requirements.lock
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --extra build --extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header console/requirements.in -o console/requirements.lock
	$(BIN)/python console/build.py lock

clean: ## remove what was built
	rm -rf $(VENV) build dist console/node_modules gateway/console/page .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
