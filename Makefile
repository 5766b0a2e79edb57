# `make demo` shows Octavo at work, `make test` proves it. Both set up everything they need.
.PHONY: setup demo test check measuring bench bench-long eval calibration docs clean

BIN := .venv/bin

setup:
	@scripts/setup

demo: setup
	$(BIN)/octavo convert examples/report-scan.pdf -o demo-out --format md,json,html,txt
	@echo && head -n 40 demo-out/report-scan.md
	@echo && echo "The whole document, in four formats:" && ls -l demo-out

test: setup check
	$(BIN)/python -m pytest

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: measuring
	$(BIN)/python -m benchmarks.bench

bench-long: measuring
	$(BIN)/python -m benchmarks.long_document

eval: measuring
	$(BIN)/python -m benchmarks.evaluate

calibration: measuring
	$(BIN)/python -m benchmarks.calibration

measuring: setup
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test,bench]'

docs: setup
	$(BIN)/python scripts/generate_docs.py

clean:
	rm -rf .venv demo-out .eval build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
