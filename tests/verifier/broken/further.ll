;;; Intrinsic does not support vectors
declare <2 x i32> @llvm.experimental.constrained.lrint.v2i32.v2f32(<2 x float>, metadata, metadata)
define <2 x i32> @f(<2 x float> %a) strictfp {
  %r = call <2 x i32> @llvm.experimental.constrained.lrint.v2i32.v2f32(<2 x float> %a, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  ret <2 x i32> %r
}
;;; Intrinsic first argument and result disagree on vector use
declare <2 x i32> @llvm.experimental.constrained.fptosi.v2i32.f32(float, metadata)
define <2 x i32> @f(float %a) strictfp {
  %r = call <2 x i32> @llvm.experimental.constrained.fptosi.v2i32.f32(float %a, metadata !"fpexcept.strict") strictfp
  ret <2 x i32> %r
}
;;; Intrinsic first argument and result vector lengths must be equal
declare <2 x float> @llvm.experimental.constrained.sitofp.v2f32.v4i32(<4 x i32>, metadata, metadata)
define <2 x float> @f(<4 x i32> %a) strictfp {
  %r = call <2 x float> @llvm.experimental.constrained.sitofp.v2f32.v4i32(<4 x i32> %a, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  ret <2 x float> %r
}
;;; Intrinsic first argument's type must be larger than result type
declare double @llvm.experimental.constrained.fptrunc.f64.f32(float, metadata, metadata)
define double @f(float %a) strictfp {
  %r = call double @llvm.experimental.constrained.fptrunc.f64.f32(float %a, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  ret double %r
}
;;; Intrinsic first argument's type must be smaller than result type
declare float @llvm.experimental.constrained.fpext.f32.f64(double, metadata)
define float @f(double %a) strictfp {
  %r = call float @llvm.experimental.constrained.fpext.f32.f64(double %a, metadata !"fpexcept.strict") strictfp
  ret float %r
}
;;; Return type cannot be x86_amx for indirect call!
define void @f(ptr %p) {
  %r = call x86_amx %p()
  ret void
}
;;; Multiple funclet operand bundles
declare i32 @__CxxFrameHandler3(...)
declare void @g()
define void @f() personality ptr @__CxxFrameHandler3 {
  invoke void @g() to label %a unwind label %b
a:
  ret void
b:
  %p = cleanuppad within none []
  call void @g() [ "funclet"(token %p), "funclet"(token %p) ]
  cleanupret from %p unwind to caller
}
;;; Multiple gc-transition operand bundles
declare void @g()
define void @f() {
  call void @g() [ "gc-transition"(), "gc-transition"() ]
  ret void
}
;;; Multiple CFGuardTarget operand bundles
declare void @g()
define void @f(ptr %p) {
  call void @g() [ "cfguardtarget"(ptr %p), "cfguardtarget"(ptr %p) ]
  ret void
}
;;; Multiple ptrauth operand bundles
define void @f(ptr %p) {
  call void %p() [ "ptrauth"(i32 0, i64 0), "ptrauth"(i32 0, i64 0) ]
  ret void
}
;;; Ptrauth bundle key operand must be an i32 constant
define void @f(ptr %p) {
  call void %p() [ "ptrauth"(i64 0, i64 0) ]
  ret void
}
;;; Expected exactly one kcfi bundle operand
define void @f(ptr %p) {
  call void %p() [ "kcfi"(i32 0, i32 0) ]
  ret void
}
;;; Multiple "clang.arc.attachedcall" operand bundles
declare ptr @objc_retainAutoreleasedReturnValue(ptr)
declare ptr @g()
define void @f() {
  %r = call ptr @g() [ "clang.arc.attachedcall"(ptr @objc_retainAutoreleasedReturnValue), "clang.arc.attachedcall"(ptr @objc_retainAutoreleasedReturnValue) ]
  ret void
}
;;; a call with operand bundle "clang.arc.attachedcall" must call a function returning a pointer or a non-returning function that has a void return type
declare ptr @objc_retainAutoreleasedReturnValue(ptr)
declare i32 @g()
define void @f() {
  %r = call i32 @g() [ "clang.arc.attachedcall"(ptr @objc_retainAutoreleasedReturnValue) ]
  ret void
}
;;; immarg value 9 out of range [0, 4)
declare void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6), i64, i64, i32, i1, i32, i32, i32)
define void @f(ptr addrspace(6) %p) {
  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) %p, i64 0, i64 0, i32 0, i1 false, i32 0, i32 1, i32 9)
  ret void
}
;;; inalloca isn't on the last argument!
declare void @g(...)
define void @f() {
  %a = alloca inalloca i32
  call void (...) @g(ptr inalloca(i32) %a, i32 0)
  ret void
}
;;; arguments to separate_storage assumptions should be pointers
declare void @llvm.assume(i1)
define void @f(i32 %a) {
  call void @llvm.assume(i1 true) [ "separate_storage"(i32 %a, i32 %a) ]
  ret void
}
;;; alignment assumptions should have 2 or 3 arguments
declare void @llvm.assume(i1)
define void @f(ptr %p) {
  call void @llvm.assume(i1 true) [ "align"(ptr %p) ]
  ret void
}
;;; first argument should be a pointer
declare void @llvm.assume(i1)
define void @f() {
  call void @llvm.assume(i1 true) [ "align"(i32 1, i32 8) ]
  ret void
}
;;; third argument should be an integer if present
declare void @llvm.assume(i1)
define void @f(ptr %p) {
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i32 8, ptr %p) ]
  ret void
}
;;; this attribute should have 2 arguments
declare void @llvm.assume(i1)
define void @f(ptr %p) {
  call void @llvm.assume(i1 true) [ "dereferenceable_or_null"(ptr %p) ]
  ret void
}
;;; the second argument should be a constant integral value
declare void @llvm.assume(i1)
define void @f(ptr %p, i64 %n) {
  call void @llvm.assume(i1 true) [ "dereferenceable_or_null"(ptr %p, i64 %n) ]
  ret void
}
;;; incorrect alignment of the source argument
declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i32(ptr, ptr, i32, i32)
define void @f(ptr %p) {
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i32(ptr align 4 %p, ptr %p, i32 8, i32 4)
  ret void
}
;;; llvm.gcroot parameter #2 must be a constant.
declare void @llvm.gcroot(ptr, ptr)
define void @f(ptr %p) gc "shadow-stack" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr %p)
  ret void
}
;;; llvm.gcroot parameter #1 must either be a pointer alloca, or argument #2 must be a non-null constant.
declare void @llvm.gcroot(ptr, ptr)
define void @f() gc "shadow-stack" {
  %a = alloca i32
  call void @llvm.gcroot(ptr %a, ptr null)
  ret void
}
;;; llvm.init_trampoline parameter #2 must resolve to a function.
declare void @llvm.init.trampoline(ptr, ptr, ptr)
define void @f(ptr %p) {
  call void @llvm.init.trampoline(ptr %p, ptr %p, ptr %p)
  ret void
}
;;; cache type argument to llvm.prefetch must be 0-1
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
define void @f(ptr %p) {
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 0, i32 2)
  ret void
}
;;; llvm.stackprotector parameter #2 must resolve to an alloca.
declare void @llvm.stackprotector(ptr, ptr)
define void @f(ptr %p) {
  call void @llvm.stackprotector(ptr %p, ptr %p)
  ret void
}
;;; llvm.localrecover first argument must be function defined in this module
declare ptr @llvm.localrecover(ptr, ptr, i32)
declare void @g()
define void @f(ptr %p) {
  %r = call ptr @llvm.localrecover(ptr @g, ptr %p, i32 0)
  ret void
}
;;; llvm.ptrmask intrinsic arguments must be both scalars or both vectors
declare ptr @llvm.ptrmask.p0.v2i64(ptr, <2 x i64>)
define ptr @f(ptr %p, <2 x i64> %m) {
  %r = call ptr @llvm.ptrmask.p0.v2i64(ptr %p, <2 x i64> %m)
  ret ptr %r
}
;;; llvm.ptrmask intrinsic arguments must have the same number of elements
declare <4 x ptr> @llvm.ptrmask.v4p0.v2i64(<4 x ptr>, <2 x i64>)
define <4 x ptr> @f(<4 x ptr> %p, <2 x i64> %m) {
  %r = call <4 x ptr> @llvm.ptrmask.v4p0.v2i64(<4 x ptr> %p, <2 x i64> %m)
  ret <4 x ptr> %r
}
;;; llvm.threadlocal.address first argument must be a GlobalValue
declare ptr @llvm.threadlocal.address.p0(ptr)
define ptr @f(ptr %p) {
  %r = call ptr @llvm.threadlocal.address.p0(ptr %p)
  ret ptr %r
}
;;; Bogus funclet pad use
declare i32 @personality(...)
declare void @g()
define void @f() personality ptr @personality {
  invoke void @g() to label %a unwind label %b
a:
  ret void
b:
  %p = cleanuppad within none []
  %c = icmp eq ptr null, null
  br label %d
d:
  callbr void asm "", "r"(token %p) to label %a []
}
;;; CatchPadInst needs to be directly nested in a CatchSwitchInst.
declare i32 @personality(...)
define void @f() personality ptr @personality {
  br label %b
b:
  %c = cleanuppad within none []
  br label %d
d:
  %p = catchpad within %c []
  unreachable
}
;;; CleanupPadInst needs to be in a function with a personality.
define void @f() {
  br label %b
b:
  %p = cleanuppad within none []
  unreachable
}
;;; nofree applies only to pointer types
define i32 @f(ptr %p) {
  %r = load i32, ptr %p, !nofree !0
  ret i32 %r
}
!0 = !{}
;;; Wrong number of InvokeInst branch_weights operands
declare i32 @personality(...)
declare void @g()
define void @f() personality ptr @personality {
  invoke void @g() to label %a unwind label %b, !prof !0
a:
  ret void
b:
  %l = landingpad { ptr, i32 } cleanup
  ret void
}
!0 = !{!"branch_weights", i32 1, i32 2, i32 3}
;;; !callsite metadata should only exist on calls
define void @f(ptr %p) {
  store i32 0, ptr %p, !callsite !0
  ret void
}
!0 = !{i64 1}
;;; annotation must be a tuple
define void @f(ptr %p) {
  store i32 0, ptr %p, !annotation !DILocation(line: 1, scope: !1)
  ret void
}
!1 = distinct !DISubprogram(name: "f")
;;; !captures metadata can only be applied to store with value operand of pointer type
define void @f(ptr %p) {
  store i32 0, ptr %p, !captures !0
  ret void
}
!0 = !{!"address"}
;;; !alloc_token should only exist on calls
define void @f(ptr %p) {
  store i32 0, ptr %p, !alloc_token !0
  ret void
}
!0 = !{!"int", i1 false}
;;; align applies only to load instructions, use attributes for calls or invokes
declare ptr @g()
define void @f() {
  %r = call ptr @g(), !align !0
  ret void
}
!0 = !{i64 8}
;;; function must have a single !prof attachment
define void @f() !prof !0 !prof !0 {
  ret void
}
!0 = !{!"function_entry_count", i64 1}
;;; function must have a single !kcfi_type attachment
define void @f() !kcfi_type !0 !kcfi_type !0 {
  ret void
}
!0 = !{i32 1}
;;; Attribute 'elementtype' can only be applied to a callsite.
declare void @f(ptr elementtype(i32))
;;; Calling convention disallows preallocated
define amdgpu_kernel void @f(ptr preallocated(i32) %p) {
  ret void
}
;;; invalid value for 'guarded-control-stack' attribute: x
define void @f() "guarded-control-stack"="x" {
  ret void
}
;;; invalid value for 'branch-protection-pauth-lr' attribute: x
define void @f() "branch-protection-pauth-lr"="x" {
  ret void
}
;;; invalid value for 'sign-return-address-key' attribute: x
define void @f() "sign-return-address"="all" "sign-return-address-key"="x" {
  ret void
}
;;; invalid value for 'denormal-fp-math-f32' attribute: x
define void @f() "denormal-fp-math-f32"="x" {
  ret void
}
;;; Expected two operands
define void @f() {
  br label %a
a:
  br label %a, !llvm.loop !0
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.estimated_trip_count"}
;;; Expected second operand to be an integer constant of type i32 or smaller
define void @f() {
  br label %a
a:
  br label %a, !llvm.loop !0
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.estimated_trip_count", i64 3}
;;; an ifunc may not have a !prof attachment
@i = ifunc void (), ptr @r, !prof !0
define ptr @r() {
  ret ptr null
}
!0 = !{}
;;; dllexport GlobalValue must have default or protected visibility
@g = hidden dllexport global i32 0
;;; Stride must be signed constant or DIVariable or DIExpression
!named = !{!0}
!0 = !DIGenericSubrange(lowerBound: !DIExpression(), upperBound: !DIExpression(), stride: !1)
!1 = !{}
;;; invalid template parameters
!named = !{!0}
!0 = !DIDerivedType(tag: DW_TAG_template_alias, name: "a", baseType: null, extraData: i32 1)
;;; extraData must be ConstantAsMetadata, MDString, DIObjCProperty, or MDTuple with single ConstantAsMetadata operand
!named = !{!0}
!0 = !DIDerivedType(tag: DW_TAG_member, name: "a", baseType: null, extraData: !{})
;;; expected string
declare ptr @g()
define void @f() {
  %r = call ptr @g(), !alloc_token !0
  ret void
}
!0 = !{i32 0, i1 false}
;;; expected integer constant
declare ptr @g()
define void @f() {
  %r = call ptr @g(), !alloc_token !0
  ret void
}
!0 = !{!"int", !"x"}
;;; invalid value profiling metadata
define void @f(ptr %p) {
  call void %p(), !prof !0
  ret void
}
!0 = !{!"VP", i32 0, i64 1}
;;; inalloca attribute not allowed in tailcc musttail caller
declare tailcc void @g(ptr inalloca(i32))
define tailcc void @f(ptr inalloca(i32) %p) {
  musttail call tailcc void @g(ptr inalloca(i32) %p)
  ret void
}
;;; swifterror attribute not allowed in swifttailcc musttail caller
declare swifttailcc void @g(ptr swifterror)
define swifttailcc void @f(ptr swifterror %p) {
  musttail call swifttailcc void @g(ptr swifterror %p)
  ret void
}
;;; preallocated attribute not allowed in tailcc musttail caller
declare tailcc void @g(ptr preallocated(i32))
define tailcc void @f(ptr preallocated(i32) %p) {
  musttail call tailcc void @g(ptr preallocated(i32) %p)
  ret void
}
;;; byref attribute not allowed in tailcc musttail callee
declare tailcc void @g(ptr byref(i32))
define tailcc void @f(ptr %p) {
  musttail call tailcc void @g(ptr byref(i32) %p)
  ret void
}
;;; FuncletPadInst must not be nested within itself
declare i32 @personality(...)
define void @f() personality ptr @personality {
  ret void
first:
  %p = cleanuppad within %q []
  unreachable
second:
  %q = cleanuppad within %p []
  unreachable
}
;;; !mmra metadata attached to unexpected instruction kind
declare float @llvm.sqrt.f32(float)
define float @f(float %a) {
  %r = call float @llvm.sqrt.f32(float %a), !mmra !0
  ret float %r
}
!0 = !{}
