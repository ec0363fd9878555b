"""Boundaries of machine instructions: their lengths by processor, without a disassembler.

`encodings` has the facts that give a length, as tables; `starts` the loops over code.
"""
