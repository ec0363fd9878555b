"""Old intrinsics that copy, set or mark memory: alignments are attributes of pointers now, lifetimes have no size."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.errors import BitcodecError
from bitcodec.ir.attributes import AttributeList, AttributeSet, IntegerAttribute
from bitcodec.ir.construction.replacing import copy_attachments
from bitcodec.ir.instructions import Alloca, Call
from bitcodec.upgrade.intrinsics.pointers import without_casts
from bitcodec.upgrade.intrinsics.rows import IntrinsicTable, OldIntrinsic

if TYPE_CHECKING:
    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["TABLE"]

_ALIGNMENT = 3
"""Index of the alignment argument in the old calls that copy or set memory."""


def _transfer(pointers: int) -> Expansion:
    """Return an expansion of calls that copy or set memory through the first few arguments."""

    def expand(rewriter: CallRewriter) -> Value | None:
        number = cast("ConstantInt", rewriter.arguments[_ALIGNMENT]).unsigned
        # LLVM rounds what is not a power of 2 down.
        alignment = 1 << number.bit_length() >> 1
        kept = [index for index in range(5) if index != _ALIGNMENT]
        call = rewriter.new_call([rewriter.arguments[index] for index in kept])
        old = rewriter.call.attributes
        sets = {new: old.for_parameter(index) for new, index in enumerate(kept)}
        for index in range(pointers):
            sets[index] = _aligned(sets[index], alignment)
        call.attributes = AttributeList(old.for_function, old.for_return, sets)
        return call

    return expand


def _masked(pointer: int, *, needs_alignment: bool) -> Expansion:
    """Return an expansion of masked accesses through one argument, which the alignment follows."""

    def expand(rewriter: CallRewriter) -> Value | None:
        old = rewriter.call
        alignment = _alignment(rewriter.arguments[pointer + 1], needs_alignment=needs_alignment)
        arguments = [argument for index, argument in enumerate(rewriter.arguments) if index != pointer + 1]
        call = rewriter.new_call(arguments)
        accessed = arguments[0].type if pointer else old.type
        alignment = alignment or rewriter.module.data_layout.abi_alignment(accessed.scalar_type)
        call.attributes = AttributeList(parameters={pointer: _aligned(AttributeSet(), alignment)})
        copy_attachments(old, call)
        if isinstance(old, Call):
            call.tail_kind = old.tail_kind
        rewriter.take_name(call)
        return call

    return expand


def _lifetime(base: str) -> Expansion:
    """Return an expansion of marks of the life of an `alloca`; marks of anything else are dropped."""

    def expand(rewriter: CallRewriter) -> Value | None:
        pointer = without_casts(rewriter.arguments[1])
        if not isinstance(pointer, Alloca):
            return None
        return rewriter.intrinsic(base, [pointer.type], rewriter.types.void, [pointer])

    return expand


def _alignment(argument: Value, *, needs_alignment: bool) -> int:
    """Return the alignment in bytes that an argument gives, 0 for the ABI alignment.

    Raises:
        BitcodecError: it is not an alignment.  LLVM 22 ends with this message, too.
    """
    alignment = cast("ConstantInt", argument).unsigned
    if alignment & (alignment - 1):
        raise BitcodecError("Invalid alignment argument")
    if needs_alignment and not alignment:
        raise BitcodecError("Invalid zero alignment argument")
    return alignment


def _aligned(attributes: AttributeSet, alignment: int) -> AttributeSet:
    return attributes.with_(IntegerAttribute("align", alignment)) if alignment else attributes.without("align")


def _copying(base: str) -> OldIntrinsic:
    return OldIntrinsic("void(A:p,B:p,N:i,#i32,i1)", f"{base} A B N", "void(A,B,N,i1)", expand=_transfer(2))


def _marking(base: str) -> OldIntrinsic:
    # LLVM declares a variant for the type of the size, which nobody calls.  It looks at the number of arguments alone:
    # LLVM 21 makes such variants of two arguments when it reads bitcode of LLVM 22.
    return OldIntrinsic("void(N,A)", f"{base} N", "void(N)", expand=_lifetime(base))


TABLE = IntrinsicTable(
    {
        "lifetime.end*": _marking("lifetime.end"),
        "lifetime.start*": _marking("lifetime.start"),
        "masked.gather*": OldIntrinsic(
            "A:v(B:v,#i32,M:v,A)",
            "masked.gather A B",
            "A(B,M,A)",
            expand=_masked(0, needs_alignment=False),
        ),
        "masked.load*": OldIntrinsic(
            "A:v(B:p,#i32,M:v,A)",
            "masked.load A B",
            "A(B,M,A)",
            expand=_masked(0, needs_alignment=True),
        ),
        "masked.scatter*": OldIntrinsic(
            "void(A:v,B:v,#i32,M:v)",
            "masked.scatter A B",
            "void(A,B,M)",
            expand=_masked(1, needs_alignment=False),
        ),
        "masked.store*": OldIntrinsic(
            "void(A:v,B:p,#i32,M:v)",
            "masked.store A B",
            "void(A,B,M)",
            expand=_masked(1, needs_alignment=True),
        ),
        "memcpy.*": _copying("memcpy"),
        "memmove.*": _copying("memmove"),
        "memset.*": OldIntrinsic("void(A:p,i8,N:i,#i32,i1)", "memset A N", "void(A,i8,N,i1)", expand=_transfer(1)),
    }
)
