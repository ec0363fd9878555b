"""What depends on the Python that runs this package: which form runs, when garbage is collected.

Nobody who reads about bitcode needs to know what is here.  Figures that justify it: docs/rooms/speed.md.
"""
