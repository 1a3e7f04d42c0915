# Everything a newcomer runs. Needs make and python3; the rest is installed into .venv from hashed locks.
PYTHON ?= python3
VENV := .venv/bin
ARGS ?=

.PHONY: help demo test check docs format bench kills soak lock clean

help:
	@echo "make demo    three tables and their carousel on simulated hardware (ARGS=\"--seconds 60 --json out.json\")"
	@echo "make test    the whole suite: real broker, browser, database, serial lines (ARGS=\"-k pots\")"
	@echo "make check   formatter, linter, types, import contracts, house rules"
	@echo "make docs    docs/articles.md and docs/conformance.md again from the tests' marks"
	@echo "make bench   figures of this machine"
	@echo "make kills   whole daemons killed at every counted write and send (ARGS=\"--every 20 --seed 3\")"
	@echo "make soak    whole daemons that play on and on (ARGS=\"--minutes 120\")"
	@echo "make format  let ruff rewrite what it can"
	@echo "make lock    requirements/*.lock again from pyproject.toml"
	@echo "make clean   take away .venv and the caches"

demo:
	@$(PYTHON) scripts/prepare.py demo
	@$(VENV)/python -m controller demo $(ARGS)

test:
	@$(PYTHON) scripts/prepare.py dev
	@$(PYTHON) scripts/prepare.py tools
	$(VENV)/python -m tests $(ARGS)

check:
	@$(PYTHON) scripts/prepare.py dev
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy controller drivers display
	$(VENV)/lint-imports
	$(VENV)/python -m pytest tests/tidy --quiet

docs:
	@$(PYTHON) scripts/prepare.py dev
	$(VENV)/python -m scripts.articles
	$(VENV)/python -m scripts.conformance

format:
	@$(PYTHON) scripts/prepare.py dev
	$(VENV)/ruff check --fix .
	$(VENV)/ruff format .

bench:
	@$(PYTHON) scripts/prepare.py dev
	$(VENV)/python -m tests.bench $(ARGS)

kills:
	@$(PYTHON) scripts/prepare.py dev
	$(VENV)/python -m tests.kills $(ARGS)

soak:
	@$(PYTHON) scripts/prepare.py dev
	$(VENV)/python -m tests.system.soak $(ARGS)

lock:
	@$(PYTHON) scripts/prepare.py dev
	ARGS="$(ARGS)" scripts/lock

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
