# cython: language_level=3, annotation_typing=False, auto_pickle=False
"""How interpreted code reads attributes of extension types as fast as slots.

The interpreter has a fast path for member descriptors, as slots have, and none for the descriptors that Cython makes.
So the extension types of the model get member descriptors instead.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

__all__ = ["expose_members"]


def expose_members(*kinds: type) -> None:
    """Give extension types a member descriptor for each name in their `__slots__`; other classes have them already."""
    if cython.compiled:
        for kind in kinds:
            expose_slots(kind, vars(kind)["__slots__"])  # noqa: F821 - a C function, see `members.pxd`
