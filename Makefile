# Every target does all its own set-up in .venv; the second time it starts at once.
# Another Python: make PYTHON=python3.12 test. Part of the tests: make test TESTS=tests/rules.

PYTHON ?= python3
TESTS ?= tests
# More than there are processors: tests also wait, for mail, clocks and processes. A whole run waits more.
WORKERS ?= $(shell echo $$(($$(nproc) + $(if $(CI),2,1))))

SPREAD := --numprocesses=$(WORKERS) --maxprocesses=8 --dist=worksteal

BIN := .venv/bin
PINS := PIP_CONSTRAINT=$(CURDIR)/constraints.txt PIP_BUILD_CONSTRAINT=$(CURDIR)/constraints.txt
INSTALL := $(PINS) $(BIN)/python -m pip install --quiet --disable-pip-version-check

# pytest prepares the tests once, and keeps that beside them; without, each worker of a run prepares them all.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test quick cover soak shots lint release

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' Makefile

run: .venv/.run  ## start everything on this machine: mail, web pages, mailroom
	@$(BIN)/pbem serve

test: .venv/.test  ## run the tests in short; CI=true runs all, RELEASE=true at full length
	@$(BIN)/python -m pytest $(SPREAD) $(TESTS)

quick: .venv/.test  ## run the tests that reach what has changed since the last time
	@$(BIN)/python -m pytest --testmon $(SPREAD) $(TESTS)

cover: .venv/.test  ## choose the tests that run on PostgreSQL too; for new ones: TESTS=tests/store
	@$(BIN)/python -m tests.cover $(filter-out tests,$(TESTS))

soak: .venv/.test  ## play for ten minutes on each database while everything fails
	@$(BIN)/python -m tests.soak

shots: .venv/.test  ## take pictures of every web page, into var/shots
	@$(BIN)/python -m tests.web.shots var/shots

lint: .venv/.lint  ## check style and types
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy

release:  ## make wheel, sdist, SBOM and checksums of the tag that this clone stands on
	@PYTHON=$(PYTHON) deploy/release

.venv/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "pbem needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1)." >&2; \
	  echo "If you have a newer one, name it: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv is missing. On Debian and Ubuntu, type:  sudo apt-get install python3-venv" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	@touch $@

.venv/.run: .venv/.made pyproject.toml constraints.txt
	@echo "Installing into .venv (once, about a minute) ..."
	@$(INSTALL) --editable '.[bots]'
	@touch $@

.venv/.test: .venv/.run
	@echo "Installing what the tests need ..."
	@$(INSTALL) --editable '.[test]'
	@$(BIN)/python -m pytest --collect-only >/dev/null
	@$(BIN)/python -m tests.kernels
	@touch $@

.venv/.lint: .venv/.run
	@echo "Installing what the checks need ..."
	@$(INSTALL) --editable '.[lint]'
	@touch $@
