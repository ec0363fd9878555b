"""The first version of LLVM that has intrinsics of targets, and a few others, in the form of LLVM 22.

Found by what the verifiers of LLVM 15 to 21 refuse of calls of all intrinsics of LLVM 22: they know the intrinsic with
other arguments, or another one whose name begins like this one's.  A star ends what names of a family begin with.
"""

from __future__ import annotations

__all__ = ["first_version_of_form"]

_FORMS = {
    16: "aarch64.sme.addha aarch64.sme.addva aarch64.sme.ld1b* aarch64.sme.ld1d* aarch64.sme.ld1h* aarch64.sme.ld1q* "
    "aarch64.sme.ld1w* aarch64.sme.mopa* aarch64.sme.mops* aarch64.sme.read.horiz aarch64.sme.read.vert "
    "aarch64.sme.readq* aarch64.sme.smopa.wide aarch64.sme.smops.wide aarch64.sme.st1b* aarch64.sme.st1d* "
    "aarch64.sme.st1h* aarch64.sme.st1q* aarch64.sme.st1w* aarch64.sme.sumopa* aarch64.sme.sumops* "
    "aarch64.sme.umopa.wide aarch64.sme.umops.wide aarch64.sme.usmopa* aarch64.sme.usmops* "
    "aarch64.sme.write.horiz aarch64.sme.write.vert aarch64.sme.writeq* aarch64.sme.zero aarch64.sve.fcvt.x2 "
    "aarch64.sve.scvtf.x2 aarch64.sve.scvtf.x4 aarch64.sve.ucvtf.x2 aarch64.sve.ucvtf.x4 aarch64.sve.whilege.x2 "
    "aarch64.sve.whilegt.x2 aarch64.sve.whilehi.x2 aarch64.sve.whilehs.x2 aarch64.sve.whilele.x2 "
    "aarch64.sve.whilelo.x2 aarch64.sve.whilels.x2 aarch64.sve.whilelt.x2 x86.atomic.btc.rm x86.atomic.btr.rm "
    "x86.atomic.bts.rm",
    17: "aarch64.sve.add.single* aarch64.sve.cntp.c16 aarch64.sve.cntp.c32 aarch64.sve.cntp.c64 aarch64.sve.cntp.c8 "
    "aarch64.sve.fclamp.single* aarch64.sve.fmax.single* aarch64.sve.fmax.x2 aarch64.sve.fmax.x4 "
    "aarch64.sve.fmaxnm.single* aarch64.sve.fmaxnm.x2 aarch64.sve.fmaxnm.x4 aarch64.sve.fmin.single* "
    "aarch64.sve.fmin.x2 aarch64.sve.fmin.x4 aarch64.sve.fminnm.single* aarch64.sve.fminnm.x2 "
    "aarch64.sve.fminnm.x4 aarch64.sve.frinta.x2 aarch64.sve.frinta.x4 aarch64.sve.frintm.x2 "
    "aarch64.sve.frintm.x4 aarch64.sve.frintn.x2 aarch64.sve.frintn.x4 aarch64.sve.frintp.x2 "
    "aarch64.sve.frintp.x4 aarch64.sve.ld1.pn* aarch64.sve.ldnt1.pn* aarch64.sve.psel aarch64.sve.ptrue.c16 "
    "aarch64.sve.ptrue.c32 aarch64.sve.ptrue.c64 aarch64.sve.ptrue.c8 aarch64.sve.sclamp.single* "
    "aarch64.sve.sdot.lane.x2 aarch64.sve.sdot.x2 aarch64.sve.sel.x2 aarch64.sve.sel.x4 aarch64.sve.smax.single* "
    "aarch64.sve.smax.x2 aarch64.sve.smax.x4 aarch64.sve.smin.single* aarch64.sve.smin.x2 aarch64.sve.smin.x4 "
    "aarch64.sve.sqdmulh.single* aarch64.sve.sqdmulh.vgx2 aarch64.sve.sqdmulh.vgx4 aarch64.sve.srshl.single* "
    "aarch64.sve.srshl.x2 aarch64.sve.srshl.x4 aarch64.sve.st1.pn* aarch64.sve.stnt1.pn* "
    "aarch64.sve.uclamp.single* aarch64.sve.udot.lane.x2 aarch64.sve.udot.x2 aarch64.sve.umax.single* "
    "aarch64.sve.umax.x2 aarch64.sve.umax.x4 aarch64.sve.umin.single* aarch64.sve.umin.x2 aarch64.sve.umin.x4 "
    "aarch64.sve.urshl.single* aarch64.sve.urshl.x2 aarch64.sve.urshl.x4 aarch64.sve.whilege.c16 "
    "aarch64.sve.whilege.c32 aarch64.sve.whilege.c64 aarch64.sve.whilege.c8 aarch64.sve.whilegt.c16 "
    "aarch64.sve.whilegt.c32 aarch64.sve.whilegt.c64 aarch64.sve.whilegt.c8 aarch64.sve.whilehi.c16 "
    "aarch64.sve.whilehi.c32 aarch64.sve.whilehi.c64 aarch64.sve.whilehi.c8 aarch64.sve.whilehs.c16 "
    "aarch64.sve.whilehs.c32 aarch64.sve.whilehs.c64 aarch64.sve.whilehs.c8 aarch64.sve.whilele.c16 "
    "aarch64.sve.whilele.c32 aarch64.sve.whilele.c64 aarch64.sve.whilele.c8 aarch64.sve.whilelo.c16 "
    "aarch64.sve.whilelo.c32 aarch64.sve.whilelo.c64 aarch64.sve.whilelo.c8 aarch64.sve.whilels.c16 "
    "aarch64.sve.whilels.c32 aarch64.sve.whilels.c64 aarch64.sve.whilels.c8 aarch64.sve.whilelt.c16 "
    "aarch64.sve.whilelt.c32 aarch64.sve.whilelt.c64 aarch64.sve.whilelt.c8 nvvm.f2bf16.rn nvvm.f2bf16.rn.relu "
    "nvvm.f2bf16.rz nvvm.f2bf16.rz.relu nvvm.ff2bf16x2.rn nvvm.ff2bf16x2.rn.relu nvvm.ff2bf16x2.rz "
    "nvvm.ff2bf16x2.rz.relu nvvm.fma.rn.bf16 nvvm.fma.rn.bf16x2 nvvm.fma.rn.relu.bf16 nvvm.fma.rn.relu.bf16x2 "
    "nvvm.fmax.bf16 nvvm.fmax.bf16x2 nvvm.fmax.nan.bf16 nvvm.fmax.nan.bf16x2 nvvm.fmax.nan.xorsign.abs.bf16 "
    "nvvm.fmax.nan.xorsign.abs.bf16x2 nvvm.fmax.xorsign.abs.bf16 nvvm.fmax.xorsign.abs.bf16x2 nvvm.fmin.bf16 "
    "nvvm.fmin.bf16x2 nvvm.fmin.nan.bf16 nvvm.fmin.nan.bf16x2 nvvm.fmin.nan.xorsign.abs.bf16 "
    "nvvm.fmin.nan.xorsign.abs.bf16x2 nvvm.fmin.xorsign.abs.bf16 nvvm.fmin.xorsign.abs.bf16x2 nvvm.neg* "
    "riscv.aes32dsi riscv.aes32dsmi riscv.aes32esi riscv.aes32esmi riscv.sm4ed riscv.sm4ks riscv.vaadd* "
    "riscv.vaaddu* riscv.vasub* riscv.vasubu* riscv.vfadd* riscv.vfcvt.f* riscv.vfcvt.x* riscv.vfcvt.xu* "
    "riscv.vfdiv* riscv.vfmacc* riscv.vfmadd* riscv.vfmsac* riscv.vfmsub* riscv.vfmul* riscv.vfncvt.f.f.w "
    "riscv.vfncvt.f.f.w.alt riscv.vfncvt.f.f.w.mask riscv.vfncvt.f.x* riscv.vfncvt.f.xu* riscv.vfncvt.x* "
    "riscv.vfncvt.xu* riscv.vfnmacc* riscv.vfnmadd* riscv.vfnmsac* riscv.vfnmsub* riscv.vfrdiv* riscv.vfrec7* "
    "riscv.vfredosum* riscv.vfredusum* riscv.vfrsub* riscv.vfsqrt* riscv.vfsub* riscv.vfwadd* riscv.vfwcvt.x* "
    "riscv.vfwcvt.xu* riscv.vfwmacc* riscv.vfwmsac* riscv.vfwmul* riscv.vfwnmacc* riscv.vfwnmsac* "
    "riscv.vfwredosum* riscv.vfwredusum* riscv.vfwsub* riscv.vnclip* riscv.vnclipu* riscv.vsmul* riscv.vssra* "
    "riscv.vssrl* vp.abs vp.ctlz vp.cttz xray*",
    18: "aarch64.sme.ldr aarch64.sme.str aarch64.sve.fcvtzs.x2 aarch64.sve.fcvtzs.x4 aarch64.sve.fcvtzu.x2 "
    "aarch64.sve.fcvtzu.x4 amdgcn.wmma.bf16.16x16x16* amdgcn.wmma.f16.16x16x16* amdgcn.wmma.f32.16x16x16.bf16 "
    "amdgcn.wmma.f32.16x16x16.f16 amdgcn.wmma.i32.16x16x16.iu4 s390.vacccq s390.vaccq s390.vacq s390.vaq "
    "s390.vgfmag s390.vgfmg s390.vmslg s390.vsbcbiq s390.vsbiq s390.vscbiq s390.vsq s390.vsumqf s390.vsumqg",
    19: "aarch64.sve.dup.laneq aarch64.sve.fcvt.widen* amdgcn.fdot2 amdgcn.fdot2.bf16* amdgcn.fdot2.f32* "
    "instrprof.mcdc.tvbitmap* vp.cttz.elts",
    20: "amdgcn.cvt.scalef32.f16* amdgcn.cvt.scalef32.f32* amdgcn.cvt.scalef32.pk.bf16.fp4 "
    "amdgcn.cvt.scalef32.pk.f16.fp4 amdgcn.cvt.scalef32.pk.f32.fp4 amdgcn.cvt.scalef32.pk.fp4* "
    "amdgcn.cvt.scalef32.sr.bf8* amdgcn.cvt.scalef32.sr.fp8* amdgcn.cvt.scalef32.sr.pk* amdgcn.image.atomic* "
    "amdgcn.image.gather4* amdgcn.image.getlod* amdgcn.image.getresinfo* amdgcn.image.load* amdgcn.image.msaa* "
    "amdgcn.image.sample* amdgcn.image.store* amdgcn.perm amdgcn.permlane16.swap amdgcn.raw.buffer.load.format "
    "amdgcn.s.barrier amdgcn.s.barrier.init amdgcn.s.barrier.join amdgcn.s.barrier.leave amdgcn.s.barrier.signal "
    "amdgcn.s.barrier.signal.var amdgcn.s.wakeup* experimental.vector.extract* riscv.vloxseg2* riscv.vloxseg3* "
    "riscv.vloxseg4* riscv.vloxseg5* riscv.vloxseg6* riscv.vloxseg7* riscv.vloxseg8* riscv.vlseg2* "
    "riscv.vlseg2ff* riscv.vlseg3* riscv.vlseg3ff* riscv.vlseg4* riscv.vlseg4ff* riscv.vlseg5* riscv.vlseg5ff* "
    "riscv.vlseg6* riscv.vlseg6ff* riscv.vlseg7* riscv.vlseg7ff* riscv.vlseg8* riscv.vlseg8ff* riscv.vlsseg2* "
    "riscv.vlsseg3* riscv.vlsseg4* riscv.vlsseg5* riscv.vlsseg6* riscv.vlsseg7* riscv.vlsseg8* riscv.vluxseg2* "
    "riscv.vluxseg3* riscv.vluxseg4* riscv.vluxseg5* riscv.vluxseg6* riscv.vluxseg7* riscv.vluxseg8* "
    "riscv.vsoxseg2* riscv.vsoxseg3* riscv.vsoxseg4* riscv.vsoxseg5* riscv.vsoxseg6* riscv.vsoxseg7* "
    "riscv.vsoxseg8* riscv.vsseg2* riscv.vsseg3* riscv.vsseg4* riscv.vsseg5* riscv.vsseg6* riscv.vsseg7* "
    "riscv.vsseg8* riscv.vssseg2* riscv.vssseg3* riscv.vssseg4* riscv.vssseg5* riscv.vssseg6* riscv.vssseg7* "
    "riscv.vssseg8* riscv.vsuxseg2* riscv.vsuxseg3* riscv.vsuxseg4* riscv.vsuxseg5* riscv.vsuxseg6* "
    "riscv.vsuxseg7* riscv.vsuxseg8* spv.alloca* x86.mmx.maskmovq x86.mmx.movnt* x86.mmx.packssdw "
    "x86.mmx.packsswb x86.mmx.packuswb x86.mmx.padd* x86.mmx.padds* x86.mmx.paddus* x86.mmx.palignr* x86.mmx.pand "
    "x86.mmx.pandn x86.mmx.pavg* x86.mmx.pcmpeq* x86.mmx.pcmpgt* x86.mmx.pextr* x86.mmx.pinsr* x86.mmx.pmadd* "
    "x86.mmx.pmaxs* x86.mmx.pmaxu* x86.mmx.pmins* x86.mmx.pminu* x86.mmx.pmovmskb x86.mmx.pmulh* x86.mmx.pmulhu* "
    "x86.mmx.pmull* x86.mmx.pmulu* x86.mmx.por x86.mmx.psad* x86.mmx.psll* x86.mmx.pslli* x86.mmx.psra* "
    "x86.mmx.psrai* x86.mmx.psrl* x86.mmx.psrli* x86.mmx.psub* x86.mmx.psubs* x86.mmx.psubus* x86.mmx.punpckhbw "
    "x86.mmx.punpckhdq x86.mmx.punpckhwd x86.mmx.punpcklbw x86.mmx.punpckldq x86.mmx.punpcklwd x86.mmx.pxor "
    "x86.sse.cvtpd2pi x86.sse.cvtpi2pd x86.sse.cvtpi2ps x86.sse.cvtps2pi x86.sse.cvttpd2pi x86.sse.cvttps2pi "
    "x86.sse.pshuf* x86.ssse3.pabs* x86.ssse3.phadd.d x86.ssse3.phadd.sw x86.ssse3.phadd.w x86.ssse3.phsub.d "
    "x86.ssse3.phsub.sw x86.ssse3.phsub.w x86.ssse3.pmadd.ub.sw x86.ssse3.pmul.hr.sw x86.ssse3.pshuf.b "
    "x86.ssse3.psign.b x86.ssse3.psign.d x86.ssse3.psign.w",
    21: "amdgcn.cvt.scale* amdgcn.cvt.sr.bf8.f16 amdgcn.cvt.sr.fp8.f16 dx.dot2 dx.dot3 dx.dot4 "
    "nvvm.cp.async.bulk.global.to.shared.cluster nvvm.cp.async.bulk.shared.cta.to.cluster "
    "nvvm.cp.async.bulk.tensor.g2s.im2col* nvvm.cp.async.bulk.tensor.g2s.tile* nvvm.mapa* nvvm.mma.sp* "
    "nvvm.tcgen05.mma.shared.disable_output_lane* nvvm.tcgen05.mma.shared.scale_d.disable_output_lane* "
    "nvvm.tcgen05.mma.sp.shared.disable_output_lane* nvvm.tcgen05.mma.sp.shared.scale_d.disable_output_lane* "
    "nvvm.tcgen05.mma.sp.tensor.disable_output_lane* nvvm.tcgen05.mma.sp.tensor.scale_d.disable_output_lane* "
    "nvvm.tcgen05.mma.tensor.disable_output_lane* nvvm.tcgen05.mma.tensor.scale_d.disable_output_lane* "
    "nvvm.tcgen05.mma.ws* nvvm.tensormap.replace.elemtype nvvm.tensormap.replace.fill* "
    "nvvm.tensormap.replace.interleave* nvvm.tensormap.replace.swizzle* riscv.seg2* riscv.seg3* riscv.seg4* "
    "riscv.seg5* riscv.seg6* riscv.seg7* riscv.seg8* spv.assign.name x86.avx10.mask.vcvt2ps2phx.256 "
    "x86.avx10.mask.vcvtph2ibs256 x86.avx10.mask.vcvtph2iubs256 x86.avx10.mask.vcvtps2ibs256 "
    "x86.avx10.mask.vcvtps2iubs256 x86.avx10.mask.vcvttph2ibs256 x86.avx10.mask.vcvttph2iubs256 "
    "x86.avx10.mask.vcvttps2ibs256 x86.avx10.mask.vcvttps2iubs256",
    22: "aarch64.sve.fmul.single* aarch64.sve.fmul.x2 aarch64.sve.fmul.x4 aarch64.sve.fscale.single* "
    "aarch64.sve.fscale.x2 aarch64.sve.fscale.x4 amdgcn.make* dx.resource.handlefrombinding "
    "dx.resource.handlefromimplicitbinding riscv.vfncvt.f.f.w.alt.mask riscv.vfwcvt.f.f.v.alt.mask "
    "spv.resource.handlefrombinding spv.resource.handlefromimplicitbinding",
}
_FIRST_VERSIONS = {name: since for since, names in _FORMS.items() for name in names.split()}


def first_version_of_form(base: str) -> int:
    """Return the first version that has an intrinsic as LLVM 22 has it, 0 if nothing is known of it.

    Args:
        base: its name without `llvm.` and types.
    """
    found = _FIRST_VERSIONS.get(base, 0)
    while base and not found:
        found = _FIRST_VERSIONS.get(f"{base}*", 0)
        base = base.rpartition(".")[0]
    return found
