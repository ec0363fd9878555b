"""The first version of LLVM that knows each intrinsic, found by what the readers of all versions know.

Of the intrinsics of targets only those are listed that are expanded; those that LLVM 4 knows are not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.downgrade.expansions.targets import BFLOAT_PRODUCTS, BFLOAT_VECTORS, BYTE_PRODUCTS
from bitcodec.ir.types import VectorType
from bitcodec.tables.intrinsics import base_in

if TYPE_CHECKING:
    from collections.abc import Container

    from bitcodec.ir.types import FunctionType, Type

__all__ = ["FIRST_VERSIONS", "first_version", "shorter_base"]

_NEW = {
    5: "experimental.constrained.cos experimental.constrained.exp experimental.constrained.exp2 "
    "experimental.constrained.fadd experimental.constrained.fdiv experimental.constrained.fmul "
    "experimental.constrained.frem experimental.constrained.fsub experimental.constrained.log "
    "experimental.constrained.log10 experimental.constrained.log2 experimental.constrained.nearbyint "
    "experimental.constrained.pow experimental.constrained.powi experimental.constrained.rint "
    "experimental.constrained.sin experimental.constrained.sqrt memcpy.element.unordered.atomic "
    "memmove.element.unordered.atomic memset.element.unordered.atomic ssa.copy vector.reduce.add "
    "vector.reduce.and vector.reduce.fmax vector.reduce.fmin vector.reduce.mul vector.reduce.or "
    "vector.reduce.smax vector.reduce.smin vector.reduce.umax vector.reduce.umin vector.reduce.xor "
    "xray.customevent",
    6: "codeview.annotation experimental.constrained.fma sideeffect",
    7: "coro.noop icall.branch.funnel launder.invariant.group strip.invariant.group xray.typedevent",
    8: "eh.recoverfp fshl fshr experimental.widenable.condition is.constant objc.arc.annotation.bottomup.bbend "
    "objc.arc.annotation.bottomup.bbstart objc.arc.annotation.topdown.bbend objc.arc.annotation.topdown.bbstart "
    "objc.autorelease objc.autoreleasePoolPop objc.autoreleasePoolPush objc.autoreleaseReturnValue "
    "objc.clang.arc.use objc.copyWeak objc.destroyWeak objc.initWeak objc.loadWeak objc.loadWeakRetained "
    "objc.moveWeak objc.release objc.retain objc.retain.autorelease objc.retainAutorelease "
    "objc.retainAutoreleaseReturnValue objc.retainAutoreleasedReturnValue objc.retainBlock objc.retainedObject "
    "objc.storeStrong objc.storeWeak objc.sync.enter objc.sync.exit objc.unretainedObject objc.unretainedPointer "
    "objc.unsafeClaimAutoreleasedReturnValue sadd.sat smul.fix sponentry ssub.sat uadd.sat usub.sat",
    9: "experimental.constrained.fpext experimental.constrained.fptrunc hwasan.check.memaccess llrint llround "
    "loop.decrement loop.decrement.reg lrint lround preserve.array.access.index preserve.struct.access.index "
    "preserve.union.access.index set.loop.iterations smul.fix.sat test.set.loop.iterations umul.fix "
    "vector.reduce.fadd vector.reduce.fmul",
    10: "experimental.constrained.ceil experimental.constrained.floor experimental.constrained.maxnum "
    "experimental.constrained.minnum experimental.constrained.round experimental.constrained.trunc "
    "coro.alloca.alloc coro.alloca.free coro.alloca.get coro.id.retcon coro.id.retcon.once coro.prepare.retcon "
    "coro.suspend.retcon experimental.constrained.fcmp experimental.constrained.fcmps "
    "experimental.constrained.fptosi experimental.constrained.fptoui experimental.constrained.llrint "
    "experimental.constrained.llround experimental.constrained.lrint experimental.constrained.lround "
    "experimental.constrained.maximum experimental.constrained.minimum experimental.constrained.sitofp "
    "experimental.constrained.uitofp hwasan.check.memaccess.shortgranules matrix.multiply matrix.transpose "
    "ptrmask sdiv.fix udiv.fix umul.fix.sat",
    11: "call.preallocated.arg call.preallocated.setup call.preallocated.teardown expect.with.probability "
    "experimental.constrained.fmuladd experimental.constrained.roundeven get.active.lane.mask "
    "matrix.column.major.load matrix.column.major.store memcpy.inline read_volatile_register roundeven "
    "sdiv.fix.sat udiv.fix.sat vp.add vp.and vp.ashr vp.lshr vp.mul vp.or vp.sdiv vp.shl vp.srem vp.sub vp.udiv "
    "vp.urem vp.xor vscale",
    12: "abs coro.async.context.alloc coro.async.context.dealloc coro.async.resume coro.end.async coro.id.async "
    "coro.prepare.async coro.suspend.async experimental.noalias.scope.decl fptosi.sat fptoui.sat pseudoprobe smax "
    "smin sshl.sat start.loop.iterations ubsantrap umax umin ushl.sat vector.extract vector.insert",
    13: "arithmetic.fence coro.async.size.replace experimental.gc.get.pointer.base experimental.gc.get.pointer.offset "
    "objc.clang.arc.noop.use seh.scope.begin seh.scope.end seh.try.begin seh.try.end set.rounding stepvector "
    "swift.async.context.addr test.start.loop.iterations vector.reverse vector.splice.left vector.splice.right "
    "vp.fadd vp.fdiv vp.fmul vp.frem vp.fsub vp.gather vp.load vp.scatter vp.store",
    14: "aarch64.sve.ld2.sret aarch64.sve.ld3.sret aarch64.sve.ld4.sret "
    "asan.check.memaccess coro.align experimental.vp.splice instrprof.cover ptrauth.auth ptrauth.blend "
    "ptrauth.resign ptrauth.sign ptrauth.sign.generic ptrauth.strip vp.merge vp.reduce.add vp.reduce.and "
    "vp.reduce.fadd vp.reduce.fmax vp.reduce.fmin vp.reduce.fmul vp.reduce.mul vp.reduce.or vp.reduce.smax "
    "vp.reduce.smin vp.reduce.umax vp.reduce.umin vp.reduce.xor vp.select",
    15: "experimental.vp.strided.load experimental.vp.strided.store fptrunc.round is.fpclass memset.inline "
    "public.type.test vp.fcmp vp.fma vp.fneg vp.fpext vp.fptosi vp.fptoui vp.fptrunc vp.icmp vp.inttoptr "
    "vp.ptrtoint vp.sext vp.sitofp vp.trunc vp.uitofp vp.zext",
    16: "threadlocal.address vp.abs vp.bitreverse vp.bswap vp.ceil vp.copysign vp.ctlz vp.ctpop vp.cttz vp.fabs "
    "vp.floor vp.fmuladd vp.fshl vp.fshr vp.maxnum vp.minnum vp.nearbyint vp.rint vp.round vp.roundeven "
    "vp.roundtozero vp.smax vp.smin vp.sqrt vp.umax vp.umin",
    17: "maximum minimum callbr.landingpad experimental.constrained.ldexp experimental.convergence.anchor "
    "experimental.convergence.entry experimental.convergence.loop experimental.get.vector.length frexp get.fpenv "
    "instrprof.timestamp ldexp reset.fpenv set.fpenv type.checked.load.relative vector.deinterleave2 "
    "vector.interleave2 vector.reduce.fmaximum vector.reduce.fminimum",
    18: "coro.end.results exp10 experimental.cttz.elts experimental.vp.reverse get.fpmode instrprof.mcdc.parameters "
    "instrprof.mcdc.tvbitmap.update preserve.static.offset reset.fpmode set.fpmode vp.cttz.elts vp.is.fpclass "
    "vp.maximum vp.minimum",
    19: "acos allow.runtime.check allow.ubsan.check asin atan coro.await.suspend.bool coro.await.suspend.handle "
    "coro.await.suspend.void cosh experimental.constrained.acos experimental.constrained.asin "
    "experimental.constrained.atan experimental.constrained.cosh experimental.constrained.sinh "
    "experimental.constrained.tan experimental.constrained.tanh experimental.vector.compress "
    "experimental.vector.histogram.add hwasan.check.memaccess.fixedshadow "
    "hwasan.check.memaccess.shortgranules.fixedshadow instrprof.callsite readsteadycounter scmp sinh tan tanh "
    "ucmp vp.llrint vp.lrint vp.reduce.fmaximum vp.reduce.fminimum vp.sadd.sat vp.ssub.sat vp.uadd.sat "
    "vp.usub.sat",
    20: "atan2 coro.begin.custom.abi experimental.constrained.atan2 experimental.memset.pattern "
    "experimental.vector.extract.last.active experimental.vector.match fake.use "
    "objc.claimAutoreleasedReturnValue sincos vector.partial.reduce.add",
    21: "experimental.vector.histogram.uadd.sat experimental.vector.histogram.umax experimental.vector.histogram.umin "
    "modf sincospi vector.deinterleave3 vector.deinterleave4 vector.deinterleave5 vector.deinterleave6 "
    "vector.deinterleave7 vector.deinterleave8 vector.interleave3 vector.interleave4 vector.interleave5 "
    "vector.interleave6 vector.interleave7 vector.interleave8",
    22: "maximumnum minimumnum "
    "alloc.token.id allow.sanitize.address allow.sanitize.hwaddress allow.sanitize.memory allow.sanitize.thread "
    "clmul coro.is_in_ramp loop.dependence.raw.mask loop.dependence.war.mask protected.field.ptr reloc.none "
    "stackaddress vector.partial.reduce.fadd vp.load.ff",
}
_RECAST = {
    16: (*BFLOAT_PRODUCTS, *BFLOAT_VECTORS),
    22: BYTE_PRODUCTS,
}
"""Intrinsics of targets that take vectors of other elements before a version."""
FIRST_VERSIONS = {name: since for since, names in _NEW.items() for name in names.split()} | {
    name: since for since, names in _RECAST.items() for name in names
}
"""By name without `llvm.` and types, the first version that knows an intrinsic, by this name or an older one.

Two kinds count from a later version: those that take other arguments before (some of `experimental.constrained`), and
those for which the code generator for x86 selects no instructions (`maximum` and `minimum` before LLVM 17) or wrong
ones (`fshl` and `fshr` of odd widths in LLVM 7, `maximumnum` and `minimumnum` in LLVM 20 and 21).
"""


_FIRST_WITH_VECTORS = {"llrint": 18, "llround": 20, "lrint": 18, "lround": 20}
"""By name, the first version whose verifier accepts vectors."""
_REDUCTION = "vector.reduce."
_FIRST_WITH_ODD_LENGTHS = 12
"""Before it, reductions are experimental, and code generators take the length of a vector for a power of two."""


def first_version(base: str, function_type: FunctionType) -> int:
    """Return the first version that knows an intrinsic with some types, 0 if all do.

    Args:
        base: the name without `llvm.` and types.
        function_type: its type.
    """
    if isinstance(function_type.return_type, VectorType) and base in _FIRST_WITH_VECTORS:
        return _FIRST_WITH_VECTORS[base]
    known = FIRST_VERSIONS.get(base, 0)
    is_odd = base.startswith(_REDUCTION) and any(map(_has_odd_length, function_type.parameter_types))
    return max(known, _FIRST_WITH_ODD_LENGTHS) if is_odd else known


def _has_odd_length(type_: Type) -> bool:
    """Return whether the length of a vector is not a power of two."""
    return isinstance(type_, VectorType) and not type_.is_scalable and bool(type_.count & (type_.count - 1))


def shorter_base(base: str, names: Container[str], version: int) -> str:
    """Return the intrinsic that a version takes a newer one for, because the name begins like its name; "" if none.

    Args:
        base: the name of the newer one.
        names: the names of all intrinsics.
        version: of LLVM.
    """
    found = base_in(base.rpartition(".")[0], names)
    return found if found and FIRST_VERSIONS.get(found, 0) <= version else ""
