"""Mutants of the package: small faults, of which the tests must notice nearly all.

`python -m tests.mutants --count 300` makes mutants of all rooms, finds the tests that reach each, runs these until one
fails, and lists the mutants that survive.  The tests run without LLVM's tools, interpreted, on a copy of the sources.
"""
