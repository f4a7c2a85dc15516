PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
TORCH := torch==2.13.0
PEERS := benchmarks/peers/.venv

.DEFAULT_GOAL := help
.PHONY: help demo test install lint types browser tests peers attack format clean

help:  ## list the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/.installed  ## install, then turn a CartPole network into one rule
	$(BIN)/glasstree run cartpole --overwrite

test: install lint types tests  ## everything that CI checks

install: $(VENV)/.installed-dev  ## the virtual environment with all that the tests need

lint: install  ## formatting and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: install  ## static types
	$(BIN)/mypy

browser: install  ## what the tests of the page need, where it can be had: Chromium, axe-core
	@command -v chromium >/dev/null \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq >/dev/null \
	&& apt-get install -y -qq chromium >/dev/null 2>&1; } \
	|| echo "no chromium here: the tests that need it say so and are skipped"
	@[ -e $(VENV)/node_modules/axe-core ] \
	|| { command -v npm >/dev/null && npm install --silent --prefix $(VENV) axe-core@4 >/dev/null; } \
	|| echo "no axe-core here: the test that needs it says so and is skipped"

tests: install browser  ## all tests, with coverage
	$(BIN)/pytest --cov --cov-report=term

peers: $(PEERS)/.installed  ## measure glasstree and its peers, hours; goes on where it stopped
	cd benchmarks && peers/.venv/bin/python -W ignore -m peers $(WORDS)

attack: install  ## fuzzed files, hostile names, kills and more, about 5 minutes; WORDS="--minutes 60" for longer
	cd benchmarks && ../$(BIN)/python -m attack $(WORDS)

format: install  ## rewrite the code in the project's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) $(PEERS) .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage
	find src -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(TORCH)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ $(VENV)/.installed

$(PEERS)/.installed: pyproject.toml benchmarks/peers/requirements.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[box2d]'
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -r benchmarks/peers/requirements.txt
	touch $@
