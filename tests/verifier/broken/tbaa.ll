;;; TBAA metadata cannot have 0 operands
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !{}
  ret i32 %x
}
;;; This instruction shall not have a TBAA access tag!
define i32 @added(i32 %a) {
  %x = add i32 %a, 1, !tbaa !0
  ret i32 %x
}
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
;;; Struct tag metadata must have either 3 or 4 operands
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!1, !1, i64 0, i64 0, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
;;; Immutability tag on struct tag metadata must be a constant
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!1, !1, i64 0, !"x"}
!1 = !{!"int", !2}
!2 = !{!"root"}
;;; Immutability part of the struct tag metadata must be either 0 or 1
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!1, !1, i64 0, i64 2}
!1 = !{!"int", !2}
!2 = !{!"root"}
;;; Malformed struct tag metadata: base and access-type should be non-null and point to Metadata nodes
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!1, null, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
;;; Access type node must be a valid scalar type
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!1, !2, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
;;; Offset must be constant integer
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!1, !1, !"0"}
!1 = !{!"int", !2}
!2 = !{!"root"}
;;; Offset not zero at the point of scalar access
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!1, !1, i64 4}
!1 = !{!"int", !2}
!2 = !{!"root"}
;;; Did not see access type in access path!
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!1, !3, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
!3 = !{!"float", !2}
;;; Struct tag nodes must have an odd number of operands!
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
!3 = !{!"struct", !1, i64 0, !1}
;;; Struct tag nodes have a string as their first operand
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
!3 = !{i32 1, !1, i64 0}
;;; Incorrect field entry in struct type node!
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
!3 = !{!"struct", !"int", i64 0, !1, i64 4}
;;; Offset entries must be constants!
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
!3 = !{!"struct", !1, !"0", !1, i64 4}
;;; Bitwidth between the offsets and struct type entries must match
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
!3 = !{!"struct", !1, i64 0, !1, i32 4}
;;; Offsets must be increasing!
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
!3 = !{!"struct", !1, i64 4, !1, i64 0}
;;; Access bit-width not the same as description bit-width
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!3, !1, i32 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
!3 = !{!"struct", !1, i64 0, !1, i64 4}
;;; Could not find TBAA parent in struct type node
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
!3 = !{!"struct", !1, i64 4, !1, i64 8}
;;; Cycle detected in struct path
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
!3 = !{!"struct", !3, i64 0, !1, i64 4}
;;; Access tag metadata must have either 4 or 5 operands
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!1, !1, i64 0}
!1 = !{!2, i64 4, !"int"}
!2 = !{!"root"}
;;; Access size field must be a constant
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !tbaa !0
  ret i32 %x
}
!0 = !{!1, !1, i64 0, !"4"}
!1 = !{!2, i64 4, !"int"}
!2 = !{!"root"}
;;; llvm.errno.tbaa must have at least one operand
!llvm.errno.tbaa = !{}
;;; TBAA metadata cannot have 0 operands
!llvm.errno.tbaa = !{!0}
!0 = !{}
;;; Old-style TBAA is no longer allowed, use struct-path TBAA instead
!llvm.errno.tbaa = !{!0}
!0 = !{!"int", !1}
!1 = !{!"root"}
