"""Mutants of the package: small faults, of which the tests must notice nearly all.

`python -m tests.mutants --count 300` makes mutants of all rooms, runs the tests of the room of each, the quick ones
first, and lists the mutants that survive.  The tests run without LLVM's tools, interpreted, on a copy of the sources.
"""
