;;; calling convention does not permit calls
declare amdgpu_kernel void @kernel()
define void @calls_kernel() {
  call amdgpu_kernel void @kernel()
  ret void
}
;;; speculatable attribute may not apply to call sites
declare void @plain()
define void @speculates() {
  call void @plain() speculatable
  ret void
}
;;; Cannot take the address of an intrinsic!
declare void @llvm.donothing()
define void @takes_address(ptr %p) {
  store ptr @llvm.donothing, ptr %p
  ret void
}
;;; Invalid user of intrinsic instruction!
declare void @llvm.donothing()
@p = global ptr @llvm.donothing
;;; Cannot invoke an intrinsic other than donothing, patchpoint, statepoint, coro_resume, coro_destroy, clang.arc.attachedcall or wasm.(re)throw
declare i32 @llvm.bswap.i32(i32)
declare i32 @personality(...)
define void @invokes() personality ptr @personality {
  %x = invoke i32 @llvm.bswap.i32(i32 1) to label %normal unwind label %pad
normal:
  ret void
pad:
  %l = landingpad { ptr, i32 } cleanup
  ret void
}
;;; llvm intrinsics cannot be defined!
define void @llvm.donothing() {
  ret void
}
;;; Intrinsic called with incompatible signature
declare void @llvm.donothing()
define void @other_type() {
  call void (i32) @llvm.donothing(i32 1)
  ret void
}
;;; immarg operand has non-immediate parameter
declare void @llvm.prefetch.p0(ptr, i32 immarg, i32 immarg, i32 immarg)
define void @not_immediate(ptr %p, i32 %n) {
  call void @llvm.prefetch.p0(ptr %p, i32 %n, i32 0, i32 0)
  ret void
}
;;; immarg may not apply only to call sites
declare void @llvm.assume(i1)
define void @immediate_call(i1 %c) {
  call void @llvm.assume(i1 immarg %c)
  ret void
}
;;; immarg attribute only applies to intrinsics
declare void @no_intrinsic(i32 immarg)
;;; rw argument to llvm.prefetch must be 0-1
declare void @llvm.prefetch.p0(ptr, i32 immarg, i32 immarg, i32 immarg)
define void @prefetches(ptr %p) {
  call void @llvm.prefetch.p0(ptr %p, i32 2, i32 0, i32 0)
  ret void
}
;;; locality argument to llvm.prefetch must be 0-3
declare void @llvm.prefetch.p0(ptr, i32 immarg, i32 immarg, i32 immarg)
define void @prefetches_far(ptr %p) {
  call void @llvm.prefetch.p0(ptr %p, i32 1, i32 4, i32 0)
  ret void
}
;;; Multiple deopt operand bundles
declare void @plain()
define void @two_bundles() {
  call void @plain() [ "deopt"(i32 1), "deopt"(i32 2) ]
  ret void
}
;;; Multiple kcfi operand bundles
define void @two_types(ptr %p) {
  call void %p() [ "kcfi"(i32 1), "kcfi"(i32 2) ]
  ret void
}
;;; Expected exactly one funclet bundle operand
declare void @plain()
define void @empty_funclet() {
  call void @plain() [ "funclet"() ]
  ret void
}
;;; Funclet bundle operands should correspond to a FuncletPadInst
declare void @plain()
define void @no_funclet() {
  call void @plain() [ "funclet"(i32 1) ]
  ret void
}
;;; Kcfi bundle operand must be an i32 constant
define void @wide_kcfi(ptr %p) {
  call void %p() [ "kcfi"(i64 1) ]
  ret void
}
;;; Expected exactly two ptrauth bundle operands
define void @short_ptrauth(ptr %p) {
  call void %p() [ "ptrauth"(i32 1) ]
  ret void
}
;;; Ptrauth bundle discriminator operand must be an i64
define void @narrow_ptrauth(ptr %p) {
  call void %p() [ "ptrauth"(i32 1, i32 2) ]
  ret void
}
;;; Direct call cannot have a ptrauth bundle
declare void @plain()
define void @direct_ptrauth() {
  call void @plain() [ "ptrauth"(i32 1, i64 2) ]
  ret void
}
;;; Expected exactly one cfguardtarget bundle operand
declare void @plain()
define void @no_target() {
  call void @plain() [ "cfguardtarget"() ]
  ret void
}
;;; Multiple gc-live operand bundles
declare void @plain()
define void @two_lives() {
  call void @plain() [ "gc-live"(), "gc-live"() ]
  ret void
}
;;; operand bundle "clang.arc.attachedcall" requires one function as an argument
declare ptr @object()
define void @no_attached() {
  %x = call ptr @object() [ "clang.arc.attachedcall"(i32 1) ]
  ret void
}
;;; invalid function argument
declare ptr @object()
define void @wrong_attached() {
  %x = call ptr @object() [ "clang.arc.attachedcall"(ptr @object) ]
  ret void
}
;;; "preallocated" argument must be a token from llvm.call.preallocated.setup
declare void @takes(ptr preallocated(i32))
define void @no_setup(ptr %p) {
  call void @takes(ptr preallocated(i32) %p) [ "preallocated"(i32 1) ]
  ret void
}
;;; preallocated operand either requires a preallocated bundle or the call to be musttail (but not both)
declare void @takes(ptr preallocated(i32))
define void @no_bundle(ptr %p) {
  call void @takes(ptr preallocated(i32) %p)
  ret void
}
;;; cannot guarantee tail call due to mismatched varargs
declare void @va(...)
define void @tail_va() {
  musttail call void (...) @va()
  ret void
}
;;; cannot guarantee tail call due to mismatched return types
declare i32 @gives()
define void @tail_result() {
  %x = musttail call i32 @gives()
  ret void
}
;;; cannot guarantee tail call due to mismatched calling conv
declare fastcc void @fast()
define void @tail_convention() {
  musttail call fastcc void @fast()
  ret void
}
;;; musttail call must precede a ret with an optional bitcast
declare void @plain()
define void @tail_not_last() {
  musttail call void @plain()
  call void @plain()
  ret void
}
;;; musttail call result must be returned
declare i32 @gives()
define i32 @tail_dropped() {
  %x = musttail call i32 @gives()
  ret i32 0
}
;;; cannot guarantee tail call due to mismatched parameter counts
declare void @one(i32)
define void @tail_counts() {
  musttail call void @one(i32 1)
  ret void
}
;;; cannot guarantee tail call due to mismatched parameter types
declare void @one(i32)
define void @tail_types(i64 %x) {
  musttail call void @one(i32 1)
  ret void
}
;;; cannot guarantee tail call due to mismatched ABI impacting function attributes
declare void @one(i32)
define void @tail_attributes(i32 inreg %x) {
  musttail call void @one(i32 %x)
  ret void
}
;;; inreg attribute not allowed in tailcc musttail caller
declare tailcc void @one(i32)
define tailcc void @tail_register(i32 inreg %x) {
  musttail call tailcc void @one(i32 %x)
  ret void
}
;;; cannot use musttail call with inline asm
define void @tail_text() {
  musttail call void asm "", ""()
  ret void
}
;;; Label constraints can only be used with callbr
define void @labelled() {
  call void asm "", "!i"()
  ret void
}
;;; Elementtype attribute can only be applied for indirect constraints
define void @element_type(ptr %p) {
  call void asm "", "r"(ptr elementtype(i32) %p)
  ret void
}
;;; Number of label constraints does not match number of callbr dests
define void @too_few_labels() {
  callbr void asm "", ""() to label %a [label %b]
a:
  ret void
b:
  ret void
}
;;; Unwinding from Callbr is not allowed
define void @unwinding_labels() {
  callbr void asm unwind "", "!i"() to label %a [label %b]
a:
  ret void
b:
  ret void
}
;;; Callbr currently only supports asm-goto and selected intrinsics
define void @called_branch() {
  callbr void @called_branch() to label %a []
a:
  ret void
}
;;; Function has metadata parameter but isn't an intrinsic
define void @metadata_call(ptr %p) {
  call void %p(metadata !{})
  ret void
}
;;; Function takes metadata but isn't an intrinsic
declare void @metadata_function(metadata)
;;; Function takes token but isn't an intrinsic
declare void @token_function(token)
;;; Function returns a token but isn't an intrinsic
declare token @token_result()
;;; Function takes x86_amx but isn't an intrinsic
declare void @amx_function(x86_amx)
;;; Function returns a x86_amx but isn't an intrinsic
declare x86_amx @amx_result()
;;; Attribute 'sret' cannot be used for vararg call arguments!
declare void @va(...)
define void @further_sret(ptr %p) {
  call void (...) @va(ptr sret(i32) %p)
  ret void
}
;;; More than one parameter has attribute returned!
declare ptr @va(ptr, ...)
define void @further_returned(ptr %p) {
  %x = call ptr (ptr, ...) @va(ptr returned %p, ptr returned %p)
  ret void
}
;;; bswap must be an even number of bytes
declare i24 @llvm.bswap.i24(i24)
define i24 @swapped(i24 %x) {
  %y = call i24 @llvm.bswap.i24(i24 %x)
  ret i24 %y
}
;;; unsupported bits for llvm.is.fpclass test mask
declare i1 @llvm.is.fpclass.f32(float, i32 immarg)
define i1 @classified(float %x) {
  %y = call i1 @llvm.is.fpclass.f32(float %x, i32 1024)
  ret i1 %y
}
;;; Enclosing function does not use GC.
declare void @llvm.gcroot(ptr, ptr)
define void @rooted() {
  %x = alloca ptr
  call void @llvm.gcroot(ptr %x, ptr null)
  ret void
}
;;; llvm.gcroot parameter #1 must be an alloca.
declare void @llvm.gcroot(ptr, ptr)
define void @rooted_parameter(ptr %x) gc "shadow-stack" {
  call void @llvm.gcroot(ptr %x, ptr null)
  ret void
}
;;; tags must be valid attribute names
declare void @llvm.assume(i1)
define void @assumed(ptr %p) {
  call void @llvm.assume(i1 true) [ "adazdazd"() ]
  ret void
}
;;; this attribute should have one argument
declare void @llvm.assume(i1)
define void @assumed_nonnull(ptr %p) {
  call void @llvm.assume(i1 true) [ "nonnull"() ]
  ret void
}
;;; dereferenceable assumptions should have 2 arguments
declare void @llvm.assume(i1)
define void @assumed_size(ptr %p) {
  call void @llvm.assume(i1 true) [ "dereferenceable"(ptr %p) ]
  ret void
}
;;; this attribute has no argument
declare void @llvm.assume(i1)
define void @assumed_cold(i1 %p) {
  call void @llvm.assume(i1 true) [ "cold"(i1 %p) ]
  ret void
}
;;; too many arguments
declare void @llvm.assume(i1)
define void @assumed_much(ptr %p) {
  call void @llvm.assume(i1 true) [ "noalias"(ptr %p, ptr %p, ptr %p) ]
  ret void
}
;;; second argument should be an integer
declare void @llvm.assume(i1)
define void @assumed_alignment(ptr %p) {
  call void @llvm.assume(i1 true) [ "align"(ptr %p, ptr %p) ]
  ret void
}
;;; separate_storage assumptions should have 2 arguments
declare void @llvm.assume(i1)
define void @assumed_storage(ptr %p) {
  call void @llvm.assume(i1 true) [ "separate_storage"(ptr %p) ]
  ret void
}
;;; incorrect alignment of the destination argument
declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i32(ptr, ptr, i32, i32 immarg)
define void @copied(ptr %p, ptr %q) {
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i32(ptr align 1 %p, ptr align 4 %q, i32 16, i32 4)
  ret void
}
;;; element size of the element-wise atomic memory intrinsic must be a power of 2
declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i32(ptr, ptr, i32, i32 immarg)
define void @copied_odd(ptr %p, ptr %q) {
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i32(ptr align 4 %p, ptr align 4 %q, i32 15, i32 3)
  ret void
}
;;; llvm.localescape used outside of entry block
declare void @llvm.localescape(...)
define void @escaped() {
  br label %next
next:
  call void (...) @llvm.localescape()
  ret void
}
;;; llvm.localescape only accepts static allocas
declare void @llvm.localescape(...)
define void @escaped_parameter(ptr %p) {
  call void (...) @llvm.localescape(ptr %p)
  ret void
}
;;; llvm.threadlocal.address operand isThreadLocal() must be true
@g = global i32 0
declare ptr @llvm.threadlocal.address.p0(ptr)
define void @of_thread() {
  %x = call ptr @llvm.threadlocal.address.p0(ptr @g)
  ret void
}
;;; llvm.ptrmask intrinsic second argument bitwidth must match pointer index type size of first argument
declare ptr @llvm.ptrmask.p0.i32(ptr, i32)
define ptr @masked(ptr %p) {
  %x = call ptr @llvm.ptrmask.p0.i32(ptr %p, i32 1)
  ret ptr %x
}
;;; result type must be at least 2 bits wide
declare i1 @llvm.scmp.i1.i32(i32, i32)
define i1 @compared(i32 %a) {
  %x = call i1 @llvm.scmp.i1.i32(i32 %a, i32 1)
  ret i1 %x
}
;;; invalid predicate for constrained FP comparison intrinsic
declare i1 @llvm.experimental.constrained.fcmp.f32(float, float, metadata, metadata)
define i1 @compares(float %a) strictfp {
  %r = call i1 @llvm.experimental.constrained.fcmp.f32(float %a, float %a, metadata !"eq", metadata !"fpexcept.strict") strictfp
  ret i1 %r
}
;;; invalid rounding mode argument
declare float @llvm.experimental.constrained.fadd.f32(float, float, metadata, metadata)
define float @rounds(float %a) strictfp {
  %r = call float @llvm.experimental.constrained.fadd.f32(float %a, float %a, metadata !"up", metadata !"fpexcept.strict") strictfp
  ret float %r
}
;;; invalid exception behavior argument
declare float @llvm.experimental.constrained.fadd.f32(float, float, metadata, metadata)
define float @raises(float %a) strictfp {
  %r = call float @llvm.experimental.constrained.fadd.f32(float %a, float %a, metadata !"round.dynamic", metadata !"strict") strictfp
  ret float %r
}
;;; llvm.lifetime.start/end can only be used on alloca or poison
declare void @llvm.lifetime.start.p0(ptr captures(none))
define void @lifetime(ptr %p) {
  call void @llvm.lifetime.start.p0(ptr %p)
  ret void
}
;;; llvm.lifetime.start/end can only be used on alloca or poison
declare void @llvm.lifetime.end.p0(ptr captures(none))
define void @end_of_lifetime() {
  call void @llvm.lifetime.end.p0(ptr undef)
  ret void
}
;;; Attributes 'zeroext and signext' are incompatible!
declare void @va(...)
define void @further_extended(i32 %x) {
  call void (...) @va(i32 zeroext signext %x)
  ret void
}
;;; multiple calls to llvm.localescape in one function
declare void @llvm.localescape(...)
define void @f() {
  %a = alloca i32
  call void (...) @llvm.localescape(ptr %a)
  call void (...) @llvm.localescape(ptr %a)
  ret void
}
;;; all indices passed to llvm.localrecover must be less than the number of arguments passed to llvm.localescape in the parent function
declare void @llvm.localescape(...)
declare ptr @llvm.localrecover(ptr, ptr, i32)
define void @f() {
  %a = alloca i32
  call void (...) @llvm.localescape(ptr %a)
  ret void
}
define void @g(ptr %fp) {
  %a = call ptr @llvm.localrecover(ptr @f, ptr %fp, i32 1)
  ret void
}
;;; Entry intrinsic can occur only in a convergent function.
declare token @llvm.experimental.convergence.entry()
define void @f() {
  %t = call token @llvm.experimental.convergence.entry()
  ret void
}
;;; Entry intrinsic can occur only in the entry block.
declare token @llvm.experimental.convergence.entry()
define void @f() convergent {
  br label %next
next:
  %t = call token @llvm.experimental.convergence.entry()
  ret void
}
;;; Entry intrinsic cannot be preceded by a convergent operation in the same basic block.
declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.anchor()
define void @f() convergent {
  %a = call token @llvm.experimental.convergence.anchor()
  %t = call token @llvm.experimental.convergence.entry()
  ret void
}
;;; Entry or anchor intrinsic cannot have a convergencectrl token operand.
declare token @llvm.experimental.convergence.anchor()
define void @f() {
  %a = call token @llvm.experimental.convergence.anchor()
  %b = call token @llvm.experimental.convergence.anchor() [ "convergencectrl"(token %a) ]
  ret void
}
;;; Loop intrinsic must have a convergencectrl token operand.
declare token @llvm.experimental.convergence.loop()
define void @f() {
  %a = call token @llvm.experimental.convergence.loop()
  ret void
}
;;; Loop intrinsic cannot be preceded by a convergent operation in the same basic block.
declare token @llvm.experimental.convergence.anchor()
declare token @llvm.experimental.convergence.loop()
define void @f() {
  %a = call token @llvm.experimental.convergence.anchor()
  %b = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %a) ]
  ret void
}
;;; The 'convergencectrl' bundle requires exactly one token use.
declare void @g() convergent
define void @f() {
  call void @g() [ "convergencectrl"(i32 0) ]
  ret void
}
;;; The 'convergencectrl' bundle can occur at most once on a call
declare void @g() convergent
declare token @llvm.experimental.convergence.anchor()
define void @f() {
  %a = call token @llvm.experimental.convergence.anchor()
  call void @g() [ "convergencectrl"(token %a), "convergencectrl"(token %a) ]
  ret void
}
;;; Convergence control tokens can only be produced by calls to the convergence control intrinsics.
declare void @g() convergent
declare token @llvm.call.preallocated.setup(i32)
define void @f() {
  call void @g() [ "convergencectrl"(token none) ]
  ret void
}
;;; Cannot mix controlled and uncontrolled convergence in the same function.
declare void @g() convergent
declare token @llvm.experimental.convergence.anchor()
define void @f() {
  %a = call token @llvm.experimental.convergence.anchor()
  call void @g()
  ret void
}
;;; Callsite was not defined with variable arguments!
declare void @llvm.init.trampoline(ptr)
define void @f(ptr %p) {
  call void @llvm.init.trampoline(ptr %p)
  ret void
}
