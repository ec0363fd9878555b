"""Expansion of atomic instructions to code that a target supports.

Those are loops of `cmpxchg` or of load-linked and store-conditional, accesses of words with masks, calls of
`__atomic_*`, and barriers.

>>> import bitcodec
>>> from bitcodec.transforms import expand_atomics
>>> module = bitcodec.open("examples/queue.bc")
>>> expand_atomics(module, "aarch64-linux-gnu", features=["+lse"])
13

The result is equal to `opt -passes=atomic-expand` of LLVM 22: the same instructions, with the same metadata.
"""

from bitcodec.transforms.atomic_expand.modules import expand_atomics

__all__ = ["expand_atomics"]
