;;; Intrinsic has incorrect argument type!
declare float @llvm.vector.reduce.add.v4f32(<4 x float>)
define float @f(<4 x float> %a) {
  %r = call float @llvm.vector.reduce.add.v4f32(<4 x float> %a)
  ret float %r
}
;;; Intrinsic has incorrect argument type!
declare i32 @llvm.vector.reduce.fmax.v4i32(<4 x i32>)
define i32 @f(<4 x i32> %a) {
  %r = call i32 @llvm.vector.reduce.fmax.v4i32(<4 x i32> %a)
  ret i32 %r
}
;;; the scale of s[mul|div]_fix[_sat] must be less than the width of the operands
declare i32 @llvm.sdiv.fix.sat.i32(i32, i32, i32)
define i32 @f(i32 %a) {
  %r = call i32 @llvm.sdiv.fix.sat.i32(i32 %a, i32 %a, i32 32)
  ret i32 %r
}
;;; the scale of u[mul|div]_fix[_sat] must be less than or equal to the width of the operands
declare i32 @llvm.umul.fix.i32(i32, i32, i32)
define i32 @f(i32 %a) {
  %r = call i32 @llvm.umul.fix.i32(i32 %a, i32 %a, i32 33)
  ret i32 %r
}
;;; llvm.lrint.v2i32.f32: argument and result disagree on vector use
declare <2 x i32> @llvm.lrint.v2i32.f32(float)
define <2 x i32> @f(float %a) {
  %r = call <2 x i32> @llvm.lrint.v2i32.f32(float %a)
  ret <2 x i32> %r
}
;;; llvm.llround.v2i64.v4f32: argument must be same length as result
declare <2 x i64> @llvm.llround.v2i64.v4f32(<4 x float>)
define <2 x i64> @f(<4 x float> %a) {
  %r = call <2 x i64> @llvm.llround.v2i64.v4f32(<4 x float> %a)
  ret <2 x i64> %r
}
;;; ucmp/scmp argument and result types must both be either vector or scalar types
declare i8 @llvm.ucmp.i8.v2i32(<2 x i32>, <2 x i32>)
define i8 @f(<2 x i32> %a) {
  %r = call i8 @llvm.ucmp.i8.v2i32(<2 x i32> %a, <2 x i32> %a)
  ret i8 %r
}
;;; return type and arguments must have the same number of elements
declare <4 x i8> @llvm.ucmp.v4i8.v2i32(<2 x i32>, <2 x i32>)
define <4 x i8> @f(<2 x i32> %a) {
  %r = call <4 x i8> @llvm.ucmp.v4i8.v2i32(<2 x i32> %a, <2 x i32> %a)
  ret <4 x i8> %r
}
;;; get_active_lane_mask: element type is not i1
declare <4 x i32> @llvm.get.active.lane.mask.v4i32.i32(i32, i32)
define <4 x i32> @f(i32 %a) {
  %r = call <4 x i32> @llvm.get.active.lane.mask.v4i32.i32(i32 %a, i32 %a)
  ret <4 x i32> %r
}
;;; get_vector_length: VF must be positive
declare i32 @llvm.experimental.get.vector.length.i32(i32, i32, i1)
define i32 @f(i32 %a) {
  %r = call i32 @llvm.experimental.get.vector.length.i32(i32 %a, i32 0, i1 true)
  ret i32 %r
}
;;; Second operand must be a fixed length vector.
declare <4 x i1> @llvm.experimental.vector.match.v4i32.nxv4i32(<4 x i32>, <vscale x 4 x i32>, <4 x i1>)
define <4 x i1> @f(<4 x i32> %a, <vscale x 4 x i32> %b, <4 x i1> %m) {
  %r = call <4 x i1> @llvm.experimental.vector.match.v4i32.nxv4i32(<4 x i32> %a, <vscale x 4 x i32> %b, <4 x i1> %m)
  ret <4 x i1> %r
}
;;; First operand must be a vector of integers.
declare <4 x i1> @llvm.experimental.vector.match.v4f32.v4i32(<4 x float>, <4 x i32>, <4 x i1>)
define <4 x i1> @f(<4 x float> %a, <4 x i32> %b, <4 x i1> %m) {
  %r = call <4 x i1> @llvm.experimental.vector.match.v4f32.v4i32(<4 x float> %a, <4 x i32> %b, <4 x i1> %m)
  ret <4 x i1> %r
}
;;; First two operands must have the same element type.
declare <4 x i1> @llvm.experimental.vector.match.v4i32.v4i64(<4 x i32>, <4 x i64>, <4 x i1>)
define <4 x i1> @f(<4 x i32> %a, <4 x i64> %b, <4 x i1> %m) {
  %r = call <4 x i1> @llvm.experimental.vector.match.v4i32.v4i64(<4 x i32> %a, <4 x i64> %b, <4 x i1> %m)
  ret <4 x i1> %r
}
;;; Invalid vector widths for partial reduction. The width of the input vector must be a positive integer multiple of the width of the accumulator vector.
declare <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v6i32(<4 x i32>, <6 x i32>)
define <4 x i32> @f(<4 x i32> %a, <6 x i32> %b) {
  %r = call <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v6i32(<4 x i32> %a, <6 x i32> %b)
  ret <4 x i32> %r
}
