;;; Intrinsic has incorrect return type!
declare float @llvm.abs.i32(i32, i1)
define void @f() {
  %a = call float @llvm.abs.i32(i32 1, i1 false)
  ret void
}
;;; Intrinsic has incorrect return type!
declare <4 x float> @llvm.vector.reduce.add.v4i32(<4 x i32>)
define void @f(<4 x i32> %v) {
  %a = call <4 x float> @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  %b = call <4 x float> @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  ret void
}
;;; Intrinsic has incorrect return type!
declare { i32, i32 } @llvm.sadd.with.overflow.i32(i32, i32)
define void @f() {
  %a = call { i32, i32 } @llvm.sadd.with.overflow.i32(i32 1, i32 2)
  ret void
}
;;; Intrinsic has incorrect argument type!
declare i32 @llvm.smax.i32(i32, i64)
define void @f() {
  %a = call i32 @llvm.smax.i32(i32 1, i64 2)
  ret void
}
;;; Intrinsic has incorrect argument type!
declare void @llvm.trap(i32)
define void @f() {
  call void @llvm.trap(i32 1)
  ret void
}
;;; Intrinsic has incorrect argument type!
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<2 x ptr>, <4 x i1>, <4 x i32>)
define void @f(<2 x ptr> %p, <4 x i1> %m) {
  %a = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<2 x ptr> %p, <4 x i1> %m, <4 x i32> zeroinitializer)
  ret void
}
;;; Intrinsic has incorrect argument type!
declare <8 x i16> @llvm.aarch64.neon.shll.v8i16(<8 x i16>)
define void @f(<8 x i16> %v) {
  %a = call <8 x i16> @llvm.aarch64.neon.shll.v8i16(<8 x i16> %v)
  ret void
}
;;; Callsite was not defined with variable arguments!
declare i32 @llvm.smax.i32(i32)
define void @f() {
  %a = call i32 @llvm.smax.i32(i32 1)
  ret void
}
;;; Callsite was not defined with variable arguments!
declare void @llvm.localescape()
define void @f() {
  call void @llvm.localescape()
  ret void
}
;;; Intrinsic was not defined with variable arguments!
declare void @llvm.trap(...)
define void @f() {
  call void (...) @llvm.trap()
  ret void
}
;;; Intrinsic functions should never be defined!
define i32 @llvm.smax.i32(i32 %a, i32 %b) {
  ret i32 %a
}
define void @f() {
  %a = call i32 @llvm.smax.i32(i32 1, i32 2)
  ret void
}
