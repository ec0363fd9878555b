;;; First argument of a matrix operation does not match specified shape!
declare <4 x float> @llvm.matrix.multiply.v4f32.v4f32.v4f32(<4 x float>, <4 x float>, i32, i32, i32)
define <4 x float> @f(<4 x float> %a) {
  %r = call <4 x float> @llvm.matrix.multiply.v4f32.v4f32.v4f32(<4 x float> %a, <4 x float> %a, i32 3, i32 2, i32 2)
  ret <4 x float> %r
}
;;; Second argument of a matrix operation does not match specified shape!
declare <4 x float> @llvm.matrix.multiply.v4f32.v4f32.v4f32(<4 x float>, <4 x float>, i32, i32, i32)
define <4 x float> @f(<4 x float> %a) {
  %r = call <4 x float> @llvm.matrix.multiply.v4f32.v4f32.v4f32(<4 x float> %a, <4 x float> %a, i32 2, i32 2, i32 3)
  ret <4 x float> %r
}
;;; Result type must be an integer or floating-point type!
declare void @llvm.matrix.column.major.store.v4p0.i64(<4 x ptr>, ptr, i64, i1, i32, i32)
define void @f(<4 x ptr> %m, ptr %p) {
  call void @llvm.matrix.column.major.store.v4p0.i64(<4 x ptr> %m, ptr %p, i64 2, i1 false, i32 2, i32 2)
  ret void
}
;;; Vector element type mismatch of the result and first operand vector!
declare <4 x float> @llvm.matrix.multiply.v4f32.v4i32.v4f32(<4 x i32>, <4 x float>, i32, i32, i32)
define <4 x float> @f(<4 x i32> %a, <4 x float> %b) {
  %r = call <4 x float> @llvm.matrix.multiply.v4f32.v4i32.v4f32(<4 x i32> %a, <4 x float> %b, i32 2, i32 2, i32 2)
  ret <4 x float> %r
}
;;; Vector element type mismatch of the result and second operand vector!
declare <4 x float> @llvm.matrix.multiply.v4f32.v4f32.v4i32(<4 x float>, <4 x i32>, i32, i32, i32)
define <4 x float> @f(<4 x i32> %a, <4 x float> %b) {
  %r = call <4 x float> @llvm.matrix.multiply.v4f32.v4f32.v4i32(<4 x float> %b, <4 x i32> %a, i32 2, i32 2, i32 2)
  ret <4 x float> %r
}
;;; Result of a matrix operation does not fit in the returned vector!
declare <4 x float> @llvm.matrix.transpose.v4f32(<4 x float>, i32, i32)
define <4 x float> @f(<4 x float> %a) {
  %r = call <4 x float> @llvm.matrix.transpose.v4f32(<4 x float> %a, i32 2, i32 3)
  ret <4 x float> %r
}
;;; Stride bitwidth cannot exceed 64!
declare <4 x float> @llvm.matrix.column.major.load.v4f32.i128(ptr, i128, i1, i32, i32)
define <4 x float> @f(ptr %p) {
  %r = call <4 x float> @llvm.matrix.column.major.load.v4f32.i128(ptr %p, i128 2, i1 false, i32 2, i32 2)
  ret <4 x float> %r
}
;;; Stride must be greater or equal than the number of rows!
declare <4 x float> @llvm.matrix.column.major.load.v4f32.i64(ptr, i64, i1, i32, i32)
define <4 x float> @f(ptr %p) {
  %r = call <4 x float> @llvm.matrix.column.major.load.v4f32.i64(ptr %p, i64 1, i1 false, i32 2, i32 2)
  ret <4 x float> %r
}
