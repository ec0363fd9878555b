;;; atomic load operand must have integer, pointer, floating point, or vector type!
define void @whole_struct(ptr %p) {
  %x = load atomic { i32, i32 }, ptr %p monotonic, align 8
  ret void
}
;;; atomic store operand must have integer, pointer, floating point, or vector type!
define void @whole_array([2 x i32] %a, ptr %p) {
  store atomic [2 x i32] %a, ptr %p monotonic, align 8
  ret void
}
;;; atomic memory access' size must be byte-sized
define void @bit(ptr %p) {
  %x = load atomic i1, ptr %p monotonic, align 1
  ret void
}
;;; atomic memory access' operand must have a power-of-two size
define void @odd(ptr %p) {
  %x = load atomic i24, ptr %p monotonic, align 4
  ret void
}
;;; atomic memory access' operand must have a power-of-two size
define void @odd_store(ptr %p) {
  store atomic i48 1, ptr %p monotonic, align 8
  ret void
}
;;; atomic memory access' operand must have a power-of-two size
define void @odd_exchange(ptr %p) {
  %x = cmpxchg ptr %p, i40 0, i40 1 monotonic monotonic, align 8
  ret void
}
;;; cmpxchg operand must have integer or pointer type
define void @float_exchange(ptr %p) {
  %x = cmpxchg ptr %p, float 0.0, float 1.0 monotonic monotonic, align 4
  ret void
}
;;; swifterror alloca must have pointer type
define void @swift_integer() {
  %e = alloca swifterror i32
  ret void
}
;;; swifterror alloca must not be array allocation
define void @swift_array() {
  %e = alloca swifterror ptr, i32 2
  ret void
}
;;; swifterror value can only be loaded and stored from, or as a swifterror argument!
define void @swift_gep() {
  %e = alloca swifterror ptr
  %g = getelementptr ptr, ptr %e, i32 1
  ret void
}
;;; swifterror value should be the second operand when used by stores
define void @swift_stored(ptr %p) {
  %e = alloca swifterror ptr
  store ptr %e, ptr %p
  ret void
}
;;; swifterror value when used in a callsite should be marked with swifterror attribute
declare void @takes(ptr)
define void @swift_passed() {
  %e = alloca swifterror ptr
  call void @takes(ptr %e)
  ret void
}
;;; swifterror value when used in a callsite should be marked with swifterror attribute
declare void @takes(ptr swifterror, ptr)
define void @f() {
  %e = alloca swifterror ptr
  call void @takes(ptr swifterror %e, ptr %e)
  ret void
}
;;; swifterror argument for call has mismatched alloca
declare void @takes(ptr swifterror)
define void @swift_plain() {
  %e = alloca ptr
  call void @takes(ptr swifterror %e)
  ret void
}
;;; swifterror argument should come from an alloca or parameter
declare void @takes(ptr swifterror)
@g = global ptr null
define void @swift_global() {
  call void @takes(ptr swifterror @g)
  ret void
}
;;; swifterror argument for call has mismatched parameter
declare void @takes(ptr swifterror)
define void @swift_parameter(ptr %p) {
  call void @takes(ptr swifterror %p)
  ret void
}
;;; swifterror value can only be loaded and stored from, or as a swifterror argument!
define ptr @swift_returned(ptr swifterror %p) {
  ret ptr %p
}
;;; alloca on amdgpu must be in addrspace(5)
target triple = "amdgcn-amd-amdhsa"
define void @wrong_stack() {
  %x = alloca i32
  ret void
}
;;; Alloca has illegal target extension type
define void @barrier() {
  %x = alloca target("amdgcn.named.barrier", 0)
  ret void
}
