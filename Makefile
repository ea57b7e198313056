# The commands a person types are the commands CI runs. `make` alone shows them.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory
# One target after the other, also under -j: each uses both cores already.
.NOTPARALLEL:

BIN := .venv/bin
NPC ?= marta
WORLD ?= emberfall
ARGS ?=
export PYTHON JOBS UPGRADE

# Set-up runs on the system's Python and on nothing but its standard library; the tools/ folder is its package.
SETUP = python=$$(tools/find-python) && "$$python" -B -m tools.setup

.PHONY: help setup setup-dev play talk serve test test-full lint format goldens goldens-accept bench lock clean distclean

help:
	@echo "make play        set up what is missing, then play Emberfall, a roguelike whose people remember"
	@echo "make serve       set up what is missing, then serve WORLD=$(WORLD) to game engines"
	@echo "make talk        the same, then talk to NPC=$(NPC) of WORLD=$(WORLD) in the terminal"
	@echo "make test        linters, types and the test suite: under 8 minutes on two cores"
	@echo "make test-full   what takes longer: other hash seeds, locales and Pythons, the wheel"
	@echo "make lint        linters and types only       make format   let ruff format"
	@echo "make goldens     golden conversations: show the first difference; goldens-accept takes it"
	@echo "make bench       benchmarks, as ratios        make setup    set up only"
	@echo "make lock        resolve requirements again (UPGRADE=1: newest versions)"
	@echo "make clean       remove .venv and caches; models and compiled wheels stay"
	@echo "make distclean   remove those as well"
	@echo "Settings: PYTHON=<interpreter> JOBS=<compiler jobs> NPC=<id> WORLD=<name or path> ARGS=<more arguments>"

setup:
	@$(SETUP) run

setup-dev:
	@$(SETUP) dev

play:
	@$(SETUP) play
	@$(BIN)/npc-memory play $(ARGS)

talk: setup
	@$(BIN)/npc-memory talk $(NPC) --world $(WORLD) $(ARGS)

serve: setup
	@$(BIN)/npc-memory serve $(WORLD) $(ARGS)

lint: setup-dev
	@sh tools/lint

format: setup-dev
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format .

test: setup-dev
	@sh tools/lint
	@sh tools/test

test-full: setup-dev
	@$(BIN)/python -m tools.full

goldens: setup-dev
	@$(BIN)/python tests/goldens/golden.py check $(ARGS)

# Look at `git diff tests/goldens` before you commit what this took.
goldens-accept: setup-dev
	@$(BIN)/python tests/goldens/golden.py accept $(ARGS)

bench: setup-dev
	@sh tools/bench $(ARGS)

lock:
	@python=$$(tools/find-python) && "$$python" -B -m tools.lock

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks dist build
	@if [ -d .cache ]; then find .cache -mindepth 1 -maxdepth 1 ! -name wheels ! -name vocabs -exec rm -rf {} +; fi
	@find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

distclean: clean
	rm -rf .cache
	rm -f models/*.gguf models/*.part
