# the newest that works
PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 python3; do \
            $$p -c 'import venv' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
TORCH := torch==2.13.0
PEERS := benchmarks/peers/.venv
LOWEST := .venv-lowest
DEVELOPED := .[dev,docs]
WORKERS ?= 2
RUNS ?= runs
PARALLEL = --numprocesses=$(WORKERS) --dist=loadgroup --no-loadscope-reorder
# what needs clusters, a browser or minutes; old packages may warn
LEFT_OUT := closedloop/test_engines.py report/test_browser.py closedloop/test_kill.py \
            studies/test_reproduction.py benchmarks
PIP := -m pip install --quiet --disable-pip-version-check

# torch of this version first, others bring gigabytes; then uv, which is quick, or pip where uv fails
define install
$(1)/bin/python $(PIP) --no-compile $(TORCH) uv
$(1)/bin/uv pip install --quiet --python $(1)/bin/python $(2) || $(1)/bin/python $(PIP) $(2)
endef

.DEFAULT_GOAL := help
.PHONY: help demo test install lint types kernels browser tests docs gallery wheel coverage lowest mutants attack peers format clean

help:  ## list the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/.installed  ## install, then turn a CartPole network into one rule
	$(BIN)/glasstree run cartpole --overwrite

test: install  ## everything that CI checks
	$(MAKE) --jobs=2 kernels lint types docs wheel tests

install: $(VENV)/.installed-dev  ## the virtual environment with all that the tests need

lint: install  ## formatting and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: install  ## static types
	$(BIN)/mypy

kernels: install  ## compile once what the workers of the tests share
	$(BIN)/python tests/kernels.py

browser: install  ## what the tests of the page need, where it can be had: Chromium, axe-core
	@command -v chromium >/dev/null \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq >/dev/null \
	&& apt-get install -y -qq chromium >/dev/null 2>&1; } \
	|| echo "no chromium here: the tests that need it say so and are skipped"
	@[ -e $(VENV)/node_modules/axe-core ] \
	|| { command -v npm >/dev/null && npm install --silent --prefix $(VENV) axe-core@4 >/dev/null; } \
	|| echo "no axe-core here: the test that needs it says so and is skipped"

tests: install browser kernels  ## all tests, on two cores
	$(BIN)/pytest $(PARALLEL) --durations=10

docs: install  ## the site, in build/site; a broken link or an unknown name fails
	NO_MKDOCS_2_WARNING=1 PYTHONPATH=src $(BIN)/mkdocs build --strict
	@echo "the site is in build/site: open build/site/index.html; for its search,"
	@echo "$(BIN)/python -m http.server --bind 127.0.0.1 --directory build/site and http://127.0.0.1:8000"

gallery: install  ## docs/gallery from finished runs: RUNS/TASK, by default runs/TASK
	$(BIN)/python docs/site/gallery.py $(RUNS)

wheel: install  ## wheel and sdist in dist/, the wheel tried in an environment of its own
	rm -rf dist build/empty
	$(BIN)/python -m build --installer uv --outdir dist . >/dev/null
	$(BIN)/python -m venv --without-pip build/empty
	$(BIN)/uv pip install --quiet --python build/empty/bin/python dist/*.whl
	cd build/empty && bin/python ../../tests/smoke.py
	@ls -s -h dist

coverage: install browser kernels  ## all tests, and which lines they reach
	$(BIN)/pytest $(PARALLEL) --cov --cov-report=term

lowest: $(LOWEST)/.installed  ## most tests, with the lowest versions that pyproject.toml allows
	$(LOWEST)/bin/python tests/kernels.py
	$(LOWEST)/bin/pytest $(PARALLEL) -W default $(addprefix --ignore=tests/,$(LEFT_OUT))

mutants: install  ## deliberate faults, each of which a test must notice; WORDS choose some
	$(BIN)/python benchmarks/mutants.py $(WORDS)

peers: $(PEERS)/.installed  ## measure glasstree and its peers, hours; goes on where it stopped
	cd benchmarks && peers/.venv/bin/python -W ignore -m peers $(WORDS)

attack: install  ## fuzzed files, hostile names, kills and more, about 5 minutes; WORDS="--minutes 60" for longer
	cd benchmarks && ../$(BIN)/python -m attack $(WORDS)

format: install  ## rewrite the code in the project's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) $(PEERS) $(LOWEST) .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage*
	find src -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python $(PIP) -e .
	touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(call install,$(VENV),-e '$(DEVELOPED)')
	touch $@ $(VENV)/.installed

$(LOWEST)/.installed: pyproject.toml tests/lowest.py
	$(PYTHON) -m venv --clear $(LOWEST)
	$(PYTHON) tests/lowest.py > $(LOWEST)/constraints.txt
	$(call install,$(LOWEST),--constraint $(LOWEST)/constraints.txt -e '.[dev]')
	touch $@

$(PEERS)/.installed: pyproject.toml benchmarks/peers/requirements.txt
	$(PYTHON) -m venv $(PEERS)
	$(call install,$(PEERS),-e '.[box2d]' -r benchmarks/peers/requirements.txt)
	touch $@
