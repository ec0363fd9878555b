"""Old intrinsics that read and write memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.attributes import AttributeSet, IntegerAttribute
from bitcodec.ir.type_properties import scalar_width
from bitcodec.ir.types import VectorType
from bitcodec.upgrade.intrinsics.x86.masks import element_count, is_all_ones, mask_vector
from bitcodec.upgrade.intrinsics.x86.rows import Rows, X86Row
from bitcodec.upgrade.intrinsics.x86.signatures import bit_width

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.instructions import Call, Instruction
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["ROWS"]

_HALF = 128
"""Size in bits of a value that is loaded into both halves of a vector."""


def _size(value: Value) -> int:
    """Return the size of a value in bytes."""
    return bit_width(value.type) // 8


def _mark_nontemporal(rewriter: CallRewriter, access: Instruction) -> None:
    metadata = rewriter.module.context.metadata
    access.metadata["nontemporal"] = metadata.tuple([metadata.value(rewriter.integer(32, 1))])


def _store_nontemporal(rewriter: CallRewriter) -> None:
    pointer, value = rewriter.arguments
    _mark_nontemporal(rewriter, rewriter.store(value, pointer, _size(value)))


def _store_lowest_nontemporal(rewriter: CallRewriter) -> None:
    pointer, vector = rewriter.arguments
    lowest = rewriter.extract_element(vector, 0, "extractelement")
    _mark_nontemporal(rewriter, rewriter.store(lowest, pointer, 1))


def _store_low_half(rewriter: CallRewriter) -> None:
    pointer, vector = rewriter.arguments
    halves = rewriter.cast("bitcast", vector, rewriter.types.vector(2, rewriter.types.integer(64)), "cast")
    rewriter.store(rewriter.extract_element(halves, 0), pointer, 1)


def _store_unaligned(rewriter: CallRewriter) -> None:
    pointer, value = rewriter.arguments
    rewriter.store(value, pointer, 1)


def _load_nontemporal(rewriter: CallRewriter) -> Value:
    type_ = rewriter.call.type
    load = rewriter.load(type_, rewriter.arguments[0], bit_width(type_) // 8)
    _mark_nontemporal(rewriter, cast("Instruction", load))
    return load


def _store_masked(*, is_aligned: bool) -> Expansion:
    """Return a store of those elements that the mask gives."""

    def expand(rewriter: CallRewriter) -> None:
        pointer, value, mask = rewriter.arguments
        _masked_store(rewriter, pointer, value, mask, _size(value) if is_aligned else 1)

    return expand


def _store_lowest_masked(rewriter: CallRewriter) -> None:
    pointer, value, mask = rewriter.arguments
    _masked_store(rewriter, pointer, value, rewriter.binary("and", mask, rewriter.integer(8, 1)), 1)


def _masked_store(rewriter: CallRewriter, pointer: Value, value: Value, mask: Value, alignment: int) -> None:
    if is_all_ones(mask):
        rewriter.store(value, pointer, alignment)
        return
    bits = mask_vector(rewriter, mask, element_count(value))
    types = [value.type, pointer.type]
    store = rewriter.intrinsic("masked.store", types, rewriter.types.void, [value, pointer, bits])
    _align_argument(store, 1, alignment)


def _load_masked(*, is_aligned: bool) -> Expansion:
    """Return a load of those elements that the mask gives."""

    def expand(rewriter: CallRewriter) -> Value:
        pointer, otherwise, mask = rewriter.arguments
        type_ = otherwise.type
        alignment = _size(otherwise) if is_aligned else 1
        if is_all_ones(mask):
            return rewriter.load(type_, pointer, alignment)
        bits = mask_vector(rewriter, mask, element_count(otherwise))
        load = rewriter.intrinsic("masked.load", [type_, pointer.type], type_, [pointer, bits, otherwise])
        _align_argument(load, 0, alignment)
        return load

    return expand


def _align_argument(call: Call, index: int, alignment: int) -> None:
    aligned = AttributeSet([IntegerAttribute("align", alignment)])
    call.attributes = call.attributes.with_parameter(index, aligned)


def _expand_load(rewriter: CallRewriter) -> Value:
    pointer, otherwise, mask = rewriter.arguments
    type_ = rewriter.call.type
    bits = mask_vector(rewriter, mask, element_count(otherwise))
    return rewriter.intrinsic("masked.expandload", [type_], type_, [pointer, bits, otherwise])


def _compress_store(rewriter: CallRewriter) -> None:
    pointer, value, mask = rewriter.arguments
    bits = mask_vector(rewriter, mask, element_count(value))
    rewriter.intrinsic("masked.compressstore", [value.type], rewriter.types.void, [value, pointer, bits])


def _packed(operation: str) -> Expansion:
    """Return elements moved together, or apart, in a register."""

    def expand(rewriter: CallRewriter) -> Value:
        value, otherwise, mask = rewriter.arguments
        type_ = rewriter.call.type
        bits = mask_vector(rewriter, mask, element_count(value))
        return rewriter.intrinsic(f"x86.avx512.mask.{operation}", [type_], type_, [value, otherwise, bits])

    return expand


def _load_everywhere(rewriter: CallRewriter) -> Value:
    """Return the value at an address, broadcast to all elements."""
    type_ = cast("VectorType", rewriter.call.type)
    loaded = rewriter.load(type_.element_type, rewriter.arguments[0])
    result: Value = rewriter.poison(type_)
    for index in range(type_.count):
        result = rewriter.insert_element(result, loaded, index, index_bits=32)
    return result


def _load_twice(rewriter: CallRewriter) -> Value:
    """Return the value at an address, in both halves."""
    type_ = cast("VectorType", rewriter.call.type)
    half = rewriter.types.vector(_HALF // scalar_width(type_), type_.element_type)
    loaded = rewriter.load(half, rewriter.arguments[0], 1)
    return rewriter.shuffle(loaded, rewriter.poison(half), [*range(half.count)] * 2)


def _can_be_halved(vectors: Mapping[str, VectorType]) -> bool:
    return bit_width(vectors["V"]) == 2 * _HALF


def _stores(names: str, expand: Expansion, signature: str = "void(p,V)") -> Rows:
    return dict.fromkeys(names.split(), (X86Row(signature, expand),))


_PACKED_ELEMENTS = ("b", "w", "d", "q", "p")

ROWS: Rows = {
    **_stores("avx.movnt.* avx512.storent.*", _store_nontemporal),
    **_stores("sse4a.movnt.*", _store_lowest_nontemporal, "void(p,Vf)"),
    **_stores("sse2.storel.dq", _store_low_half, "void(p,v4i32)"),
    **_stores("sse.storeu.* sse2.storeu.* avx.storeu.*", _store_unaligned),
    **_stores(
        "avx512.mask.store.b.* avx512.mask.store.w.* avx512.mask.store.d.* avx512.mask.store.q.* avx512.mask.store.p*",
        _store_masked(is_aligned=True),
        "void(p,V,M)",
    ),
    **_stores("avx512.mask.storeu.*", _store_masked(is_aligned=False), "void(p,V,M)"),
    **_stores("avx512.mask.store.ss", _store_lowest_masked, "void(p,v4f32,i8)"),
    **_stores("avx512.mask.compress.store.*", _compress_store, "void(p,V,M)"),
    "avx512.mask.load.*": (X86Row("V(p,V,M)", _load_masked(is_aligned=True)),),
    "avx512.mask.loadu.*": (X86Row("V(p,V,M)", _load_masked(is_aligned=False)),),
    "avx512.mask.expand.load.*": (X86Row("V(p,V,M)", _expand_load),),
    **dict.fromkeys(
        (f"avx512.mask.compress.{element}*" for element in _PACKED_ELEMENTS), (X86Row("V(V,V,M)", _packed("compress")),)
    ),
    **dict.fromkeys(
        (f"avx512.mask.expand.{element}*" for element in _PACKED_ELEMENTS), (X86Row("V(V,V,M)", _packed("expand")),)
    ),
    **dict.fromkeys(("sse41.movntdqa", "avx2.movntdqa", "avx512.movntdqa"), (X86Row("V(p)", _load_nontemporal),)),
    **dict.fromkeys(("avx.vbroadcast.s*", "avx512.vbroadcast.s*"), (X86Row("V(p)", _load_everywhere),)),
    **dict.fromkeys(("avx.vbroadcastf128*", "avx2.vbroadcasti128"), (X86Row("V(p)", _load_twice, _can_be_halved),)),
}
