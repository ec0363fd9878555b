;;; incorrect number of operands in llvm.ident metadata
!llvm.ident = !{!0}
!0 = !{!"a", !"b"}
;;; invalid value for llvm.ident metadata entry operand(the operand should be a string)
!llvm.ident = !{!0}
!0 = !{i32 1}
;;; incorrect number of operands in llvm.commandline metadata
!llvm.commandline = !{!0}
!0 = !{}
;;; incorrect number of operands in module flag
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"a"}
;;; invalid behavior operand in module flag (expected constant integer)
!llvm.module.flags = !{!0}
!0 = !{!"1", !"a", i32 1}
;;; invalid behavior operand in module flag (unexpected constant)
!llvm.module.flags = !{!0}
!0 = !{i32 9, !"a", i32 1}
;;; invalid ID operand in module flag (expected metadata string)
!llvm.module.flags = !{!0}
!0 = !{i32 1, i32 1, i32 1}
;;; invalid value for 'min' module flag (expected constant non-negative integer)
!llvm.module.flags = !{!0}
!0 = !{i32 8, !"a", i32 -1}
;;; invalid value for 'max' module flag (expected constant integer)
!llvm.module.flags = !{!0}
!0 = !{i32 7, !"a", !"b"}
;;; invalid value for 'require' module flag (expected metadata pair)
!llvm.module.flags = !{!0}
!0 = !{i32 3, !"a", i32 1}
;;; invalid value for 'require' module flag (first value operand should be a string)
!llvm.module.flags = !{!0}
!0 = !{i32 3, !"a", !{i32 1, i32 1}}
;;; invalid value for 'append'-type module flag (expected a metadata node)
!llvm.module.flags = !{!0}
!0 = !{i32 5, !"a", i32 1}
;;; module flag identifiers must be unique (or of 'require' type)
!llvm.module.flags = !{!0, !1}
!0 = !{i32 1, !"a", i32 1}
!1 = !{i32 4, !"a", i32 1}
;;; invalid requirement on flag, flag is not present in module
!llvm.module.flags = !{!0}
!0 = !{i32 3, !"a", !{!"b", i32 1}}
;;; invalid requirement on flag, flag does not have the required value
!llvm.module.flags = !{!0, !1}
!0 = !{i32 3, !"a", !{!"b", i32 1}}
!1 = !{i32 1, !"b", i32 2}
;;; wchar_size metadata requires constant integer argument
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", !"4"}
;;; SemanticInterposition metadata requires constant integer argument
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"SemanticInterposition", !"1"}
;;; expected a MDNode triple
!llvm.module.flags = !{!0}
!0 = !{i32 5, !"CG Profile", !{!{i32 1}}}
;;; expected a Function or null
!llvm.module.flags = !{!0}
!0 = !{i32 5, !"CG Profile", !{!{i32 1, null, i64 1}}}
;;; expected an integer constant
!llvm.module.flags = !{!0}
!0 = !{i32 5, !"CG Profile", !{!{null, null, !"1"}}}
;;; either both or no 'aarch64-elf-pauthabi-platform' and 'aarch64-elf-pauthabi-version' module flags must be present
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"aarch64-elf-pauthabi-platform", i32 2}
;;; Ranges are only for loads, calls and invokes!
define i32 @added(i32 %a) {
  %x = add i32 %a, 1, !range !0
  ret i32 %x
}
!0 = !{i32 0, i32 4}
;;; Unfinished range!
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !range !{i32 0}
  ret i32 %x
}
;;; It should have at least one range!
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !range !{}
  ret i32 %x
}
;;; The lower limit must be an integer!
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !range !{!"0", i32 1}
  ret i32 %x
}
;;; The upper limit must be an integer!
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !range !{i32 0, !"1"}
  ret i32 %x
}
;;; Range pair types must match!
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !range !{i32 0, i64 1}
  ret i32 %x
}
;;; Range types must match instruction type!
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !range !{i64 0, i64 1}
  ret i32 %x
}
;;; The upper and lower limits cannot be the same value
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !range !{i32 5, i32 5}
  ret i32 %x
}
;;; Range must not be empty!
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !range !{i32 0, i32 0}
  ret i32 %x
}
;;; Range must not be empty!
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !range !{i32 -1, i32 -1}
  ret i32 %x
}
;;; Intervals are overlapping
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !range !{i32 0, i32 4, i32 2, i32 6}
  ret i32 %x
}
;;; Intervals are contiguous
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !range !{i32 0, i32 2, i32 2, i32 6}
  ret i32 %x
}
;;; Intervals are not in order
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !range !{i32 5, i32 6, i32 1, i32 2}
  ret i32 %x
}
;;; Intervals are overlapping
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !range !{i32 0, i32 2, i32 4, i32 6, i32 8, i32 1}
  ret i32 %x
}
;;; Intervals are contiguous
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !range !{i32 0, i32 2, i32 4, i32 6, i32 8, i32 0}
  ret i32 %x
}
;;; noalias.addrspace type must be i32!
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !noalias.addrspace !{i64 5, i64 6}
  ret i32 %x
}
;;; noalias.addrspace are only for memory operations!
define i32 @added(i32 %a) {
  %x = add i32 %a, 1, !noalias.addrspace !{i32 5, i32 6}
  ret i32 %x
}
;;; fpmath requires a floating point result!
define i32 @added(i32 %a) {
  %x = add i32 %a, 1, !fpmath !{float 2.5}
  ret i32 %x
}
;;; fpmath takes one operand!
define float @added(float %a) {
  %x = fadd float %a, 1.0, !fpmath !{}
  ret float %x
}
;;; invalid fpmath accuracy!
define float @added(float %a) {
  %x = fadd float %a, 1.0, !fpmath !{i32 1}
  ret float %x
}
;;; fpmath accuracy must have float type
define float @added(float %a) {
  %x = fadd float %a, 1.0, !fpmath !{double 2.5}
  ret float %x
}
;;; fpmath accuracy not a positive number!
define float @added(float %a) {
  %x = fadd float %a, 1.0, !fpmath !{float -1.0}
  ret float %x
}
;;; nonnull applies only to pointer types
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !nonnull !{}
  ret i32 %x
}
;;; nonnull applies only to load instructions, use attributes for calls or invokes
declare ptr @gives()
define ptr @called() {
  %x = call ptr @gives(), !nonnull !{}
  ret ptr %x
}
;;; nonnull metadata must be empty
define ptr @loaded(ptr %p) {
  %x = load ptr, ptr %p, !nonnull !{i32 1}
  ret ptr %x
}
;;; align applies only to pointer types
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !align !{i64 4}
  ret i32 %x
}
;;; align metadata value must be an i64!
define ptr @loaded(ptr %p) {
  %x = load ptr, ptr %p, !align !{i32 4}
  ret ptr %x
}
;;; align metadata value must be a power of 2!
define ptr @loaded(ptr %p) {
  %x = load ptr, ptr %p, !align !{i64 3}
  ret ptr %x
}
;;; alignment is larger that implementation defined limit
define ptr @loaded(ptr %p) {
  %x = load ptr, ptr %p, !align !{i64 8589934592}
  ret ptr %x
}
;;; align takes one operand!
define ptr @loaded(ptr %p) {
  %x = load ptr, ptr %p, !align !{}
  ret ptr %x
}
;;; dereferenceable, dereferenceable_or_null apply only to pointer types
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !dereferenceable !{i64 4}
  ret i32 %x
}
;;; dereferenceable, dereferenceable_or_null apply only to load and inttoptr instructions, use attributes for calls or invokes
declare ptr @gives()
define ptr @called() {
  %x = call ptr @gives(), !dereferenceable_or_null !{i64 4}
  ret ptr %x
}
;;; dereferenceable, dereferenceable_or_null take one operand!
define ptr @loaded(ptr %p) {
  %x = load ptr, ptr %p, !dereferenceable !{}
  ret ptr %x
}
;;; dereferenceable, dereferenceable_or_null metadata value must be an i64!
define ptr @loaded(ptr %p) {
  %x = load ptr, ptr %p, !dereferenceable !{i32 4}
  ret ptr %x
}
;;; invariant.group metadata is only for loads and stores
declare ptr @gives()
define ptr @called() {
  %x = call ptr @gives(), !invariant.group !{}
  ret ptr %x
}
;;; nofree applies only to inttoptr instruction
define ptr @loaded(ptr %p) {
  %x = load ptr, ptr %p, !nofree !{}
  ret ptr %x
}
;;; nofree metadata must be empty
define ptr @converted(i64 %p) {
  %x = inttoptr i64 %p to ptr, !nofree !{i32 1}
  ret ptr %x
}
;;; scope list must consist of MDNodes
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !noalias !{!"x"}
  ret i32 %x
}
;;; scope must have two or three operands
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !alias.scope !{!{!"x"}}
  ret i32 %x
}
;;; first scope operand must be self-referential or string
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !alias.scope !{!{i32 1, !{!"d"}}}
  ret i32 %x
}
;;; third scope operand must be string (if used)
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !alias.scope !{!{!"x", !{!"d"}, i32 1}}
  ret i32 %x
}
;;; second scope operand must be MDNode
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !alias.scope !{!{!"x", !"d"}}
  ret i32 %x
}
;;; domain must have one or two operands
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !alias.scope !{!{!"x", !{}}}
  ret i32 %x
}
;;; first domain operand must be self-referential or string
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !alias.scope !{!{!"x", !{i32 1}}}
  ret i32 %x
}
;;; second domain operand must be string (if used)
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !alias.scope !{!{!"x", !{!"d", i32 1}}}
  ret i32 %x
}
;;; Access scope list must consist of MDNodes
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !llvm.access.group !{!"x"}
  ret i32 %x
}
;;; Access scope list contains invalid access scope
define i32 @loaded(ptr %p) {
  %x = load i32, ptr %p, !llvm.access.group !{!{}}
  ret i32 %x
}
;;; !prof annotations should have at least 1 operand
define void @branched(i1 %c) {
  br i1 %c, label %a, label %a, !prof !{}
a:
  ret void
}
;;; expected string with name of the !prof annotation
define void @branched(i1 %c) {
  br i1 %c, label %a, label %a, !prof !{i32 1, i32 2}
a:
  ret void
}
;;; !prof branch_weights are not allowed for this instruction
define i32 @added(i32 %a) {
  %x = add i32 %a, 1, !prof !{!"branch_weights", i32 1}
  ret i32 %x
}
;;; !prof brunch_weights operand is not a const int
define void @branched(i1 %c) {
  br i1 %c, label %a, label %a, !prof !{!"branch_weights", i32 1, float 1.0}
a:
  ret void
}
;;; expected either branch_weights or VP profile name
define void @branched(i1 %c) {
  br i1 %c, label %a, label %a, !prof !{!"weights", i32 1, i32 1}
a:
  ret void
}
;;; 'unknown' !prof should only appear on instructions on which 'branch_weights' would
define i32 @added(i32 %a) {
  %x = add i32 %a, 1, !prof !{!"unknown", !"pass"}
  ret i32 %x
}
;;; 'unknown' !prof should have a single additional operand
define void @branched(i1 %c) {
  br i1 %c, label %a, label %a, !prof !{!"unknown"}
a:
  ret void
}
;;; 'unknown' !prof should have an additional operand of type string
define void @branched(i1 %c) {
  br i1 %c, label %a, label %a, !prof !{!"unknown", i32 1}
a:
  ret void
}
;;; the 'unknown' !prof operand should not be an empty string
define void @branched(i1 %c) {
  br i1 %c, label %a, label %a, !prof !{!"unknown", !""}
a:
  ret void
}
;;; Invalid VP !prof kind
declare void @plain()
define void @called() {
  call void @plain(), !prof !{!"VP", i32 9, i64 1, i64 2, i64 3}
  ret void
}
;;; VP !prof should have an even number of arguments after 'VP'
declare void @plain()
define void @called() {
  call void @plain(), !prof !{!"VP", i32 0, i64 1, i64 2, i64 3, i64 4}
  ret void
}
;;; !memprof metadata should only exist on calls
define i32 @added(i32 %a) {
  %x = add i32 %a, 1, !memprof !{!{!{i64 1}, !"cold"}}
  ret i32 %x
}
;;; Each !memprof MemInfoBlock should have at least 2 operands
declare void @plain()
define void @called() {
  call void @plain(), !memprof !{!{!{i64 1}}}
  ret void
}
;;; call stack metadata should have at least 1 operand
declare void @plain()
define void @called() {
  call void @plain(), !callsite !{}
  ret void
}
;;; call stack metadata operand should be constant integer
declare void @plain()
define void @called() {
  call void @plain(), !callsite !{!"x"}
  ret void
}
;;; annotation must have at least one operand
define i32 @added(i32 %a) {
  %x = add i32 %a, 1, !annotation !{}
  ret i32 %x
}
;;; operands must be a string or a tuple of strings
define i32 @added(i32 %a) {
  %x = add i32 %a, 1, !annotation !{i32 1}
  ret i32 %x
}
;;; !captures metadata cannot be empty
define void @stored(ptr %p) {
  store ptr %p, ptr %p, !captures !{}
  ret void
}
;;; !captures metadata can only be applied to store instructions
define void @loaded(ptr %p) {
  %x = load ptr, ptr %p, !captures !{!"address"}
  ret void
}
;;; invalid entry in !captures metadata
define void @stored(ptr %p) {
  store ptr %p, ptr %p, !captures !{!"address", !"address_is_null", !"provenance", !"read_provenance", !"everything"}
  ret void
}
;;; !alloc_token must have 2 operands
declare void @plain()
define void @called() {
  call void @plain(), !alloc_token !{!"x"}
  ret void
}
;;; !callee_type metadata should only exist on calls
define i32 @added(i32 %a) {
  %x = add i32 %a, 1, !callee_type !{}
  ret i32 %x
}
;;; The callee_type metadata must be a list of type metadata nodes
declare void @plain()
define void @called() {
  call void @plain(), !callee_type !{!"x"}
  ret void
}
;;; Only generalized type metadata can be part of the callee_type metadata list
declare void @plain()
define void @called() {
  call void @plain(), !callee_type !{!{i64 0, !"x"}}
  ret void
}
;;; !mmra metadata attached to unexpected instruction kind
define i32 @added(i32 %a) {
  %x = add i32 %a, 1, !mmra !{!"a", !"b"}
  ret i32 %x
}
;;; !mmra metadata tuple operand is not an MMRA tag
define void @fenced() {
  fence seq_cst, !mmra !{!"a", i32 1}
  ret void
}
