"""PTX for intrinsics that libNVVM lacks: one row each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.intrinsics import base_in, intrinsic_rows
from bitcodec.tables.nvvm_ptx import ptx_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["PTX", "Ptx", "instruction"]


class Ptx(NamedTuple):
    """PTX for an intrinsic.

    Attributes:
        text: instructions, with `$0`... for results and then operands.
        is_pure: whether it may be moved and left out.
        clobbers_memory: whether it reads or writes memory.
    """

    text: str
    is_pure: bool = False
    clobbers_memory: bool = False


def _pure(text: str) -> Ptx:
    return Ptx(text, is_pure=True)


def _of_memory(text: str) -> Ptx:
    return Ptx(text, clobbers_memory=True)


def _registers() -> dict[str, Ptx]:
    """Return the rows of special registers that libNVVM has no intrinsics for."""
    found = {}
    for register in ("clusterid", "nclusterid", "cluster.ctaid", "cluster.nctaid"):
        for axis in "xyz":
            name = register.replace("cluster.", "cluster_")
            found[f"nvvm.read.ptx.sreg.{register}.{axis}"] = _pure(f"mov.u32 $0, %{name}.{axis};")
    for register in ("cluster.ctarank", "cluster.nctarank"):
        found[f"nvvm.read.ptx.sreg.{register}"] = _pure(f"mov.u32 $0, %{register.replace('cluster.', 'cluster_')};")
    for register in ("aggr_smem_size", "dynamic_smem_size", "total_smem_size"):
        found[f"nvvm.read.ptx.sreg.{register}"] = _pure(f"mov.u32 $0, %{register};")
    found["nvvm.read.ptx.sreg.globaltimer.lo"] = Ptx("mov.u32 $0, %globaltimer_lo;")
    found["nvvm.read.ptx.sreg.globaltimer"] = Ptx("mov.u64 $0, %globaltimer;")
    return found


def _shuffles() -> dict[str, Ptx]:
    """Return the rows of shuffles that report whether the source is in range."""
    found = {}
    for mode in ("bfly", "down", "idx", "up"):
        for kind in ("i32", "f32"):
            text = f"{{ .reg .pred p; shfl.sync.{mode}.b32 $0|p, $3, $4, $5, $2; selp.b32 $1, 1, 0, p; }}"
            found[f"nvvm.shfl.sync.{mode}.{kind}p"] = Ptx(text)
    return found


def _reductions() -> dict[str, Ptx]:
    names = {"add": "add.s32", "and": "and.b32", "or": "or.b32", "xor": "xor.b32", "min": "min.s32", "max": "max.s32"}
    names.update(umin="min.u32", umax="max.u32")
    return {f"nvvm.redux.sync.{name}": Ptx(f"redux.sync.{text} $0, $1, $2;") for name, text in names.items()}


def _barriers() -> dict[str, Ptx]:
    found = {}
    for name, text in (("", "barrier"), (".aligned", "bar")):
        found[f"nvvm.barrier.cta.sync{name}.all"] = _of_memory(f"{text}.sync $0;")
        found[f"nvvm.barrier.cta.sync{name}.count"] = _of_memory(f"{text}.sync $0, $1;")
        found[f"nvvm.barrier.cta.arrive{name}.count"] = _of_memory(f"{text}.arrive $0, $1;")
        for ending, operands, last in (("all", "$1", "$2"), ("count", "$1, $2", "$3")):
            before = f"{{ .reg .pred p; setp.ne.u32 p, {last}, 0; "
            counted = f"{before}{text}.red.popc.u32 $0, {operands}, p; }}"
            found[f"nvvm.barrier.cta.red.popc{name}.{ending}"] = _of_memory(counted)
            for operation in ("and", "or"):
                combined = f"{before}{text}.red.{operation}.pred p, {operands}, p; selp.b32 $0, 1, 0, p; }}"
                found[f"nvvm.barrier.cta.red.{operation}{name}.{ending}"] = _of_memory(combined)
    for action in ("arrive", "arrive.aligned", "arrive.relaxed", "arrive.relaxed.aligned", "wait", "wait.aligned"):
        found[f"nvvm.barrier.cluster.{action}"] = _of_memory(f"barrier.cluster.{action};")
    # This one is `llvm.nvvm.barrier0` in LLVM 7.
    del found["nvvm.barrier.cta.sync.aligned.all"]
    return found


def _copies() -> dict[str, Ptx]:
    """Return the rows of copies from global to shared memory."""
    found = {}
    for cache, size in (("ca", 4), ("ca", 8), ("ca", 16), ("cg", 16)):
        text = f"cp.async.{cache}.shared.global [$0], [$1], {size}"
        found[f"nvvm.cp.async.{cache}.shared.global.{size}"] = _of_memory(f"{text};")
        found[f"nvvm.cp.async.{cache}.shared.global.{size}.s"] = _of_memory(f"{text}, $2;")
    return found


def _of_halves() -> dict[str, Ptx]:
    """Return the rows of arithmetic with 16 bits."""
    found = {"fma.f16": _pure("fma.rn.f16 $0, $1, $2, $3;"), "fma.v2f16": _pure("fma.rn.f16x2 $0, $1, $2, $3;")}
    found["fma.bf16"] = _pure("fma.rn.bf16 $0, $1, $2, $3;")
    found["fma.v2bf16"] = _pure("fma.rn.bf16x2 $0, $1, $2, $3;")
    for kind in ("f16", "f16x2"):
        for flags in ("", ".ftz", ".sat", ".ftz.sat", ".relu", ".ftz.relu"):
            found[f"nvvm.fma.rn{flags}.{kind}"] = _pure(f"fma.rn{flags}.{kind} $0, $1, $2, $3;")
        for operation in ("fmin", "fmax"):
            for flags in ("", ".ftz", ".nan", ".ftz.nan"):
                text = f"{operation[1:]}{flags.replace('nan', 'NaN')}.{kind} $0, $1, $2;"
                found[f"nvvm.{operation}{flags}.{kind}"] = _pure(text)
    for kind in ("bf16", "bf16x2"):
        for flags in ("", ".relu"):
            found[f"nvvm.fma.rn{flags}.{kind}"] = _pure(f"fma.rn{flags}.{kind} $0, $1, $2, $3;")
        for operation in ("fmin", "fmax"):
            for flags in ("", ".nan"):
                text = f"{operation[1:]}{flags.replace('nan', 'NaN')}.{kind} $0, $1, $2;"
                found[f"nvvm.{operation}{flags}.{kind}"] = _pure(text)
        found[f"nvvm.neg.{kind}"] = _pure(f"neg.{kind} $0, $1;")
    found["nvvm.ex2.approx.f16"] = _pure("ex2.approx.f16 $0, $1;")
    found["nvvm.ff2f16x2.rn"] = _pure("cvt.rn.f16x2.f32 $0, $1, $2;")
    found["nvvm.ff2bf16x2.rn"] = _pure("cvt.rn.bf16x2.f32 $0, $1, $2;")
    found["nvvm.f2f16.rn"] = _pure("cvt.rn.f16.f32 $0, $1;")
    found["nvvm.f2bf16.rn"] = _pure("cvt.rn.bf16.f32 $0, $1;")
    return found


PTX: Mapping[str, Ptx] = {
    **_registers(),
    **_shuffles(),
    **_reductions(),
    **_of_halves(),
    **_barriers(),
    **_copies(),
    "nvvm.activemask": Ptx("activemask.b32 $0;"),
    "nvvm.bmsk.clamp": _pure("bmsk.clamp.b32 $0, $1, $2;"),
    "nvvm.bmsk.wrap": _pure("bmsk.wrap.b32 $0, $1, $2;"),
    "nvvm.cp.async.commit.group": _of_memory("cp.async.commit_group;"),
    "nvvm.cp.async.wait.all": _of_memory("cp.async.wait_all;"),
    "nvvm.cp.async.wait.group": _of_memory("cp.async.wait_group $0;"),
    "nvvm.div.full": _pure("div.full.f32 $0, $1, $2;"),
    "nvvm.div.full.ftz": _pure("div.full.ftz.f32 $0, $1, $2;"),
    "nvvm.elect.sync": Ptx("{ .reg .pred p; elect.sync $0|p, $2; selp.b32 $1, 1, 0, p; }"),
    "nvvm.ex2.approx.f32": _pure("ex2.approx.f32 $0, $1;"),
    "nvvm.ex2.approx.ftz.f32": _pure("ex2.approx.ftz.f32 $0, $1;"),
    "nvvm.fence.sc.cluster": _of_memory("fence.sc.cluster;"),
    "nvvm.griddepcontrol.launch.dependents": _of_memory("griddepcontrol.launch_dependents;"),
    "nvvm.griddepcontrol.wait": _of_memory("griddepcontrol.wait;"),
    "nvvm.f2tf32.rna": _pure("cvt.rna.tf32.f32 $0, $1;"),
    "nvvm.idp4a.s.s": _pure("dp4a.s32.s32 $0, $1, $2, $3;"),
    "nvvm.idp4a.s.u": _pure("dp4a.s32.u32 $0, $1, $2, $3;"),
    "nvvm.idp4a.u.s": _pure("dp4a.u32.s32 $0, $1, $2, $3;"),
    "nvvm.idp4a.u.u": _pure("dp4a.u32.u32 $0, $1, $2, $3;"),
    "nvvm.nanosleep": Ptx("nanosleep.u32 $0;"),
    "nvvm.prefetch.L1": Ptx("prefetch.L1 [$0];"),
    "nvvm.prefetch.L2": Ptx("prefetch.L2 [$0];"),
    "nvvm.prefetch.global.L1": Ptx("prefetch.global.L1 [$0];"),
    "nvvm.prefetch.global.L2": Ptx("prefetch.global.L2 [$0];"),
    "nvvm.prmt.b4e": _pure("prmt.b32.b4e $0, $1, $2, $3;"),
    "nvvm.prmt.f4e": _pure("prmt.b32.f4e $0, $1, $2, $3;"),
    "nvvm.sext.clamp": _pure("szext.clamp.s32 $0, $1, $2;"),
    "nvvm.sext.wrap": _pure("szext.wrap.s32 $0, $1, $2;"),
    "nvvm.zext.clamp": _pure("szext.clamp.u32 $0, $1, $2;"),
    "nvvm.zext.wrap": _pure("szext.wrap.u32 $0, $1, $2;"),
}
"""By name without prefix."""


def instruction(name: str, constants: Sequence[int]) -> Ptx | None:
    """Return the instruction that LLVM 22 writes for an intrinsic, None if that is not one instruction.

    Args:
        name: without prefix.
        constants: values of the operands that must be constants.
    """
    texts, known = ptx_texts(), intrinsic_rows()
    text = texts.get(name) or texts.get(f"{name}({','.join(map(str, constants))})")
    if text is None:
        return None
    attributes = known[base_in(name, known)].attributes[0].split()
    uses_memory = "memory(none)" not in attributes
    return Ptx(text, is_pure=not uses_memory and "convergent" not in attributes, clobbers_memory=uses_memory)
