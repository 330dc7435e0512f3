# Everything a user or contributor runs; each target sets up what it needs in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PEERS := .venv-peers
MUTANTS := .venv-mutants
TOOLS := .venv-tools
PIP := -m pip install --quiet --disable-pip-version-check
# Let pytest keep what it compiles of the tests.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest
SIDE_BY_SIDE := -m 'not alone' -n auto
ALONE := -m alone $(shell grep -rl mark.alone tests --include='test_*.py')
CASES ?= 20000
SEED ?= 1
WHEEL_PYTHONS ?= $(PYTHON)
# Of Debian, for the Python that each has: bookworm 3.11, trixie 3.13.
ARM64_RELEASES ?= bookworm
.DEFAULT_GOAL := help
.PHONY: help demo ui test test-all soak fuzz faults mutants verifier wheel wheel-arm64 check format bench docs lock audit sbom lowest clean

help: ## Show this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-11s %s\n", $$1, $$2}'

demo: $(VENV)/.installed ## Anonymize the shipped Adult table and show the result
	$(BIN)/shoal demo

ui: $(VENV)/.installed-ui ## Open the workbench in the browser
	$(BIN)/shoal ui

test: $(VENV)/.installed-spark ## Run the tests, with a share of the random examples (minutes)
	$(PYTEST) $(SIDE_BY_SIDE)
	$(PYTEST) $(ALONE)

test-all: $(VENV)/.installed-spark ## Run all tests in all their depth, as before a release
	$(PYTEST) --depth=all $(SIDE_BY_SIDE)
	$(PYTEST) --depth=all $(ALONE)

soak: $(VENV)/.installed-spark ## Run random cases through every engine and interface, checked by a second verifier (CASES=20000 SEED=1)
	$(BIN)/python tests/soak/soak.py --cases $(CASES) --seed $(SEED)
	$(BIN)/python tests/soak/soak.py --cases $(CASES) --seed $(SEED) --people

faults: $(VENV)/.installed-spark ## Kill, interrupt and starve runs at every step, in every writer (minutes)
	SHOAL_FAULTS=1 $(BIN)/python -m pytest tests/faults

fuzz: $(VENV)/.installed-spark ## Feed damaged files to every parser, then files of excessive size (CASES=20000 SEED=1)
	$(BIN)/python tests/fuzz/fuzz.py --cases $(CASES) --seed $(SEED)
	SHOAL_LARGE=1 $(BIN)/python -m pytest tests/properties/test_limits.py

verifier: ## Build the second verifier as one file for auditors, dist/second_verifier.pyz
	$(PYTHON) tests/oracles/build_verifier.py dist/second_verifier.pyz

mutants: $(MUTANTS)/.installed ## Mutate the code that judges a release; count the mutants that no test catches (20 minutes)
	$(MUTANTS)/bin/python scripts/mutants.py $(ONLY)

wheel: ## Build wheels into dist/: one for any Python, and one with compiled kernels for each of WHEEL_PYTHONS (minutes)
	$(PYTHON) scripts/build_wheel.py dist $(WHEEL_PYTHONS)

wheel-arm64: ## Build the same for arm64 Linux, which is emulated, for the Pythons of ARM64_RELEASES of Debian (minutes)
	pythons=$$($(PYTHON) scripts/arm64_python.py .arm64 $(ARM64_RELEASES)) && \
		$(PYTHON) scripts/build_wheel.py dist $$pythons

check: $(VENV)/.installed-dev ## Lint, check the format, the types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict src
	$(BIN)/python scripts/check_imports.py

format: $(VENV)/.installed-dev ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.installed-spark $(PEERS)/.installed $(PEERS)-pycanon/.installed $(PEERS)-full-domain/.installed ## Measure speed and loss beside other tools, and write the figures into the pages (up to an hour; ONLY=mondrian)
	$(BIN)/python benchmarks/run.py $(ONLY)

docs: $(VENV)/.installed-docs ## Build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "to read it, with search: $(PYTHON) -m http.server -d site"

lock: $(TOOLS)/.installed ## Pin the newest versions that fit, in locks/
	$(TOOLS)/bin/uv pip compile --quiet --upgrade $(COMPILE) pyproject.toml -o locks/core.txt
	$(TOOLS)/bin/uv pip compile --quiet --upgrade $(COMPILE) --extra dev pyproject.toml -o locks/development.txt
	$(TOOLS)/bin/uv pip compile --quiet --upgrade $(COMPILE) --extra spark -c locks/development.txt pyproject.toml -o locks/spark.txt

audit: $(TOOLS)/.installed ## Check everything that is pinned for known vulnerabilities
	$(TOOLS)/bin/python scripts/audit.py $(TOOLS)/bin/pip-audit

sbom: $(TOOLS)/.installed ## Write dist/shoal.cdx.json, the bill of materials of an installed shoal (CycloneDX)
	$(TOOLS)/bin/uv venv --quiet --clear --python $(PYTHON) .venv-core
	$(TOOLS)/bin/uv pip install --quiet --python .venv-core --require-hashes -r locks/core.txt
	$(TOOLS)/bin/uv pip install --quiet --python .venv-core --no-deps .
	@mkdir -p dist
	$(TOOLS)/bin/cyclonedx-py environment .venv-core --pyproject pyproject.toml --output-reproducible -o dist/shoal.cdx.json

lowest: $(TOOLS)/.installed ## Try the oldest versions that pyproject.toml allows
	$(TOOLS)/bin/uv venv --quiet --clear --python $(PYTHON) .venv-lowest
	$(TOOLS)/bin/uv pip install --quiet --python .venv-lowest --resolution lowest-direct --editable '.[dev]'
	.venv-lowest/bin/python tests/same_bytes.py
	.venv-lowest/bin/python -m pytest -o filterwarnings= tests/contract tests/cli tests/properties/test_bad_input.py tests/release/test_release.py

clean: ## Remove what the targets above made
	rm -rf $(VENV) $(VENV)-* .mutants .arm64 site dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "shoal needs Python 3.11 or newer; name one: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python $(PIP) --editable .
	@touch $@

# The pinned versions; if they have no files for this Python, the newest that fit.
$(VENV)/.installed-dev: pyproject.toml locks/development.txt | $(VENV)/bin/python
	$(BIN)/python $(PIP) --require-hashes -r locks/development.txt || \
		echo "the pinned versions are not available for this Python: installing the newest that fit"
	$(BIN)/python $(PIP) --editable '.[dev]'
	@# Assessments are compared with pycanon; its own pins would hold numpy and pandas back.
	$(BIN)/python $(PIP) --no-deps pycanon==1.3.6 || \
		echo "pycanon is not available: skipping the tests that compare with it"
	@# Attacks are compared with anonymeter, whose own pins would hold numpy and pyarrow back.
	$(BIN)/python $(PIP) --no-deps anonymeter==1.1.0 || \
		echo "anonymeter is not available: skipping the tests that compare with it"
	@touch $@ $(VENV)/.installed

# Half a gigabyte, so not a part of the development environment.
$(VENV)/.installed-spark: pyproject.toml locks/spark.txt $(VENV)/.installed-dev
	$(BIN)/python $(PIP) --require-hashes -r locks/spark.txt || $(BIN)/python $(PIP) --editable '.[spark]' || \
		echo "pyspark is not available: skipping the tests with Spark"
	@touch $@

$(VENV)/.installed-ui: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python $(PIP) --editable '.[ui]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python $(PIP) --editable '.[docs]'
	@touch $@ $(VENV)/.installed

# The tools that pin, audit and list packages are not among the packages they look at.
COMPILE := --universal --python-version 3.11 --generate-hashes --no-header
$(TOOLS)/.installed:
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/python $(PIP) uv==0.13.7 pip-audit==2.10.1 cyclonedx-bom==7.5.0
	@touch $@

# mutmut needs an older pytest.
$(MUTANTS)/.installed: pyproject.toml
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python $(PIP) --editable '.[dev,mutation]'
	@touch $@

# The other tools need older libraries, so each has an environment of its own; where one does not install, shoal is
# measured alone.
$(PEERS)/.installed: benchmarks/peers/requirements.txt
$(PEERS)-pycanon/.installed: benchmarks/peers/requirements-pycanon.txt
$(PEERS)-full-domain/.installed: benchmarks/peers/requirements-full-domain.txt
$(PEERS)/.installed $(PEERS)-pycanon/.installed $(PEERS)-full-domain/.installed:
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python $(PIP) -r $< || rm -rf $(@D)/bin/python
	@touch $@
