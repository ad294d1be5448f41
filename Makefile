# Everything that a person runs. Only Python 3.11, pip, make and git are needed; the rest goes into this folder.
# Paths are relative throughout, so that the folder may have spaces in its name.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help venv up demo verify replay test check format bench soak soak-live mutation lock clean
MAKEFLAGS += --no-print-directory

BIN := .venv/bin
ARGS ?=

# The first Python that runs and is new enough; a name on the path alone proves nothing (version switchers leave stubs).
PICK := for python in $(PYTHON) python3.11 python3 python3.12 python3.13 python3.14; do \
	if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then break; fi; python=; done; \
	if [ -z "$$python" ]; then echo "Python 3.11 or newer is needed, and none was found on the path. Install it, or name it: make PYTHON=/path/to/python3.11" >&2; exit 1; fi

help: ## Show this list
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile
	@echo "  ARGS='…' is passed on by demo, verify, replay, test, bench, soak, soak-live and mutation."

venv: ## Install everything into .venv (every other command does this by itself)
	@$(PICK); "$$python" .ci/environment.py

up: venv ## Start Postgres, Valkey and the API on this machine
	@exec $(BIN)/bohnanza up $(ARGS)

demo: venv ## Let clients play whole games over HTTP and re-check their histories
	@exec $(BIN)/bohnanza demo $(ARGS)

verify: venv ## Re-check finished games: ARGS='game.jsonl --keys keys.json', or ARGS=--all
	@exec $(BIN)/bohnanza verify $(ARGS)

replay: venv ## Step through a finished game in the terminal: ARGS=game.jsonl, or the id of a game
	@exec $(BIN)/bohnanza replay $(ARGS)

test: check ## Check the code, then run all tests (about ten minutes)
	@exec $(BIN)/python -m pytest -n auto --maxprocesses 4 $(ARGS)

check: venv ## Format, lint, types and import layers; changes nothing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: venv ## Format the code and mend what the linter can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: venv ## Measure, print a table and write bench.json
	@exec $(BIN)/bohnanza bench $(ARGS)

soak: venv ## Play 100,000 random games, each watched by the referee (half an hour on two cores)
	@exec $(BIN)/python -m tests.soak $(ARGS)

soak-live: venv ## Play 1,000 games that are followed live while everything fails that can (20 minutes)
	@exec $(BIN)/python -m tests.soak.live $(ARGS)

mutation: venv ## Test the tests of the rules: does one fail for each small change of domain? (ten minutes on two cores)
	@rm -rf mutants
	@exec nice $(BIN)/python .ci/mutation.py $(ARGS)

lock: venv ## Write requirements.lock anew from pyproject.toml (ARGS=--upgrade for newer versions)
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --extra dev --no-emit-index-url --cache-dir .cache/uv \
		--custom-compile-command "make lock" $(ARGS) --output-file requirements.lock pyproject.toml

clean: ## Remove everything that can be made again; keeps data/
	rm -rf .venv .cache dist mutants
	find domain infra services tests -type d -name __pycache__ -prune -exec rm -rf {} +
