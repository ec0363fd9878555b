"""The tables of LLVM's bitcode: which blocks and records there are, and what they are called."""
