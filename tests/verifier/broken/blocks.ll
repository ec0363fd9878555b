;;; Instruction does not dominate all uses!
define i32 @later_in_block(i32 %a) {
  %x = add i32 %y, 1
  %y = add i32 %a, 1
  ret i32 %x
}
;;; Instruction does not dominate all uses!
define i32 @other_branch(i1 %c, i32 %a) {
entry:
  br i1 %c, label %left, label %right
left:
  %x = add i32 %a, 1
  br label %end
right:
  br label %end
end:
  ret i32 %x
}
;;; Instruction does not dominate all uses!
declare i32 @may_throw()
declare i32 @personality(...)
define i32 @invoked_unwound() personality ptr @personality {
  %x = invoke i32 @may_throw() to label %normal unwind label %pad
normal:
  ret i32 %x
pad:
  %l = landingpad { ptr, i32 } cleanup
  ret i32 %x
}
;;; Instruction does not dominate all uses!
declare i32 @may_throw()
declare i32 @personality(...)
define i32 @invoked_by_two_ways(i1 %c) personality ptr @personality {
  br i1 %c, label %call, label %normal
call:
  %x = invoke i32 @may_throw() to label %normal unwind label %pad
normal:
  ret i32 %x
pad:
  %l = landingpad { ptr, i32 } cleanup
  ret i32 0
}
;;; Instruction does not dominate all uses!
define i32 @phi_of_wrong_edge(i1 %c, i32 %a) {
entry:
  br i1 %c, label %left, label %right
left:
  %x = add i32 %a, 1
  br label %end
right:
  br label %end
end:
  %p = phi i32 [ 0, %left ], [ %x, %right ]
  ret i32 %p
}
;;; Instruction does not dominate all uses!
define i32 @from_unreachable(i32 %a) {
entry:
  br label %end
nowhere:
  %x = add i32 %a, 1
  br label %nowhere
end:
  ret i32 %x
}
;;; Instruction does not dominate all uses!
define void @loop_around(i1 %c) {
entry:
  br label %head
head:
  %u = add i32 %v, 1
  br i1 %c, label %body, label %out
body:
  %v = add i32 1, 1
  br label %head
out:
  ret void
}
;;; Only PHI nodes may reference their own value!
define i32 @itself() {
  %x = add i32 %x, 1
  ret i32 %x
}
;;; Only PHI nodes may reference their own value!
define i32 @itself_and_behind() {
  %x = add i32 %x, 1
  br label %end
end:
  ret i32 %x
}
;;; Entry block to function must not have predecessors!
define void @back_to_entry() {
entry:
  br label %entry
}
;;; PHINode should have one entry for each predecessor of its parent basic block!
define i32 @missing_edge(i1 %c) {
entry:
  br i1 %c, label %left, label %end
left:
  br label %end
end:
  %p = phi i32 [ 0, %left ]
  ret i32 %p
}
;;; PHI node entries do not match predecessors!
define i32 @wrong_edge(i1 %c) {
entry:
  br i1 %c, label %left, label %end
left:
  br label %end
end:
  %p = phi i32 [ 0, %left ], [ 1, %end ]
  ret i32 %p
}
;;; PHI nodes not grouped at top of basic block!
define i32 @late_phi(i32 %a) {
entry:
  br label %end
end:
  %x = add i32 %a, 1
  %p = phi i32 [ 0, %entry ]
  ret i32 %p
}
;;; PHINode should have one entry for each predecessor of its parent basic block!
define i32 @phi_in_entry(i32 %a) {
entry:
  %p = phi i32 [ %a, %entry ]
  ret i32 %p
}
;;; PHI nodes cannot have token type!
declare token @llvm.call.preallocated.setup(i32)
define void @token_phi(i1 %c) {
entry:
  %a = call token @llvm.call.preallocated.setup(i32 0)
  br label %end
end:
  %p = phi token [ %a, %entry ]
  ret void
}
;;; Instruction does not dominate all uses!
define i32 @switched(i32 %n) {
entry:
  switch i32 %n, label %a [ i32 1, label %b
                            i32 2, label %c ]
a:
  %x = add i32 %n, 1
  br label %end
b:
  br label %end
c:
  br label %end
end:
  %y = mul i32 %x, 2
  ret i32 %y
}
