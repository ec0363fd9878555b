"""x86, of 32 and 64 bits."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from bitcodec.tables.opcodes import AtomicRMWOperation
from bitcodec.transforms.atomic_expand.architectures.operations import LOGIC
from bitcodec.transforms.atomic_expand.architectures.row import NO_IMPLICIT_FLOAT, Architecture, each, processors
from bitcodec.transforms.atomic_expand.description import AtomicTarget, Expansion, ExpansionRule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.transforms.atomic_expand.architectures.row import Features

__all__ = ["X86", "X86_64"]

_Op = AtomicRMWOperation
_NO_VECTORS = frozenset({"soft-float", NO_IMPLICIT_FLOAT})


def _x86_64(features: Features, *, is_optimized: bool) -> AtomicTarget:
    del is_optimized
    wide = "cx16" in features
    widest = 128 if wide else 64 if "cx8" in features else 32
    return _described(widest, 64, is_loaded_whole=wide and "avx" in features and not features & _NO_VECTORS)


def _x86(features: Features, *, is_optimized: bool) -> AtomicTarget:
    del is_optimized
    is_loaded_whole = bool(features & {"sse", "x87"}) and not features & _NO_VECTORS
    return _described(64 if "cx8" in features else 32, 32, is_loaded_whole=is_loaded_whole)


def _described(widest: int, register: int, *, is_loaded_whole: bool) -> AtomicTarget:
    """Return the description of a processor.

    Args:
        widest: the widest `cmpxchg`.
        register: the width of a register.
        is_loaded_whole: whether two registers' worth is loaded and stored at once, by other registers.
    """
    pair = 2 * register
    return AtomicTarget(
        largest=widest,
        load=() if is_loaded_whole else (ExpansionRule(Expansion.CMPXCHG, pair),),
        store=() if is_loaded_whole else (ExpansionRule(Expansion.EXCHANGE, pair),),
        operation=(
            ExpansionRule(Expansion.CMPXCHG, pair),
            ExpansionRule(Expansion.NONE, operations=frozenset({_Op.XCHG})),
            ExpansionRule(Expansion.FLAGS, operations=LOGIC | {_Op.ADD, _Op.SUB}),
            ExpansionRule(Expansion.CMPXCHG),
        ),
        fenced_load=register,
    )


_WITH_AVX = (
    *("avx2", "avx10.1", "avx10.1-512", "avx10.2", "avx10.2-512", "avx512bf16", "avx512bitalg", "avx512bw", "avx512cd"),
    *("avx512dq", "avx512f", "avx512fp16", "avx512ifma", "avx512vbmi", "avx512vbmi2", "avx512vl", "avx512vnni"),
    *("avx512vp2intersect", "avx512vpopcntdq", "avxifma", "avxneconvert", "avxvnni", "avxvnniint16", "avxvnniint8"),
    *("amx-avx512", "f16c", "fma", "fma4", "sha512", "sm3", "sm4", "vaes", "vpclmulqdq", "xop"),
)
_VERSIONS = ("sse", "sse2", "sse3", "ssse3", "sse4.1", "sse4.2", "avx")
_IMPLIED: Mapping[str, Features] = {
    **dict.fromkeys(_WITH_AVX, frozenset({"avx"})),
    **{later: frozenset({earlier}) for earlier, later in pairwise(_VERSIONS)},
    **dict.fromkeys(("aes", "gfni", "kl", "pclmul", "sha"), frozenset({"sse2"})),
    "sse4a": frozenset({"sse3"}),
    "widekl": frozenset({"kl"}),
}

_64_BIT = processors(
    {
        "cx8 x87 cx16 avx": """
            alderlake arrowlake arrowlake-s arrowlake_s bdver1 bdver2 bdver3 bdver4 broadwell btver2 cannonlake
            cascadelake clearwaterforest cooperlake core-avx-i core-avx2 core_2nd_gen_avx core_3rd_gen_avx
            core_4th_gen_avx core_4th_gen_avx_tsx core_5th_gen_avx core_5th_gen_avx_tsx corei7-avx diamondrapids
            emeraldrapids gracemont grandridge graniterapids graniterapids-d graniterapids_d haswell icelake-client
            icelake-server icelake_client icelake_server ivybridge knl knm lunarlake meteorlake mic_avx512 novalake
            pantherlake raptorlake rocketlake sandybridge sapphirerapids sierraforest skx skylake skylake-avx512
            skylake_avx512 tigerlake wildcatlake x86-64-v3 x86-64-v4 znver1 znver2 znver3 znver4 znver5""",
        "cx8 x87 cx16 sse4.2": """
            atom_sse4_2 atom_sse4_2_movbe core_aes_pclmulqdq core_i7_sse4_2 corei7 goldmont goldmont-plus goldmont_plus
            nehalem silvermont slm tremont westmere x86-64-v2""",
        "cx8 x87 cx16 sse3": """
            amdfam10 athlon64-sse3 atom barcelona bonnell btver1 core2 core_2_duo_sse4_1 core_2_duo_ssse3 k8-sse3
            nocona opteron-sse3 penryn""",
        "cx8 x87 sse2": "athlon-fx athlon64 k8 opteron x86-64",
    }
)
_32_BIT = processors(
    {
        "cx8 x87 sse2": "pentium-m pentium4 pentium4m pentium_4 pentium_4_sse3 pentium_m prescott yonah",
        "cx8 x87 sse": "athlon-4 athlon-mp athlon-xp c3-2 pentium3 pentium3m pentium_iii",
        "cx8 x87": """
            athlon athlon-tbird geode i586 i686 k6 k6-2 k6-3 pentium pentium-mmx pentium2 pentium_ii
            pentium_iii_no_xmm_regs pentium_mmx pentium_pro pentiumpro""",
        "x87": "c3 i386 i486 winchip-c6 winchip2",
        "cx8": "lakemont",
    }
)

_BASELINE = frozenset({"cx8", "x87", "sse2"})
X86_64 = Architecture(
    _x86_64,
    {"": _BASELINE, "generic": _BASELINE, **_64_BIT},
    _IMPLIED,
    each("-64bit", "-64bit-mode", "16bit-mode", "32bit-mode"),
)

_OLD_BASELINE = frozenset({"cx8", "x87"})
X86 = Architecture(
    _x86,
    {"": _OLD_BASELINE, "generic": _OLD_BASELINE, **_32_BIT, **_64_BIT},
    _IMPLIED,
    each("64bit-mode"),
)
