"""`bitcodec flags lint` against real compilers: `python -m tests.lint.flags`."""
