"""Typed pointers, which versions of LLVM before 15 need.

`evidence` examines how values are used; `pointees` keeps what each points to; `types` makes types with pointees;
`constants` and `casts` make constants and instructions of these types, with casts where uses disagree; `dialect`
gives them to the writer.  Rules: docs/reference/older-readers.md, 4.
"""
