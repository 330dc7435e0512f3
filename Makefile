# Everything a user or contributor runs; each target sets up what it needs in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PEERS := .venv-peers
MUTANTS := .venv-mutants
CASES ?= 20000
SEED ?= 1
.DEFAULT_GOAL := help
.PHONY: help demo ui test soak mutants check format bench docs clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

demo: $(VENV)/.installed ## Anonymize the shipped Adult table and show what comes out
	$(BIN)/shoal demo

ui: $(VENV)/.installed-ui ## Open the workbench in the browser
	$(BIN)/shoal ui

test: $(VENV)/.installed-spark ## Run all tests
	$(BIN)/python -m pytest

soak: $(VENV)/.installed-spark ## Random cases through every way, checked by a second verifier (CASES=20000 SEED=1)
	$(BIN)/python tests/soak/soak.py --cases $(CASES) --seed $(SEED)

mutants: $(MUTANTS)/.installed ## Change the code that judges a release; count the changes that no test sees (20 minutes)
	$(MUTANTS)/bin/python scripts/mutants.py $(ONLY)

check: $(VENV)/.installed-dev ## Lint, check the format, the types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict src
	$(BIN)/python scripts/check_imports.py

format: $(VENV)/.installed-dev ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.installed-spark $(PEERS)/.installed $(PEERS)-pycanon/.installed $(PEERS)-full-domain/.installed ## Measure speed and loss beside other tools (minutes)
	$(BIN)/python benchmarks/mondrian.py --peers $(PEERS)/bin/python
	$(BIN)/python benchmarks/assess.py --pycanon $(PEERS)-pycanon/bin/python
	$(BIN)/python benchmarks/full_domain.py --peers $(PEERS)-full-domain/bin/python
	$(BIN)/python benchmarks/local_recoding.py --peers $(PEERS)/bin/python
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/any_size.py --growth
	$(BIN)/python benchmarks/spark.py
	$(BIN)/python benchmarks/workbench.py
	$(BIN)/python benchmarks/clustering.py
	$(BIN)/python benchmarks/course.py

docs: $(VENV)/.installed-docs ## Build the documentation into site/
	$(BIN)/mkdocs build --strict

clean: ## Remove what the targets above have made
	rm -rf $(VENV) $(MUTANTS) $(PEERS) $(PEERS)-pycanon $(PEERS)-full-domain .mutants site dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "shoal needs Python 3.11 or newer; name one: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@# The peer that assessments are compared with; its own pins would hold numpy and pandas back.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps pycanon==1.3.6 || \
		echo "pycanon is not to be had: the tests that compare with it are skipped"
	@touch $@ $(VENV)/.installed

# Half a gigabyte, so not a part of the development environment.
$(VENV)/.installed-spark: pyproject.toml $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[spark]' || \
		echo "pyspark is not to be had: the tests with Spark are skipped"
	@touch $@

$(VENV)/.installed-ui: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[ui]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@ $(VENV)/.installed

# mutmut wants an older pytest.
$(MUTANTS)/.installed: pyproject.toml
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,mutation]'
	@touch $@

# The other tools want older libraries, so they live in environments of their own; where they do not install, shoal is
# measured alone.
$(PEERS)/.installed: benchmarks/peers/requirements.txt
$(PEERS)-pycanon/.installed: benchmarks/peers/requirements-pycanon.txt
$(PEERS)-full-domain/.installed: benchmarks/peers/requirements-full-domain.txt
$(PEERS)/.installed $(PEERS)-pycanon/.installed $(PEERS)-full-domain/.installed:
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -r $< || rm -rf $(@D)/bin/python
	@touch $@
