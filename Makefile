# Whetstone. `make help` lists the targets; each does its own set-up in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
HOME_FOLDER ?=
WORKERS ?= 2
UP = $(BIN)/python manage.py up --port $(PORT) $(if $(HOME_FOLDER),--home $(HOME_FOLDER)) $(ARGS)

.DEFAULT_GOAL := help
.PHONY: help setup run test lint bench bench-ingest prove clean

help:  ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# A change of the dependency files makes the environment anew.
$(VENV)/.run: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Whetstone needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try make PYTHON=python3.12 run"; exit 1; }
	@echo "Setting up $(VENV): about two minutes the first time."
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

setup: $(VENV)/.dev  ## Make the virtual environment with everything for development

run: $(VENV)/.run  ## Run the whole product with the demo (PORT=8000, ARGS="--no-demo")
	@$(UP)

test: $(VENV)/.dev lint  ## Run every test (WORKERS=2)
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup $(ARGS)

lint: $(VENV)/.dev  ## Check style, types, templates and who imports whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	git ls-files -z 'templates/*.html' | xargs -0 $(BIN)/djade --target-version 5.2 --check
	$(BIN)/lint-imports --no-logo
	$(BIN)/mypy reviewer issues prompts

bench: $(VENV)/.dev  ## Measure start-up and pages, as ratios within one run
	$(BIN)/python -m tests.bench.pages

bench-ingest: $(VENV)/.dev  ## Measure the intake beside Phoenix and MLflow (ARGS="--skip-peers")
	$(BIN)/python -m tests.bench.ingest $(ARGS)

prove: $(VENV)/.dev  ## Full-size chaos, fuzzing and scale runs (the tests run a seeded tenth)
	WHETSTONE_PROVE=1 $(BIN)/python -m pytest -m prove $(ARGS)

clean:  ## Remove the environment and the caches, not the state in .whetstone
	rm -rf $(VENV) .venv-clients .mypy_cache .ruff_cache .import_linter_cache *.egg-info build
