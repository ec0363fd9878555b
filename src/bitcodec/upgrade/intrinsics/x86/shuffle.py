"""Old intrinsics that choose elements by a constant, or in a way that their name gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.type_properties import scalar_width
from bitcodec.ir.types import VectorType
from bitcodec.upgrade.intrinsics.x86.masks import blended, masked
from bitcodec.upgrade.intrinsics.x86.rows import Rows, X86Row
from bitcodec.upgrade.intrinsics.x86.signatures import bit_width

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

    Choice = Callable[[int, int, int], Sequence[int]]
    """Chooses elements from two vectors together.

    Arguments: the immediate, the number of elements of a vector, and the number in a lane of 128 bits.
    """

__all__ = ["ROWS"]

_LANE = 128
"""Size of a lane in bits."""


def _shuffled(choose: Choice, *, sources: int, is_told: bool = True) -> Expansion:
    """Return a shuffle of the first arguments.

    Args:
        choose: chooses the elements.
        sources: of how many arguments.
        is_told: whether the argument after them is a constant that `choose` needs.
    """

    def expand(rewriter: CallRewriter) -> Value:
        type_ = cast("VectorType", rewriter.call.type)
        arguments = rewriter.arguments
        constant = cast("ConstantInt", arguments[sources]).unsigned if is_told else 0
        places = choose(constant, type_.count, _LANE // scalar_width(type_))
        return rewriter.shuffle(arguments[0], arguments[sources - 1], places)

    return expand


def _dword(constant: int, count: int, lane: int) -> list[int]:
    """Return a choice within lanes; the constant is read again for each lane until 8 bits are used up."""
    bits = lane // 2
    low = lane - 1
    return [(constant >> (index * bits % 8)) & low | (index & ~low) for index in range(count)]


def _low_words(constant: int, count: int, _lane: int) -> list[int]:
    return [index if index & 4 else (index & ~7) + ((constant >> (2 * (index & 3))) & 3) for index in range(count)]


def _high_words(constant: int, count: int, _lane: int) -> list[int]:
    return [(index & ~3) + ((constant >> (2 * (index & 3))) & 3) if index & 4 else index for index in range(count)]


def _quads(constant: int, count: int, _lane: int) -> list[int]:
    """Return a choice within groups of four."""
    return [(index & ~3) + ((constant >> (2 * (index & 3))) & 3) for index in range(count)]


def _two_source(constant: int, count: int, lane: int) -> list[int]:
    """Return a choice within lanes: their lower halves from the first vector, their upper halves from the second."""
    half = lane // 2
    return [
        index
        - index % lane
        + (count if index % lane >= half else 0)
        + ((constant >> (index * half % 8)) & ((1 << half) - 1))
        for index in range(count)
    ]


def _lanes(constant: int, count: int, lane: int) -> list[int]:
    """Return whole lanes: the first half of them from the first vector, the others from the second."""
    lanes = count // lane
    places: list[int] = []
    for index in range(lanes):
        chosen = (constant >> (index * (lanes // 2))) & (lanes - 1)
        first = (chosen + (lanes if index >= lanes // 2 else 0)) * lane
        places += range(first, first + lane)
    return places


def _blend(constant: int, count: int, _lane: int) -> list[int]:
    return [index + count * ((constant >> (index % 8)) & 1) for index in range(count)]


def _even(_constant: int, count: int, _lane: int) -> list[int]:
    return [index & ~1 for index in range(count)]


def _odd(_constant: int, count: int, _lane: int) -> list[int]:
    return [index | 1 for index in range(count)]


def _low_pairs(_constant: int, count: int, lane: int) -> list[int]:
    return [index - index % lane + index % lane // 2 + count * (index % 2) for index in range(count)]


def _high_pairs(_constant: int, count: int, lane: int) -> list[int]:
    return [place + lane // 2 for place in _low_pairs(0, count, lane)]


def _halves(rewriter: CallRewriter) -> Value:
    """Return two halves, each any half of the two arguments or zero, as the constant gives in four bits for each."""
    first, second, constant = rewriter.arguments
    number = cast("ConstantInt", constant).unsigned
    count = cast("VectorType", first.type).count
    half = count // 2
    zero = rewriter.zero(first.type)
    low, high = (zero if bits & 8 else second if bits & 2 else first for bits in (number & 15, number >> 4))
    places = [*range(half), *range(count, count + half)]
    offsets = (half * (number & 1), half * (number >> 4 & 1))
    return rewriter.shuffle(low, high, [place + offsets[index >= half] for index, place in enumerate(places)])


def _byte_align(rewriter: CallRewriter) -> Value:
    """Return bytes of the second argument followed by the first, lane by lane, from some byte on."""
    high, low, constant, otherwise, mask = rewriter.arguments
    shift = cast("ConstantInt", constant).unsigned
    count = cast("VectorType", high.type).count
    if shift >= 32:
        return rewriter.zero(high.type)
    if shift > 16:
        shift, high, low = shift - 16, rewriter.zero(high.type), high
    in_lane = [index + shift + (count - 16 if index + shift >= 16 else 0) for index in range(16)]
    places = [lane + place for lane in range(0, count, 16) for place in in_lane]
    return blended(rewriter, mask, rewriter.shuffle(low, high, places, "palignr"), otherwise)


def _align(rewriter: CallRewriter) -> Value:
    """Return elements of the second argument followed by the first, from some element on."""
    high, low, constant = rewriter.arguments[:3]
    count = cast("VectorType", high.type).count
    shift = cast("ConstantInt", constant).unsigned % count
    return rewriter.shuffle(low, high, range(shift, shift + count), "palignr")


def _inserted(rewriter: CallRewriter) -> Value:
    """Return the first argument with the second in the place of one part of it."""
    whole, part, constant = rewriter.arguments[:3]
    count, size = cast("VectorType", whole.type).count, cast("VectorType", part.type).count
    first = cast("ConstantInt", constant).unsigned % (count // size) * size
    widened = rewriter.shuffle(part, rewriter.poison(part.type), [min(index, size) for index in range(count)])
    places = list(range(count))
    places[first : first + size] = range(count, count + size)
    return rewriter.shuffle(whole, widened, places)


def _extracted(rewriter: CallRewriter) -> Value:
    """Return one part of the first argument."""
    whole, constant = rewriter.arguments[:2]
    size = cast("VectorType", rewriter.call.type).count
    parts = cast("VectorType", whole.type).count // size
    first = cast("ConstantInt", constant).unsigned % parts * size
    return rewriter.shuffle(whole, whole, range(first, first + size))


def _repeated(rewriter: CallRewriter) -> Value:
    """Return the first argument as often as it fits."""
    part = rewriter.arguments[0]
    size = cast("VectorType", part.type).count
    return rewriter.shuffle(part, part, [index % size for index in range(cast("VectorType", rewriter.call.type).count)])


def _first_everywhere(rewriter: CallRewriter) -> Value:
    """Return the lowest element of the first argument in all places."""
    source = rewriter.arguments[0]
    count = cast("VectorType", rewriter.call.type).count
    return rewriter.shuffle(source, rewriter.poison(source.type), (0,) * count)


def _everywhere(rewriter: CallRewriter) -> Value:
    return rewriter.splat(cast("VectorType", rewriter.call.type).count, rewriter.arguments[0])


def _mask_everywhere(rewriter: CallRewriter) -> Value:
    """Return a mask as an integer in all places."""
    type_ = cast("VectorType", rewriter.call.type)
    return rewriter.splat(type_.count, rewriter.cast("zext", rewriter.arguments[0], type_.element_type))


def _of_one_element(vectors: Mapping[str, VectorType]) -> bool:
    return vectors["V"].element_type is vectors["W"].element_type


def _is_part(vectors: Mapping[str, VectorType]) -> bool:
    """Return whether `W` is made like `V`, but not wider."""
    return _of_one_element(vectors) and vectors["W"].count <= vectors["V"].count


def _is_whole(vectors: Mapping[str, VectorType]) -> bool:
    """Return whether `W` is made like `V`, but not narrower."""
    return _of_one_element(vectors) and vectors["W"].count >= vectors["V"].count


def _of_256(vectors: Mapping[str, VectorType]) -> bool:
    return bit_width(vectors["V"]) == 256


def _of_lanes(vectors: Mapping[str, VectorType]) -> bool:
    return bit_width(vectors["V"]) > _LANE


def _of_quads(vectors: Mapping[str, VectorType]) -> bool:
    return vectors["V"].count % 4 == 0


def _named(names: str, *rows: X86Row) -> Rows:
    return dict.fromkeys(names.split(), rows)


def _told(element: str, choose: Choice) -> tuple[X86Row, X86Row]:
    """Return the rows, without a mask and with one, of a shuffle of one vector."""
    plain = _shuffled(choose, sources=1)
    return X86Row(f"V{element}(V,#)", plain), X86Row(f"V{element}(V,#,V,M)", masked(plain))


def _paired(choose: Choice) -> X86Row:
    return X86Row("V(V,V,V,M)", masked(_shuffled(choose, sources=2, is_told=False)))


def _doubled(element: str, choose: Choice) -> X86Row:
    return X86Row(f"V{element}(V,V,M)", masked(_shuffled(choose, sources=1, is_told=False)))


ROWS: Rows = {
    **_named("sse2.pshuf.d avx512.mask.pshuf.d.*", *_told("i32", _dword)),
    **_named("avx.vpermil.* avx512.mask.vpermil.p*", *_told("f", _dword)),
    **_named("sse2.pshufl.w avx512.mask.pshufl.w.*", *_told("i16", _low_words)),
    **_named("sse2.pshufh.w avx512.mask.pshufh.w.*", *_told("i16", _high_words)),
    **_named(
        "avx512.mask.perm.df.* avx512.mask.perm.di.*",
        X86Row("V(V,#,V,M)", masked(_shuffled(_quads, sources=1)), _of_quads),
    ),
    **_named("avx512.mask.shuf.p*", X86Row("Vf(V,V,#,V,M)", masked(_shuffled(_two_source, sources=2)))),
    **_named(
        "avx512.mask.shuf.i* avx512.mask.shuf.f*",
        X86Row("V(V,V,#,V,M)", masked(_shuffled(_lanes, sources=2)), _of_lanes),
    ),
    **_named(
        "sse41.pblendw sse41.blendp* avx.blend.p* avx2.pblendw avx2.pblendd.*",
        X86Row("V(V,V,#)", _shuffled(_blend, sources=2)),
    ),
    **_named("avx512.mask.movddup* avx512.mask.movsldup*", _doubled("f", _even)),
    **_named("avx512.mask.movshdup*", _doubled("f", _odd)),
    **_named("avx512.mask.punpckl* avx512.mask.unpckl.*", _paired(_low_pairs)),
    **_named("avx512.mask.punpckh* avx512.mask.unpckh.*", _paired(_high_pairs)),
    **_named("avx.vperm2f128.* avx2.vperm2i128", X86Row("V(V,V,#)", _halves, _of_256)),
    **_named("avx512.mask.palignr.*", X86Row("Vi8(V,V,#,V,M)", _byte_align)),
    **_named("avx512.mask.valign.*", X86Row("Vi(V,V,#,V,M)", masked(_align))),
    **_named(
        "avx.vinsertf128.* avx2.vinserti128 avx512.mask.insert*",
        X86Row("V(V,W,#)", _inserted, _is_part),
        X86Row("V(V,W,#,V,M)", masked(_inserted), _is_part),
    ),
    **_named(
        "avx.vextractf128.* avx2.vextracti128 avx512.mask.vextract*",
        X86Row("V(W,#)", _extracted, _is_whole),
        X86Row("V(W,#,V,M)", masked(_extracted), _is_whole),
    ),
    **_named(
        "avx512.mask.broadcastf32x4.* avx512.mask.broadcastf32x8.* avx512.mask.broadcastf64x2.*"
        " avx512.mask.broadcastf64x4.* avx512.mask.broadcasti32x4.* avx512.mask.broadcasti32x8.*"
        " avx512.mask.broadcasti64x2.* avx512.mask.broadcasti64x4.*",
        X86Row("V(W,V,M)", masked(_repeated), _is_part),
    ),
    **_named(
        "avx2.pbroadcast* avx2.vbroadcast* avx512.pbroadcast* avx512.mask.broadcast.s*",
        X86Row("V(W)", _first_everywhere, _of_one_element),
        X86Row("V(W,V,M)", masked(_first_everywhere), _of_one_element),
    ),
    **_named("avx512.mask.pbroadcast*", X86Row("V(E,V,M)", masked(_everywhere))),
    **_named("avx512.broadcastm*", X86Row("Vi64(i8)", _mask_everywhere), X86Row("Vi32(i16)", _mask_everywhere)),
}
