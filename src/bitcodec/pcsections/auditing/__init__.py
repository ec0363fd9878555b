"""Fate of the nodes of a module: in LLVM IR that was transformed, in machine IR, in an object file."""
