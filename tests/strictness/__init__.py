"""Compares bitcodec with LLVM 22 on mutated modules."""
