"""Our modules beside those of LLVM 22: views that both fill in, and what differs between them.

`python -m tests.parity FILE...` prints the differences, `python -m tests.parity --all` a table over the corpus.
`--against` says with what: llvmlite's objects, heads of globals as llvm-dis prints them, or whole lines (`details`).
"""
