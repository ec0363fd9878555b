"""The architectures: expansion of atomic accesses on each, by features; one module for each family.

Rules: LLVM 22, as `opt -passes=atomic-expand` applies them.
"""
