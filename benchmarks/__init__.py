"""Measuring Octavo. Each of `evaluate`, `bench` and `long_document` is a program: `python -m benchmarks.evaluate`.

They write their parts of docs/benchmarks.md. Nothing in `src/` imports this package.
"""
