"""Metadata when instructions change: cases that LLVM's passes can be made to do too, and what comes of them."""
