;;; Enclosing function does not use GC.
declare void @g()
define void @f() {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.statepoint must read and write all memory to preserve reordering restrictions required by safepoint semantics
declare void @g()
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) memory(read)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.statepoint number of patchable bytes must be positive
declare void @g()
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 -1, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.statepoint callee argument must have elementtype attribute
declare void @g()
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr @g, i32 0, i32 0, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.statepoint callee elementtype must be function type
declare void @g()
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(i32) @g, i32 0, i32 0, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.statepoint number of arguments to underlying call must be positive
declare void @g()
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 -1, i32 0, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.statepoint mismatch in number of vararg call args
declare void @g(i32, ...)
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void (i32, ...)) @g, i32 0, i32 0, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.statepoint doesn't support wrapping non-void vararg functions yet
declare i32 @g(...)
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(i32 (...)) @g, i32 0, i32 0, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.statepoint mismatch in number of call args
declare void @g()
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 1, i32 0, i32 7, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; unknown flag used in gc.statepoint flags argument
declare void @g()
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 4, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.statepoint call argument does not match wrapped function type
declare void @g(i64)
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void (i64)) @g, i32 1, i32 0, i32 7, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; Attribute 'sret' cannot be used for vararg call arguments!
declare void @g(ptr, ...)
define void @f(ptr %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void (ptr, ...)) @g, i32 1, i32 0, ptr sret(i32) %p, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.statepoint number of transition arguments must be constant integer
declare void @g()
define void @f(i32 %n) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 %n, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.statepoint w/inline transition bundle is deprecated
declare void @g()
define void @f(i32 %n) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 1, i32 %n, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.statepoint number of deoptimization arguments must be constant integer
declare void @g()
define void @f(i32 %n) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 %n)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.statepoint w/inline deopt operands is deprecated
declare void @g()
define void @f(i32 %n) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 1, i32 %n)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.statepoint too many arguments
declare void @g()
define void @f(i32 %n) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0, i32 %n)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; illegal use of statepoint token
declare void @g()
declare i32 @personality(...)
define void @f() gc "statepoint-example" personality ptr @personality {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0)
  invoke void @g() [ "x"(token %t) ] to label %a unwind label %b
a:
  ret void
b:
  %l = landingpad { ptr, i32 } cleanup
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.result or gc.relocate are the only value uses of a gc.statepoint
declare void @g()
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0)
  call void @g() [ "x"(token %t) ]
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
;;; gc.result operand #1 must be from a statepoint
define void @f() gc "statepoint-example" {
  %r = call i32 @llvm.experimental.gc.result.i32(token none)
  ret void
}
declare i32 @llvm.experimental.gc.result.i32(token)
;;; gc.result result type does not match wrapped callee
declare i64 @g()
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(i64 ()) @g, i32 0, i32 0, i32 0, i32 0)
  %r = call i32 @llvm.experimental.gc.result.i32(token %t)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare i32 @llvm.experimental.gc.result.i32(token)
;;; gc.relocate must return a pointer or a vector of pointers
declare void @g()
define void @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p) ]
  %r = call i32 @llvm.experimental.gc.relocate.i32(token %t, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare i32 @llvm.experimental.gc.relocate.i32(token, i32, i32)
;;; safepoints should have unique landingpads
declare void @g()
declare i32 @personality(...)
define void @f(ptr addrspace(1) %p) gc "statepoint-example" personality ptr @personality {
  invoke void @g() to label %a unwind label %pad
a:
  invoke void @g() to label %b unwind label %pad
b:
  ret void
pad:
  %l = landingpad token cleanup
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %l, i32 0, i32 0)
  ret void
}
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
;;; gc relocate should be linked to a statepoint
declare void @g()
declare i32 @personality(...)
define void @f(ptr addrspace(1) %p) gc "statepoint-example" personality ptr @personality {
  invoke void @g() to label %b unwind label %pad
b:
  ret void
pad:
  %l = landingpad token cleanup
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %l, i32 0, i32 0)
  ret void
}
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
;;; gc relocate is incorrectly tied to the statepoint
define void @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token none, i32 0, i32 0)
  ret void
}
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
;;; gc.relocate: statepoint base index out of bounds
declare void @g()
define void @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p) ]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 1, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
;;; gc.relocate: statepoint derived index out of bounds
declare void @g()
define void @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p) ]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 1)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
;;; gc.relocate: relocated value must be a pointer
declare void @g()
define void @f(i32 %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(i32 %p) ]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
;;; gc.relocate: vector relocates to vector and pointer to pointer
declare void @g()
define void @f(<2 x ptr addrspace(1)> %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(<2 x ptr addrspace(1)> %p) ]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
;;; gc.relocate: relocating a pointer shouldn't change its address space
declare void @g()
define void @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p) ]
  %r = call ptr @llvm.experimental.gc.relocate.p0(token %t, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr @llvm.experimental.gc.relocate.p0(token, i32, i32)
;;; gc.relocate: must return gc pointer
declare void @g()
define void @f(ptr %p) gc "coreclr" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr %p) ]
  %r = call ptr @llvm.experimental.gc.relocate.p0(token %t, i32 0, i32 0)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr @llvm.experimental.gc.relocate.p0(token, i32, i32)
;;; gc.relocate: relocated value must be a gc pointer
declare void @g()
define void @f(ptr %b, ptr addrspace(1) %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr %b, ptr addrspace(1) %p) ]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 1)
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
;;; gc.get.pointer.base must return a pointer
declare i32 @llvm.experimental.gc.get.pointer.base.i32.p0(ptr)
;;; gc.get.pointer.base operand and result must be of the same type
declare ptr @llvm.experimental.gc.get.pointer.base.p0.p1(ptr addrspace(1))
;;; gc.get.pointer.offset operand must be a pointer
declare i64 @llvm.experimental.gc.get.pointer.offset.i32(i32)
;;; gc.get.pointer.offset must return integer
declare ptr @llvm.experimental.gc.get.pointer.offset.p0(ptr)
;;; wrong number of parameters
declare i64 @llvm.experimental.gc.get.pointer.offset.p0(ptr, ptr)
;;; wrong number of parameters
declare ptr @llvm.experimental.gc.get.pointer.base.p0.p0()
