;;; unsupported rounding mode argument
declare half @llvm.fptrunc.round.f16.f32(float, metadata)
define void @f() {
  %a = call half @llvm.fptrunc.round.f16.f32(float 1.0, metadata !"round.dynamic")
  ret void
}
;;; invalid value for llvm.fptrunc.round metadata operand (the operand should be a string)
declare half @llvm.fptrunc.round.f16.f32(float, metadata)
define void @f() {
  %a = call half @llvm.fptrunc.round.f16.f32(float 1.0, metadata i32 5)
  ret void
}
;;; !id.scope.list must point to a list with a single scope
declare void @llvm.experimental.noalias.scope.decl(metadata)
define void @f() {
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  ret void
}
!0 = !{!1, !1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
;;; !id.scope.list must point to an MDNode
declare void @llvm.experimental.noalias.scope.decl(metadata)
define void @f() {
  call void @llvm.experimental.noalias.scope.decl(metadata !"x")
  ret void
}
;;; const x86_amx is not allowed in argument!
declare void @llvm.x86.tilestored64.internal(i16, i16, ptr, i64, x86_amx)
define void @f(ptr %p) {
  call void @llvm.x86.tilestored64.internal(i16 1, i16 1, ptr %p, i64 64, x86_amx undef)
  ret void
}
;;; vector_insert parameters must have the same element type.
declare <4 x i32> @llvm.vector.insert.v4i32.v2i16(<4 x i32>, <2 x i16>, i64)
define void @f(<4 x i32> %v, <2 x i16> %w) {
  %a = call <4 x i32> @llvm.vector.insert.v4i32.v2i16(<4 x i32> %v, <2 x i16> %w, i64 0)
  ret void
}
;;; vector_insert index must be a constant multiple of the subvector's known minimum vector length.
declare <vscale x 4 x i32> @llvm.vector.insert.nxv4i32.v2i32(<vscale x 4 x i32>, <2 x i32>, i64)
define void @f(<vscale x 4 x i32> %v, <2 x i32> %w) {
  %a = call <vscale x 4 x i32> @llvm.vector.insert.nxv4i32.v2i32(<vscale x 4 x i32> %v, <2 x i32> %w, i64 1)
  ret void
}
;;; subvector operand of vector_insert would overrun the vector being inserted into.
declare <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32>, <2 x i32>, i64)
define void @f(<4 x i32> %v, <2 x i32> %w) {
  %a = call <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32> %v, <2 x i32> %w, i64 4)
  ret void
}
;;; vector_extract result must have the same element type as the input vector.
declare <2 x i16> @llvm.vector.extract.v2i16.v4i32(<4 x i32>, i64)
define void @f(<4 x i32> %v) {
  %a = call <2 x i16> @llvm.vector.extract.v2i16.v4i32(<4 x i32> %v, i64 0)
  ret void
}
;;; vector_extract index must be a constant multiple of the result type's known minimum vector length.
declare <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32>, i64)
define void @f(<4 x i32> %v) {
  %a = call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> %v, i64 1)
  ret void
}
;;; vector_extract would overrun.
declare <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32>, i64)
define void @f(<4 x i32> %v) {
  %a = call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> %v, i64 4)
  ret void
}
;;; stepvector only supported for vectors of integers with a bitwidth of at least 8.
declare <4 x i1> @llvm.stepvector.v4i1()
define void @f() {
  %a = call <4 x i1> @llvm.stepvector.v4i1()
  ret void
}
;;; The splice index exceeds the range [0, VL-1] where VL is the known minimum number of elements in the vector. For scalable vectors the minimum number of elements is determined from vscale_range.
declare <4 x i32> @llvm.vector.splice.left.v4i32(<4 x i32>, <4 x i32>, i32)
define void @f(<4 x i32> %v) {
  %a = call <4 x i32> @llvm.vector.splice.left.v4i32(<4 x i32> %v, <4 x i32> %v, i32 4)
  ret void
}
;;; The splice index exceeds the range [0, VL] where VL is the known minimum number of elements in the vector. For scalable vectors the minimum number of elements is determined from vscale_range.
declare <vscale x 2 x i32> @llvm.vector.splice.right.nxv2i32(<vscale x 2 x i32>, <vscale x 2 x i32>, i32)
define void @f(<vscale x 2 x i32> %v) vscale_range(2,16) {
  %a = call <vscale x 2 x i32> @llvm.vector.splice.right.nxv2i32(<vscale x 2 x i32> %v, <vscale x 2 x i32> %v, i32 5)
  ret void
}
;;; The splice index exceeds the range [-VL, VL-1] where VL is the known minimum number of elements in the vector. For scalable vectors the minimum number of elements is determined from vscale_range.
declare <4 x i32> @llvm.experimental.vp.splice.v4i32(<4 x i32>, <4 x i32>, i32, <4 x i1>, i32, i32)
define void @f(<4 x i32> %v, <4 x i1> %m) {
  %a = call <4 x i32> @llvm.experimental.vp.splice.v4i32(<4 x i32> %v, <4 x i32> %v, i32 -5, <4 x i1> %m, i32 1, i32 1)
  ret void
}
;;; VP cast intrinsic first argument and result vector lengths must be equal
declare <4 x i32> @llvm.vp.fptosi.v4i32.v8f32(<8 x float>, <4 x i1>, i32)
define void @f(<8 x float> %v, <4 x i1> %m) {
  %a = call <4 x i32> @llvm.vp.fptosi.v4i32.v8f32(<8 x float> %v, <4 x i1> %m, i32 1)
  ret void
}
;;; llvm.vp.trunc intrinsic first argument and result element type must be integer
declare <4 x i32> @llvm.vp.trunc.v4i32.v4f64(<4 x double>, <4 x i1>, i32)
define void @f(<4 x double> %v, <4 x i1> %m) {
  %a = call <4 x i32> @llvm.vp.trunc.v4i32.v4f64(<4 x double> %v, <4 x i1> %m, i32 1)
  ret void
}
;;; llvm.vp.trunc intrinsic the bit size of first argument must be larger than the bit size of the return type
declare <4 x i64> @llvm.vp.trunc.v4i64.v4i32(<4 x i32>, <4 x i1>, i32)
define void @f(<4 x i32> %v, <4 x i1> %m) {
  %a = call <4 x i64> @llvm.vp.trunc.v4i64.v4i32(<4 x i32> %v, <4 x i1> %m, i32 1)
  ret void
}
;;; llvm.vp.zext or llvm.vp.sext intrinsic first argument and result element type must be integer
declare <4 x i64> @llvm.vp.sext.v4i64.v4f32(<4 x float>, <4 x i1>, i32)
define void @f(<4 x float> %v, <4 x i1> %m) {
  %a = call <4 x i64> @llvm.vp.sext.v4i64.v4f32(<4 x float> %v, <4 x i1> %m, i32 1)
  ret void
}
;;; llvm.vp.zext or llvm.vp.sext intrinsic the bit size of first argument must be smaller than the bit size of the return type
declare <4 x i32> @llvm.vp.zext.v4i32.v4i64(<4 x i64>, <4 x i1>, i32)
define void @f(<4 x i64> %v, <4 x i1> %m) {
  %a = call <4 x i32> @llvm.vp.zext.v4i32.v4i64(<4 x i64> %v, <4 x i1> %m, i32 1)
  ret void
}
;;; llvm.vp.fptoui, llvm.vp.fptosi, llvm.vp.lrint or llvm.vp.llrintintrinsic first argument element type must be floating-point and result element type must be integer
declare <4 x i32> @llvm.vp.fptoui.v4i32.v4i32(<4 x i32>, <4 x i1>, i32)
define void @f(<4 x i32> %v, <4 x i1> %m) {
  %a = call <4 x i32> @llvm.vp.fptoui.v4i32.v4i32(<4 x i32> %v, <4 x i1> %m, i32 1)
  ret void
}
;;; llvm.vp.uitofp or llvm.vp.sitofp intrinsic first argument element type must be integer and result element type must be floating-point
declare <4 x float> @llvm.vp.uitofp.v4f32.v4f32(<4 x float>, <4 x i1>, i32)
define void @f(<4 x float> %v, <4 x i1> %m) {
  %a = call <4 x float> @llvm.vp.uitofp.v4f32.v4f32(<4 x float> %v, <4 x i1> %m, i32 1)
  ret void
}
;;; llvm.vp.fptrunc intrinsic first argument and result element type must be floating-point
declare <4 x float> @llvm.vp.fptrunc.v4f32.v4i64(<4 x i64>, <4 x i1>, i32)
define void @f(<4 x i64> %v, <4 x i1> %m) {
  %a = call <4 x float> @llvm.vp.fptrunc.v4f32.v4i64(<4 x i64> %v, <4 x i1> %m, i32 1)
  ret void
}
;;; llvm.vp.fptrunc intrinsic the bit size of first argument must be larger than the bit size of the return type
declare <4 x double> @llvm.vp.fptrunc.v4f64.v4f32(<4 x float>, <4 x i1>, i32)
define void @f(<4 x float> %v, <4 x i1> %m) {
  %a = call <4 x double> @llvm.vp.fptrunc.v4f64.v4f32(<4 x float> %v, <4 x i1> %m, i32 1)
  ret void
}
;;; llvm.vp.fpext intrinsic first argument and result element type must be floating-point
declare <4 x double> @llvm.vp.fpext.v4f64.v4i32(<4 x i32>, <4 x i1>, i32)
define void @f(<4 x i32> %v, <4 x i1> %m) {
  %a = call <4 x double> @llvm.vp.fpext.v4f64.v4i32(<4 x i32> %v, <4 x i1> %m, i32 1)
  ret void
}
;;; llvm.vp.fpext intrinsic the bit size of first argument must be smaller than the bit size of the return type
declare <4 x float> @llvm.vp.fpext.v4f32.v4f64(<4 x double>, <4 x i1>, i32)
define void @f(<4 x double> %v, <4 x i1> %m) {
  %a = call <4 x float> @llvm.vp.fpext.v4f32.v4f64(<4 x double> %v, <4 x i1> %m, i32 1)
  ret void
}
;;; llvm.vp.ptrtoint intrinsic first argument element type must be pointer and result element type must be integer
declare <4 x i64> @llvm.vp.ptrtoint.v4i64.v4i64(<4 x i64>, <4 x i1>, i32)
define void @f(<4 x i64> %v, <4 x i1> %m) {
  %a = call <4 x i64> @llvm.vp.ptrtoint.v4i64.v4i64(<4 x i64> %v, <4 x i1> %m, i32 1)
  ret void
}
;;; llvm.vp.inttoptr intrinsic first argument element type must be integer and result element type must be pointer
declare <4 x ptr> @llvm.vp.inttoptr.v4p0.v4p0(<4 x ptr>, <4 x i1>, i32)
define void @f(<4 x ptr> %v, <4 x i1> %m) {
  %a = call <4 x ptr> @llvm.vp.inttoptr.v4p0.v4p0(<4 x ptr> %v, <4 x i1> %m, i32 1)
  ret void
}
;;; invalid predicate for VP FP comparison intrinsic
declare <4 x i1> @llvm.vp.fcmp.v4f32(<4 x float>, <4 x float>, metadata, <4 x i1>, i32)
define void @f(<4 x float> %v, <4 x i1> %m) {
  %a = call <4 x i1> @llvm.vp.fcmp.v4f32(<4 x float> %v, <4 x float> %v, metadata !"true", <4 x i1> %m, i32 1)
  ret void
}
;;; invalid predicate for VP integer comparison intrinsic
declare <4 x i1> @llvm.vp.icmp.v4i32(<4 x i32>, <4 x i32>, metadata, <4 x i1>, i32)
define void @f(<4 x i32> %v, <4 x i1> %m) {
  %a = call <4 x i1> @llvm.vp.icmp.v4i32(<4 x i32> %v, <4 x i32> %v, metadata !"oeq", <4 x i1> %m, i32 1)
  ret void
}
;;; unsupported bits for llvm.vp.is.fpclass test mask
declare <4 x i1> @llvm.vp.is.fpclass.v4f32(<4 x float>, i32 immarg, <4 x i1>, i32)
define void @f(<4 x float> %v, <4 x i1> %m) {
  %a = call <4 x i1> @llvm.vp.is.fpclass.v4f32(<4 x float> %v, i32 1024, <4 x i1> %m, i32 1)
  ret void
}
;;; Not all !memprof MemInfoBlock operands 2 to N are MDNode
declare ptr @malloc(i64)
define void @f() {
  %a = call ptr @malloc(i64 1), !memprof !0
  ret void
}
!0 = !{!1}
!1 = !{!2, !"notcold", !"more"}
!2 = !{i64 1}
