# Each command below sets up what it needs in .venv, once; after that none of them uses the
# network, but for tests that fetch packages of npm and PyPI, once, where these can be had.

PYTHON ?= python3
ARGS ?=

# One file's tests stay together: many share a daemon. More processes than four would lack memory.
PYTEST = $(VENV_PYTHON) -m pytest -q
ON_CORES := -n auto --maxprocesses 4 --dist loadfile

VENV := .venv
VENV_PYTHON := $(VENV)/bin/python
READY := $(VENV)/ready

.DEFAULT_GOAL := help
.PHONY: help play test bench soak lint clean

# $(call step,title,command): run a command under its title and say how long it took.
define step
	@printf '\n==> %s\n' '$(1)'; started=$$(date +%s); \
	$(2) || { status=$$?; printf '==> FAILED (exit status %s): %s\n' "$$status" '$(1)'; exit 1; }; \
	printf '    done in %s s\n' "$$(($$(date +%s) - started))"
endef

help:
	@echo 'make play     play a game in this terminal        (options: make play ARGS="--size 13")'
	@echo 'make test     lint, types, and all tests: compiled (ARGS go to these), uncompiled, bounds-checked'
	@echo 'make bench    measure speed                       (one of them: make bench ARGS=playouts)'
	@echo 'make soak     the long tests'
	@echo 'make lint     only the checks that take seconds: style, format, types'
	@echo 'make clean    remove $(VENV) and everything that tools left behind'
	@echo
	@echo 'The first command sets up $(VENV) with $(PYTHON); PYTHON=... names another one.'

play: $(READY)
	@$(VENV)/bin/goengine play $(ARGS)

lint: $(READY)
	$(call step,ruff check,$(VENV_PYTHON) -m ruff check .)
	$(call step,ruff format --check,$(VENV_PYTHON) -m ruff format --check .)
	$(call step,mypy,$(VENV_PYTHON) -m mypy)

# pytest ends with status 5 when nothing is selected: an empty run fails here, as it should, unless
# ARGS has chosen the tests.
MAY_BE_EMPTY = || test $$? -eq 5 -a -n '$(ARGS)'
test: lint
	$(call step,compiling kernels on all cores,$(VENV)/bin/goengine warm)
	$(call step,pytest: compiled,$(PYTEST) $(ON_CORES) -m 'not alone and not soak' $(ARGS) $(MAY_BE_EMPTY))
	$(call step,pytest: one after the other,$(PYTEST) -m 'alone and not soak' $(ARGS) $(MAY_BE_EMPTY))
	$(call step,pytest: uncompiled (NUMBA_DISABLE_JIT=1),NUMBA_DISABLE_JIT=1 \
		$(PYTEST) $(ON_CORES) -m 'uncompiled and not soak')
	$(call step,pytest: bounds-checked (NUMBA_BOUNDSCHECK=1),NUMBA_BOUNDSCHECK=1 \
		$(PYTEST) $(ON_CORES) -m 'boundscheck and not soak')

bench: $(READY)
	@$(VENV)/bin/goengine bench $(ARGS)

soak: $(READY)
	$(call step,pytest: soak,$(VENV_PYTHON) -m pytest tests/soak -m soak --timeout 0 $(ARGS))

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
	find goengine daemon clients tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Written last, so that a set-up that was interrupted starts again.
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "goengine needs Python 3.11 or newer. $(PYTHON) --version says:"; \
		$(PYTHON) --version; echo 'Name another one: make PYTHON=python3.12 ...'; exit 1; }
	$(call step,making $(VENV),test -x $(VENV_PYTHON) || $(PYTHON) -m venv $(VENV))
	$(call step,installing the build tool,$(VENV_PYTHON) -m pip install 'setuptools>=77')
	$(call step,installing goengine and its libraries,$(VENV_PYTHON) -m pip install \
		--no-build-isolation --editable '.[dev]')
	@touch $@
