"""Links whole modules, as llvm-link of LLVM 22 does."""
