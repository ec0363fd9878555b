"""Compilation of a module to an object, by LLVM's own code generator in a separate process."""
