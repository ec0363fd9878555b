"""Arguments whose numbers text explains in a comment before them.

Rules: docs/reference/text.md, 9.4; the comments of `tcgen05` as `llvm-dis` 22 prints them.
"""

from __future__ import annotations

from bitcodec.named_tuple import NamedTuple

__all__ = ["FAMILIES", "IMMEDIATE_ARGUMENTS", "ImmediateArgument"]


class ImmediateArgument(NamedTuple):
    """Description of an argument.

    Attributes:
        argument: its index, from 0.
        name: the text before the meaning.
        meanings: by number.
        otherwise: the meaning of other numbers.
    """

    argument: int
    name: str
    meanings: tuple[str, ...]
    otherwise: str = ""


FAMILIES = ("llvm.nvvm.tensormap.", "llvm.nvvm.tcgen05.")
"""Names of all these intrinsics begin with one of them."""

_ELEMENT_TYPES = (
    *("u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f32.ftz", "f64", "bf16", "tf32", "tf32.ftz"),
    *("b4x16", "b4x16_p64", "b6x16_p32"),
)
_INTERLEAVING = ("No interleave", "16B interleave", "32B interleave")
_SWIZZLING = ("No swizzling", "32B swizzling", "64B swizzling", "128B swizzling", "96B swizzling")
_SWIZZLE_ATOMICITY = ("16B", "32B", "32B + 8B flip", "64B")

IMMEDIATE_ARGUMENTS: dict[str, tuple[ImmediateArgument, ...]] = {
    "llvm.nvvm.tensormap.replace.elemtype": (ImmediateArgument(1, "elemtype", _ELEMENT_TYPES),),
    "llvm.nvvm.tensormap.replace.interleave.layout": (ImmediateArgument(1, "interleave_layout", _INTERLEAVING),),
    "llvm.nvvm.tensormap.replace.swizzle.mode": (ImmediateArgument(1, "swizzle_mode", _SWIZZLING),),
    "llvm.nvvm.tensormap.replace.swizzle.atomicity": (ImmediateArgument(1, "swizzle_atomicity", _SWIZZLE_ATOMICITY),),
    "llvm.nvvm.tensormap.replace.fill.mode": (ImmediateArgument(1, "fill_mode", ("Zero fill",), "OOB-NaN fill"),),
    "llvm.nvvm.tcgen05.mma.tensor": (
        ImmediateArgument(5, "kind", ("f16", "tf32", "f8f6f4", "i8")),
        ImmediateArgument(6, "cta_group", ()),
        ImmediateArgument(7, "collector", ("discard", "lastuse", "fill", "use")),
    ),
}
"""By name of the intrinsic, without the suffixes for types."""
