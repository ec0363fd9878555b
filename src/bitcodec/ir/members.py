# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""How interpreted code reads attributes of extension types as fast as slots.

The interpreter has a fast path for member descriptors, as slots have, and none for the descriptors that Cython makes.
So the extension types of the model get member descriptors instead.
"""

from __future__ import annotations

from bitcodec.host import native

__all__ = ["check_member", "expose_members", "slots"]


def slots(*names: str) -> tuple[str, ...]:
    """Return names for `__slots__`.

    Pyright takes names in a literal for instance variables, to which it does not apply descriptors such as `Checked`.
    """
    return names


def expose_members(*kinds: type) -> None:
    """Give extension types a member descriptor for each name in their `__slots__`; other classes have them already."""
    if native.COMPILED:
        for kind in kinds:
            expose_slots(kind, vars(kind)["__slots__"])  # noqa: F821 - a C function, see `members.pxd`


def check_member(owner: type, member: object, kind: type | None, is_optional: bool, convert: object) -> bool:  # noqa: FBT001
    """Check values that Python code assigns to a member of an extension type, or of a class derived from one.

    Args:
        owner: the class.
        member: its member descriptor.
        kind: values of this class are assigned unchanged; None to convert all.
        is_optional: whether None is assigned unchanged.
        convert: returns the value to assign, or raises.

    Returns:
        Whether that is possible; interpreted classes need a property.
    """
    if native.COMPILED:
        return bool(register_check(owner, member, (kind, is_optional, convert)))  # noqa: F821 - see `members.pxd`
    return False
