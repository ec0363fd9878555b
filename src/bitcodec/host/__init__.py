"""Adapts to the Python that runs this package: which form runs, when garbage is collected.

It is unrelated to bitcode.  Figures that justify it: docs/rooms/speed.md.
"""
