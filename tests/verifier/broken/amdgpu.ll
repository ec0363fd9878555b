;;; Callbr amdgcn_kill only supports one indirect dest
declare void @llvm.amdgcn.kill(i1)
define void @f(i1 %c) {
  callbr void @llvm.amdgcn.kill(i1 %c) to label %a []
a:
  ret void
}
;;; Callbr amdgcn_kill indirect dest needs to be unreachable
declare void @llvm.amdgcn.kill(i1)
define void @f(i1 %c) {
  callbr void @llvm.amdgcn.kill(i1 %c) to label %a [label %b]
a:
  ret void
b:
  ret void
}
;;; Callbr for intrinsics currently doesn't support operand bundles
declare void @llvm.amdgcn.kill(i1)
define void @f(i1 %c) {
  callbr void @llvm.amdgcn.kill(i1 %c) [ "x"(i1 %c) ] to label %a [label %b]
a:
  ret void
b:
  unreachable
}
;;; Callbr currently only supports asm-goto and selected intrinsics
declare void @llvm.donothing()
define void @f() {
  callbr void @llvm.donothing() to label %a []
a:
  ret void
}
;;; Callbr: indirect function / invalid signature
define void @f(ptr %p) {
  callbr void %p() to label %a []
a:
  ret void
}
;;; Calling convention requires first argument to be i1
define amdgpu_gfx_whole_wave void @f() {
  ret void
}
;;; Calling convention requires first argument to not be inreg
define amdgpu_gfx_whole_wave void @f(i1 inreg %a) {
  ret void
}
;;; Calling convention does not support varargs or perfect forwarding!
define amdgpu_gfx_whole_wave void @f(i1 %a, ...) {
  ret void
}
;;; Intrinsic cannot be called from functions with this calling convention
declare amdgpu_cs_chain void @c(i32 inreg, i32)
define amdgpu_kernel void @f() {
  call void (ptr, i64, i32, i32, i32, ...) @llvm.amdgcn.cs.chain.p0.i64.i32.i32(ptr @c, i64 -1, i32 inreg 1, i32 2, i32 0)
  unreachable
}
declare void @llvm.amdgcn.cs.chain.p0.i64.i32.i32(ptr, i64, i32, i32, i32 immarg, ...)
;;; SGPR arguments must have the `inreg` attribute
declare amdgpu_cs_chain void @c(i32 inreg, i32)
define amdgpu_kernel void @two_messages() {
  call void (ptr, i64, i32, i32, i32, ...) @llvm.amdgcn.cs.chain.p0.i64.i32.i32(ptr @c, i64 -1, i32 1, i32 2, i32 0)
  unreachable
}
declare void @llvm.amdgcn.cs.chain.p0.i64.i32.i32(ptr, i64, i32, i32, i32 immarg, ...)
;;; VGPR arguments must not have the `inreg` attribute
declare amdgpu_cs_chain void @c(i32 inreg, i32)
define amdgpu_cs_chain void @f() {
  call void (ptr, i64, i32, i32, i32, ...) @llvm.amdgcn.cs.chain.p0.i64.i32.i32(ptr @c, i64 -1, i32 inreg 1, i32 inreg 2, i32 0)
  unreachable
}
declare void @llvm.amdgcn.cs.chain.p0.i64.i32.i32(ptr, i64, i32, i32, i32 immarg, ...)
;;; llvm.amdgcn.cs.chain must be followed by unreachable
declare amdgpu_cs_chain void @c(i32 inreg, i32)
define amdgpu_cs_chain void @f() {
  call void (ptr, i64, i32, i32, i32, ...) @llvm.amdgcn.cs.chain.p0.i64.i32.i32(ptr @c, i64 -1, i32 inreg 1, i32 2, i32 0)
  ret void
}
declare void @llvm.amdgcn.cs.chain.p0.i64.i32.i32(ptr, i64, i32, i32, i32 immarg, ...)
;;; only inreg arguments to the parent function are valid as inputs to this intrinsic
define amdgpu_ps void @f(i32 %a) {
  call void @llvm.amdgcn.init.exec.from.input(i32 %a, i32 0)
  ret void
}
declare void @llvm.amdgcn.init.exec.from.input(i32, i32 immarg)
;;; Intrinsic can only be used from functions with the amdgpu_cs_chain or amdgpu_cs_chain_preserve calling conventions
define amdgpu_cs void @f(i32 %a, i32 %b) {
  %r = call i32 @llvm.amdgcn.set.inactive.chain.arg.i32(i32 %a, i32 %b)
  ret void
}
declare i32 @llvm.amdgcn.set.inactive.chain.arg.i32(i32, i32)
;;; Value for inactive lanes must not have the `inreg` attribute
define amdgpu_cs_chain void @f(i32 %a, i32 %b) {
  %r = call i32 @llvm.amdgcn.set.inactive.chain.arg.i32(i32 %a, i32 inreg %b)
  ret void
}
declare i32 @llvm.amdgcn.set.inactive.chain.arg.i32(i32, i32)
;;; Value for inactive lanes must be a function argument
define amdgpu_cs_chain void @f(i32 %a) {
  %r = call i32 @llvm.amdgcn.set.inactive.chain.arg.i32(i32 %a, i32 1)
  ret void
}
declare i32 @llvm.amdgcn.set.inactive.chain.arg.i32(i32, i32)
;;; Value for inactive lanes must be a VGPR function argument
define amdgpu_cs_chain void @f(i32 %a, i32 inreg %b) {
  %r = call i32 @llvm.amdgcn.set.inactive.chain.arg.i32(i32 %a, i32 %b)
  ret void
}
declare i32 @llvm.amdgcn.set.inactive.chain.arg.i32(i32, i32)
;;; Indirect whole wave calls are not allowed
define amdgpu_cs void @f(ptr %p) {
  %r = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr %p)
  ret void
}
declare i32 @llvm.amdgcn.call.whole.wave.i32.p0(ptr, ...)
;;; Callee must have the amdgpu_gfx_whole_wave calling convention
declare amdgpu_gfx i32 @g(i1)
define amdgpu_cs void @f() {
  %r = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr @g)
  ret void
}
declare i32 @llvm.amdgcn.call.whole.wave.i32.p0(ptr, ...)
;;; Variadic whole wave calls are not allowed
declare amdgpu_gfx_whole_wave i32 @g(i1, ...)
define amdgpu_cs void @f() {
  %r = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr @g)
  ret void
}
declare i32 @llvm.amdgcn.call.whole.wave.i32.p0(ptr, ...)
;;; Call argument count must match callee argument count
declare amdgpu_gfx_whole_wave i32 @g(i1, i32)
define amdgpu_cs void @f() {
  %r = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr @g)
  ret void
}
declare i32 @llvm.amdgcn.call.whole.wave.i32.p0(ptr, ...)
;;; Callee must have i1 as its first argument
declare amdgpu_gfx_whole_wave i32 @g(i32)
define amdgpu_cs void @f() {
  %r = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr @g)
  ret void
}
declare i32 @llvm.amdgcn.call.whole.wave.i32.p0(ptr, ...)
;;; Argument types must match
declare amdgpu_gfx_whole_wave i32 @g(i1, i32)
define amdgpu_cs void @f() {
  %r = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr @g, i64 1)
  ret void
}
declare i32 @llvm.amdgcn.call.whole.wave.i32.p0(ptr, ...)
;;; Argument inreg attributes must match
declare amdgpu_gfx_whole_wave i32 @g(i1, i32 inreg)
define amdgpu_cs void @f() {
  %r = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr @g, i32 1)
  ret void
}
declare i32 @llvm.amdgcn.call.whole.wave.i32.p0(ptr, ...)
;;; llvm.amdgcn.s.prefetch.data only supports global or constant memory
define void @f(ptr addrspace(3) %p) {
  call void @llvm.amdgcn.s.prefetch.data.p3(ptr addrspace(3) %p, i32 0)
  ret void
}
declare void @llvm.amdgcn.s.prefetch.data.p3(ptr addrspace(3), i32)
;;; invalid value for cbsz format
define <4 x float> @f(<8 x i32> %a, <8 x i32> %b, <4 x float> %c) {
  %r = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %b, <4 x float> %c, i32 5, i32 0, i32 0, i32 0, i32 0, i32 0)
  ret <4 x float> %r
}
declare <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32>, <8 x i32>, <4 x float>, i32 immarg, i32 immarg, i32 immarg, i32, i32 immarg, i32)
;;; invalid value for blgp format
define <4 x float> @f(<8 x i32> %a, <8 x i32> %b, <4 x float> %c) {
  %r = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %b, <4 x float> %c, i32 0, i32 5, i32 0, i32 0, i32 0, i32 0)
  ret <4 x float> %r
}
declare <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32>, <8 x i32>, <4 x float>, i32 immarg, i32 immarg, i32 immarg, i32, i32 immarg, i32)
;;; operand 0 must be 4, 6 or 8 element i32 vector
define <4 x float> @f(<5 x i32> %a, <8 x i32> %b, <4 x float> %c) {
  %r = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v5i32.v8i32(<5 x i32> %a, <8 x i32> %b, <4 x float> %c, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0)
  ret <4 x float> %r
}
declare <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v5i32.v8i32(<5 x i32>, <8 x i32>, <4 x float>, i32 immarg, i32 immarg, i32 immarg, i32, i32 immarg, i32)
;;; operand 1 must be 4, 6 or 8 element i32 vector
define <4 x float> @f(<8 x i32> %a, <8 x float> %b, <4 x float> %c) {
  %r = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8f32(<8 x i32> %a, <8 x float> %b, <4 x float> %c, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0)
  ret <4 x float> %r
}
declare <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8f32(<8 x i32>, <8 x float>, <4 x float>, i32 immarg, i32 immarg, i32 immarg, i32, i32 immarg, i32)
;;; invalid vector type for format
define <4 x float> @f(<8 x i32> %a, <4 x i32> %b, <4 x float> %c) {
  %r = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v4i32(<8 x i32> %a, <4 x i32> %b, <4 x float> %c, i32 0, i32 2, i32 0, i32 0, i32 0, i32 0)
  ret <4 x float> %r
}
declare <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v4i32(<8 x i32>, <4 x i32>, <4 x float>, i32 immarg, i32 immarg, i32 immarg, i32, i32 immarg, i32)
;;; invalid value for matrix format
define <8 x float> @f(<16 x i32> %a, <8 x float> %c) {
  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x128.f8f6f4.v8f32.v16i32.v16i32(i32 5, <16 x i32> %a, i32 1, <16 x i32> %a, i16 0, <8 x float> %c)
  ret <8 x float> %r
}
declare <8 x float> @llvm.amdgcn.wmma.f32.16x16x128.f8f6f4.v8f32.v16i32.v16i32(i32 immarg, <16 x i32>, i32 immarg, <16 x i32>, i16 immarg, <8 x float>)
;;; operand 1 must be 8, 12 or 16 element i32 vector
define <8 x float> @f(<9 x i32> %a, <16 x i32> %b, <8 x float> %c) {
  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x128.f8f6f4.v8f32.v9i32.v16i32(i32 4, <9 x i32> %a, i32 1, <16 x i32> %b, i16 0, <8 x float> %c)
  ret <8 x float> %r
}
declare <8 x float> @llvm.amdgcn.wmma.f32.16x16x128.f8f6f4.v8f32.v9i32.v16i32(i32 immarg, <9 x i32>, i32 immarg, <16 x i32>, i16 immarg, <8 x float>)
;;; operand 3 must be 8, 12 or 16 element i32 vector
define <8 x float> @f(<9 x i32> %a, <16 x i32> %b, <8 x float> %c) {
  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x128.f8f6f4.v8f32.v16i32.v9i32(i32 4, <16 x i32> %b, i32 1, <9 x i32> %a, i16 0, <8 x float> %c)
  ret <8 x float> %r
}
declare <8 x float> @llvm.amdgcn.wmma.f32.16x16x128.f8f6f4.v8f32.v16i32.v9i32(i32 immarg, <16 x i32>, i32 immarg, <9 x i32>, i16 immarg, <8 x float>)
;;; invalid vector type for format
define <8 x float> @f(<8 x i32> %a, <16 x i32> %b, <8 x float> %c) {
  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x128.f8f6f4.v8f32.v8i32.v16i32(i32 1, <8 x i32> %a, i32 1, <16 x i32> %b, i16 0, <8 x float> %c)
  ret <8 x float> %r
}
declare <8 x float> @llvm.amdgcn.wmma.f32.16x16x128.f8f6f4.v8f32.v8i32.v16i32(i32 immarg, <8 x i32>, i32 immarg, <16 x i32>, i16 immarg, <8 x float>)
;;; cooperative atomic intrinsics require a generic or global pointer
define void @f(ptr addrspace(3) %p) {
  %r = call i32 @llvm.amdgcn.cooperative.atomic.load.32x4B.p3(ptr addrspace(3) %p, i32 0, metadata !0)
  ret void
}
declare i32 @llvm.amdgcn.cooperative.atomic.load.32x4B.p3(ptr addrspace(3), i32 immarg, metadata)
!0 = !{!"workgroup"}
;;; cooperative atomic intrinsics require that the last argument is a metadata string
define void @f(ptr %p) {
  %r = call i32 @llvm.amdgcn.cooperative.atomic.load.32x4B.p0(ptr %p, i32 0, metadata !0)
  ret void
}
declare i32 @llvm.amdgcn.cooperative.atomic.load.32x4B.p0(ptr, i32 immarg, metadata)
!0 = !{}
