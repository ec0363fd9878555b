"""Kernels for libNVVM that are generated, each with one operation, and run on the host."""
