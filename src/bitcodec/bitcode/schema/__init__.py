"""The tables of LLVM's bitcode: its blocks and records, and their names."""
