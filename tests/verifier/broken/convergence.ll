;;; Convergence control token must dominate all its uses.
declare void @g() convergent
declare token @llvm.experimental.convergence.anchor()
define void @f(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %t = call token @llvm.experimental.convergence.anchor()
  br label %b
b:
  call void @g() [ "convergencectrl"(token %t) ]
  ret void
}
;;; Convergence region is not well-nested.
declare void @g() convergent
declare token @llvm.experimental.convergence.anchor()
define void @f(i1 %c) {
  %outer = call token @llvm.experimental.convergence.anchor()
  %inner = call token @llvm.experimental.convergence.anchor()
  call void @g() [ "convergencectrl"(token %outer) ]
  br i1 %c, label %1, label %2
1:
  call void @g() [ "convergencectrl"(token %inner) ]
  ret void
2:
  call void @g() [ "convergencectrl"(token %outer) ]
  call void @g() [ "convergencectrl"(token %inner) ]
  ret void
}
;;; Convergence token used by an instruction other than llvm.experimental.convergence.loop in a cycle that does not contain the token's definition.
declare void @g() convergent
declare token @llvm.experimental.convergence.anchor()
define void @f(i1 %c) {
entry:
  %t = call token @llvm.experimental.convergence.anchor()
  br label %header
header:
  br i1 %c, label %first, label %"a second"
first:
  call void @g() [ "convergencectrl"(token %t) ]
  br label %latch
"a second":
  br label %latch
latch:
  br i1 %c, label %header, label %exit
exit:
  ret void
}
;;; Cycle heart must dominate all blocks in the cycle.
declare token @llvm.experimental.convergence.anchor()
declare token @llvm.experimental.convergence.loop()
define void @f(i1 %c) {
  %t = call token @llvm.experimental.convergence.anchor()
  br i1 %c, label %1, label %2
1:
  %u = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %t) ]
  br i1 %c, label %2, label %4
2:
  br i1 %c, label %1, label %3
3:
  br label %2
4:
  br label %5
5:
  br label %6
6:
  %v = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %t) ]
  br i1 %c, label %5, label %7
7:
  ret void
}
;;; Two static convergence token uses in a cycle that does not contain either token's definition.
declare token @llvm.experimental.convergence.anchor()
declare token @llvm.experimental.convergence.loop()
define void @f(i1 %c) {
entry:
  %s = call token @llvm.experimental.convergence.anchor()
  %t = call token @llvm.experimental.convergence.anchor()
  br label %outer
outer:
  %u = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %t) ]
  %v = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %s) ]
  br label %inner
inner:
  br i1 %c, label %inner, label %latch
latch:
  br i1 %c, label %outer, label %exit
exit:
  ret void
}
;;; Convergence region is not well-nested.
declare void @before()
declare void @g() convergent
declare token @llvm.experimental.convergence.anchor()
define i32 @with_other_numbers() {
  call void @before() nobuiltin, !a !1
  ret i32 0, !a !2
}
define i32 @with_own_numbers(i1 %c) {
entry:
  %s = call token @llvm.experimental.convergence.anchor() "k"="1"
  %t = call token @llvm.experimental.convergence.anchor() "k"="2", !a !3
  call void @g() "k"="3" [ "convergencectrl"(token %s) ], !a !4
  call void @g() "k"="3" [ "convergencectrl"(token %t) ], !a !4
  ret i32 0, !a !2
}
!named = !{!0}
!0 = !{i32 0}
!1 = !{i32 1}
!2 = !{i32 2}
!3 = !{i32 3}
!4 = !{i32 4}
;;; Cycle heart must dominate all blocks in the cycle.
declare void @g() convergent
declare token @llvm.experimental.convergence.anchor()
declare token @llvm.experimental.convergence.loop()
define void @two_tokens_of_which_the_first_is_gone_behind_the_join(i1 %c) {
entry:
  %a = call token @llvm.experimental.convergence.anchor()
  %b = call token @llvm.experimental.convergence.anchor()
  %d = call token @llvm.experimental.convergence.anchor()
  br i1 %c, label %left, label %right
left:
  call void @g() [ "convergencectrl"(token %b) ]
  br label %join
right:
  br label %join
join:
  %u = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %d) ]
  br i1 %c, label %one, label %two
one:
  %v = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %b) ]
  br label %two
two:
  br i1 %c, label %one, label %exit
exit:
  ret void
}
