;;; experimental_guard cannot be invoked
declare void @llvm.experimental.guard(i1, ...)
declare i32 @personality(...)
define void @f(i1 %c) personality ptr @personality {
  invoke void (i1, ...) @llvm.experimental.guard(i1 %c) [ "deopt"() ] to label %a unwind label %b
a:
  ret void
b:
  %l = landingpad { ptr, i32 } cleanup
  ret void
}
;;; experimental_guard must have exactly one "deopt" operand bundle
declare void @llvm.experimental.guard(i1, ...)
define void @f(i1 %c) {
  call void (i1, ...) @llvm.experimental.guard(i1 %c)
  ret void
}
;;; experimental_deoptimize cannot be invoked
declare i8 @llvm.experimental.deoptimize.i8(...)
declare i32 @personality(...)
define i8 @f(i1 %c) personality ptr @personality {
  %v = invoke i8 (...) @llvm.experimental.deoptimize.i8() [ "deopt"() ] to label %a unwind label %b
a:
  ret i8 %v
b:
  %l = landingpad { ptr, i32 } cleanup
  ret i8 0
}
;;; experimental_deoptimize must have exactly one "deopt" operand bundle
declare i8 @llvm.experimental.deoptimize.i8(...)
define i8 @f() {
  %v = call i8 (...) @llvm.experimental.deoptimize.i8()
  ret i8 %v
}
;;; experimental_deoptimize return type must match caller return type
declare i8 @llvm.experimental.deoptimize.i8(...)
define void @f() {
  %v = call i8 (...) @llvm.experimental.deoptimize.i8() [ "deopt"() ]
  ret void
}
;;; calls to experimental_deoptimize must be followed by a return
declare void @llvm.experimental.deoptimize.isVoid(...)
define void @f() {
  call void (...) @llvm.experimental.deoptimize.isVoid() [ "deopt"() ]
  unreachable
}
;;; calls to experimental_deoptimize must be followed by a return of the value computed by experimental_deoptimize
declare i8 @llvm.experimental.deoptimize.i8(...)
define i8 @f() {
  %v = call i8 (...) @llvm.experimental.deoptimize.i8() [ "deopt"() ]
  ret i8 0
}
;;; All llvm.experimental.deoptimize declarations must have the same calling convention
declare i8 @llvm.experimental.deoptimize.i8(...)
declare fastcc i16 @llvm.experimental.deoptimize.i16(...)
;;; va_start called in a non-varargs function
declare void @llvm.va_start.p0(ptr)
define void @f(ptr %p) {
  call void @llvm.va_start.p0(ptr %p)
  ret void
}
;;; get_dynamic_area_offset result type must be scalar integer matching alloca address space width
declare i32 @llvm.get.dynamic.area.offset.i32()
define i32 @f() {
  %r = call i32 @llvm.get.dynamic.area.offset.i32()
  ret i32 %r
}
;;; info argument of llvm.coro.id must refer to an initialized constant
@g = external constant [1 x ptr]
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
define void @f() {
  %t = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr @g)
  ret void
}
;;; info argument of llvm.coro.id must refer to either a struct or an array
@g = constant i32 1
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
define void @f() {
  %t = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr @g)
  ret void
}
;;; intrinstic requires callbr operand
declare i32 @llvm.callbr.landingpad.i32(i32)
define i32 @f(i32 %a) {
  %r = call i32 @llvm.callbr.landingpad.i32(i32 %a)
  ret i32 %r
}
;;; Intrinsic in block must have 1 unique predecessor
declare i32 @llvm.callbr.landingpad.i32(i32)
define i32 @f(i1 %c) {
entry:
  %a = callbr i32 asm "", "=r,!i"() to label %x [label %y]
x:
  br i1 %c, label %y, label %z
y:
  %r = call i32 @llvm.callbr.landingpad.i32(i32 %a)
  ret i32 %r
z:
  ret i32 0
}
;;; Intrinsic must have corresponding callbr in predecessor
declare i32 @llvm.callbr.landingpad.i32(i32)
define i32 @f() {
entry:
  %a = callbr i32 asm "", "=r,!i"() to label %x [label %y]
x:
  ret i32 0
y:
  br label %z
z:
  %r = call i32 @llvm.callbr.landingpad.i32(i32 %a)
  ret i32 %r
}
;;; Intrinsic's corresponding callbr must have intrinsic's parent basic block in indirect destination list
declare i32 @llvm.callbr.landingpad.i32(i32)
define i32 @f() {
entry:
  %a = callbr i32 asm "", "=r,!i"() to label %x [label %y]
x:
  %r = call i32 @llvm.callbr.landingpad.i32(i32 %a)
  ret i32 %r
y:
  ret i32 0
}
;;; No other instructions may proceed intrinsic
declare i32 @llvm.callbr.landingpad.i32(i32)
define i32 @f(i32 %b) {
entry:
  %a = callbr i32 asm "", "=r,!i"() to label %x [label %y]
x:
  ret i32 0
y:
  %c = add i32 %b, 1
  %r = call i32 @llvm.callbr.landingpad.i32(i32 %a)
  ret i32 %r
}
;;; patchpoint: invalid return type used with anyregcc
declare { i32 } @llvm.experimental.patchpoint.sl_i32s(i64, i32, ptr, i32, ...)
define void @f(ptr %p) {
  %r = call anyregcc { i32 } (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.sl_i32s(i64 0, i32 8, ptr %p, i32 0)
  ret void
}
;;; eh.exceptionpointer argument must be a catchpad
declare ptr @llvm.eh.exceptionpointer.p0(token)
define ptr @f() {
  %r = call ptr @llvm.eh.exceptionpointer.p0(token none)
  ret ptr %r
}
;;; Missing funclet token on intrinsic call
declare ptr @llvm.objc.retain(ptr)
declare i32 @__CxxFrameHandler3(...)
declare void @g()
define void @f(ptr %p) personality ptr @__CxxFrameHandler3 {
  invoke void @g() to label %a unwind label %b
a:
  ret void
b:
  %pad = cleanuppad within none []
  br label %c
c:
  %r = call ptr @llvm.objc.retain(ptr %p)
  cleanupret from %pad unwind to caller
}
;;; write argument to llvm.aarch64.prefetch must be 0 or 1
declare void @llvm.aarch64.prefetch(ptr, i32, i32, i32, i32)
define void @f(ptr %p) {
  call void @llvm.aarch64.prefetch(ptr %p, i32 2, i32 0, i32 0, i32 0)
  ret void
}
;;; target argument to llvm.aarch64.prefetch must be 0-3
declare void @llvm.aarch64.prefetch(ptr, i32, i32, i32, i32)
define void @f(ptr %p) {
  call void @llvm.aarch64.prefetch(ptr %p, i32 0, i32 4, i32 0, i32 0)
  ret void
}
;;; stream argument to llvm.aarch64.prefetch must be 0 or 1
declare void @llvm.aarch64.prefetch(ptr, i32, i32, i32, i32)
define void @f(ptr %p) {
  call void @llvm.aarch64.prefetch(ptr %p, i32 0, i32 0, i32 2, i32 0)
  ret void
}
;;; isdata argument to llvm.aarch64.prefetch must be 0 or 1
declare void @llvm.aarch64.prefetch(ptr, i32, i32, i32, i32)
define void @f(ptr %p) {
  call void @llvm.aarch64.prefetch(ptr %p, i32 0, i32 0, i32 0, i32 2)
  ret void
}
;;; write argument to llvm.aarch64.range.prefetch must be 0 or 1
declare void @llvm.aarch64.range.prefetch(ptr, i32, i32, i64)
define void @f(ptr %p) {
  call void @llvm.aarch64.range.prefetch(ptr %p, i32 2, i32 0, i64 0)
  ret void
}
;;; stream argument to llvm.aarch64.range.prefetch must be 0 or 1
declare void @llvm.aarch64.range.prefetch(ptr, i32, i32, i64)
define void @f(ptr %p) {
  call void @llvm.aarch64.range.prefetch(ptr %p, i32 0, i32 2, i64 0)
  ret void
}
;;; reg_count argument to nvvm.setmaxnreg must be in multiples of 8
declare void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32)
define void @f() {
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 25)
  ret void
}
;;; llvm.reloc.none argument must be a metadata string
declare void @llvm.reloc.none(metadata)
define void @f() {
  call void @llvm.reloc.none(metadata i32 0)
  ret void
}
;;; unsized types cannot be used as memset patterns
declare void @"llvm.experimental.memset.pattern.p0.tspirv.Literal_1t.i64"(ptr, target("spirv.Literal", 1), i64, i1)
define void @f(ptr %p) {
  call void @"llvm.experimental.memset.pattern.p0.tspirv.Literal_1t.i64"(ptr %p, target("spirv.Literal", 1) poison, i64 1, i1 false)
  ret void
}
;;; invariant_start parameter must be -1, 0 or a positive number
declare ptr @llvm.invariant.start.p0(i64, ptr)
define void @f(ptr %p) {
  %r = call ptr @llvm.invariant.start.p0(i64 -2, ptr %p)
  ret void
}
;;; llvm.thread.pointer intrinsic return type must be for the globals address space
declare ptr addrspace(1) @llvm.thread.pointer.p1()
define void @f() {
  %r = call ptr addrspace(1) @llvm.thread.pointer.p1()
  ret void
}
;;; assume with operand bundles must have i1 true condition
declare void @llvm.assume(i1)
define void @f(ptr %p, i1 %c) {
  call void @llvm.assume(i1 %c) [ "nonnull"(ptr %p) ]
  ret void
}
;;; inalloca argument for call has mismatched alloca
declare void @g(ptr inalloca(i32))
define void @f() {
  %a = alloca i32
  call void @g(ptr inalloca(i32) %a)
  ret void
}
;;; PHI nodes cannot have token type!
define void @f(i1 %c, ptr %p) {
  %x = load target("dx.RawBuffer", i32, 0, 0), ptr %p
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %r = phi target("dx.RawBuffer", i32, 0, 0) [ %x, %a ], [ %x, %0 ]
  ret void
}
;;; Function returns a token but isn't an intrinsic
declare target("dx.RawBuffer", i32, 0, 0) @f()
;;; Function takes token but isn't an intrinsic
declare void @f(target("dx.RawBuffer", i32, 0, 0))
;;; Return type cannot be token for indirect call!
define void @f(ptr %p) {
  %r = call target("dx.RawBuffer", i32, 0, 0) %p()
  ret void
}
;;; Function has token parameter but isn't an intrinsic
define void @f(ptr %p, ptr %q) {
  %x = load target("dx.RawBuffer", i32, 0, 0), ptr %q
  call void %p(target("dx.RawBuffer", i32, 0, 0) %x)
  ret void
}
;;; PtrToAddr result must be address width
@g = global i32 0
@h = global i16 ptrtoaddr (ptr @g to i16)
;;; PtrToAddr result must be address width
@g = global i32 0
define i16 @f() {
  ret i16 ptrtoaddr (ptr @g to i16)
}
;;; signed ptrauth constant deactivation symbol must be a global value or null
@g = external global i32
@h = global ptr ptrauth (ptr @g, i32 0, i64 0, ptr null, ptr inttoptr (i64 1 to ptr))
