# Needs python3 (3.11 or later) and make; everything else is installed into .venv.
# PYTHON=python3.12 chooses another Python; PYTEST_ARGS="-n 0 -k rounding" goes to pytest.

BIN = .venv/bin
PYTEST_ARGS ?= -n 3# of two processors: browsers, servers and databases are waited for

# The tests of a file stay in one process: what they share is made once.
BY_FILE = --dist loadfile --no-loadscope-reorder

# Tests start Python hundreds of times: each process would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup run docs test test-deep mutation bench bench-quick audit release format clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

setup: ## create or renew .venv, with the arpad command in .venv/bin
	@tools/setup

run: setup ## show Arpad at work on an example
	@$(BIN)/python tools/run_example.py

docs: setup ## build the documentation site in build/docs
	@tools/setup tools
	@$(BIN)/python -m tools.docs $(DOCS_ARGS)

test: setup ## check style and types, then run the tests
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy & types=$$!; $(BIN)/python -m pytest $(BY_FILE) $(PYTEST_ARGS); tests=$$?; \
	wait $$types || { echo "The types do not hold: mypy said so above."; exit 1; }; exit $$tests

test-deep: setup ## run the tests that take minutes; FUZZ_SECONDS=300 fuzzes every reader so long
	@tools/setup fuzzer tools
	@ARPAD_DEEP=1 $(BIN)/python -m pytest -m deep $(PYTEST_ARGS)

mutation: setup ## put small faults into the modules that make ratings; every one must fail a test
	@$(BIN)/python -m tests.mutation $(MUTATION_ARGS)

bench: setup ## measure speed against the floors; the last line has the ratios
	@$(BIN)/python benchmarks/run.py $(BENCH_ARGS)

bench-quick: setup ## the same on smaller sizes, in some minutes
	@$(BIN)/python benchmarks/run.py --quick

audit: ## ask for known faults in the pinned packages
	@tools/audit

release: setup ## VERSION=1.2.3: tag it, with wheel, source archive, list of parts and checksums in dist
	@tools/setup tools
	@$(BIN)/python tools/release.py $(VERSION)

format: setup ## put the source into the project's form
	@$(BIN)/ruff check --fix --exit-zero
	@$(BIN)/ruff format

clean: ## remove everything that make and the tests have made
	@rm -f .venv/.packages .venv/.project
	@rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
