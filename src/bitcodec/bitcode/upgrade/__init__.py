"""What LLVM 22 changes in modules of older versions while it reads them.  Works on the model alone."""
