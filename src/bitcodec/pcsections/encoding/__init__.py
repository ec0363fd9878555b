"""Entries as bytes and relocations, as LLVM's back end writes them for a target."""
