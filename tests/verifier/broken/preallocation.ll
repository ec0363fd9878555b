;;; Uses of llvm.call.preallocated.setup must be calls
declare token @llvm.call.preallocated.setup(i32)
declare i32 @personality(...)
define void @f() personality ptr @personality {
  %t = call token @llvm.call.preallocated.setup(i32 1)
  br label %next
next:
  %c = cleanuppad within %t []
  unreachable
}
;;; llvm.call.preallocated.alloc arg index must be between 0 and corresponding llvm.call.preallocated.setup's argument count
declare token @llvm.call.preallocated.setup(i32)
declare ptr @llvm.call.preallocated.arg(token, i32)
define void @f() {
  %t = call token @llvm.call.preallocated.setup(i32 1)
  %p = call ptr @llvm.call.preallocated.arg(token %t, i32 1) preallocated(i32)
  ret void
}
;;; Can have at most one call corresponding to a llvm.call.preallocated.setup
declare token @llvm.call.preallocated.setup(i32)
declare ptr @llvm.call.preallocated.arg(token, i32)
declare void @g(ptr preallocated(i32))
define void @f() {
  %t = call token @llvm.call.preallocated.setup(i32 1)
  %p = call ptr @llvm.call.preallocated.arg(token %t, i32 0) preallocated(i32)
  call void @g(ptr preallocated(i32) %p) [ "preallocated"(token %t) ]
  call void @g(ptr preallocated(i32) %p) [ "preallocated"(token %t) ]
  ret void
}
;;; cannot use preallocated intrinsics on a call without preallocated arguments
declare token @llvm.call.preallocated.setup(i32)
declare void @g()
define void @f() {
  %t = call token @llvm.call.preallocated.setup(i32 0)
  call void @g() [ "preallocated"(token %t) ]
  ret void
}
;;; llvm.call.preallocated.setup arg size must be equal to number of preallocated arguments at call site
declare token @llvm.call.preallocated.setup(i32)
declare ptr @llvm.call.preallocated.arg(token, i32)
declare void @g(ptr preallocated(i32))
define void @f() {
  %t = call token @llvm.call.preallocated.setup(i32 2)
  %p = call ptr @llvm.call.preallocated.arg(token %t, i32 0) preallocated(i32)
  call void @g(ptr preallocated(i32) %p) [ "preallocated"(token %t) ]
  ret void
}
;;; Use of llvm.call.preallocated.setup outside intrinsics must be in "preallocated" operand bundle
declare token @llvm.call.preallocated.setup(i32)
declare void @g(ptr preallocated(i32))
define void @f(ptr %p) {
  %t = call token @llvm.call.preallocated.setup(i32 1)
  call void @g(ptr preallocated(i32) %p) [ "other"(token %t) ]
  ret void
}
;;; preallocated bundle must have token from corresponding llvm.call.preallocated.setup
declare token @llvm.call.preallocated.setup(i32)
declare void @g(ptr preallocated(i32))
define void @f(ptr %p) {
  %t = call token @llvm.call.preallocated.setup(i32 1)
  %u = call token @llvm.call.preallocated.setup(i32 1)
  call void @g(ptr preallocated(i32) %p) [ "preallocated"(token %u), "other"(token %t) ]
  ret void
}
;;; llvm.call.preallocated.arg token argument must be a llvm.call.preallocated.setup
declare ptr @llvm.call.preallocated.arg(token, i32)
define void @f() {
  %p = call ptr @llvm.call.preallocated.arg(token none, i32 0) preallocated(i32)
  ret void
}
;;; llvm.call.preallocated.arg must be called with a "preallocated" call site attribute
declare token @llvm.call.preallocated.setup(i32)
declare ptr @llvm.call.preallocated.arg(token, i32)
define void @f() {
  %t = call token @llvm.call.preallocated.setup(i32 1)
  %p = call ptr @llvm.call.preallocated.arg(token %t, i32 0)
  ret void
}
;;; llvm.call.preallocated.teardown token argument must be a llvm.call.preallocated.setup
declare void @llvm.call.preallocated.teardown(token)
define void @f() {
  call void @llvm.call.preallocated.teardown(token none)
  ret void
}
;;; preallocated as a call site attribute can only be on llvm.call.preallocated.arg
declare void @g()
define void @f() {
  call void @g() preallocated(i32)
  ret void
}
;;; Multiple preallocated operand bundles
declare token @llvm.call.preallocated.setup(i32)
declare void @g(ptr preallocated(i32))
define void @f(ptr %p) {
  %t = call token @llvm.call.preallocated.setup(i32 1)
  call void @g(ptr preallocated(i32) %p) [ "preallocated"(token %t), "preallocated"(token %t) ]
  ret void
}
;;; Expected exactly one preallocated bundle operand
declare void @g(ptr preallocated(i32))
define void @f(ptr %p) {
  call void @g(ptr preallocated(i32) %p) [ "preallocated"() ]
  ret void
}
