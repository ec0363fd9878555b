; What older modules of the corpus do not hold: constant expressions, in phis above all, that instructions have taken the
; place of.  rare-14.bc is what `llvm-as-14 -disable-verify` made of it.

@g = global i32 0
@h = global [4 x i32] zeroinitializer
@f1 = global float fadd (float 1.5, float 2.25)
@i1 = global i64 mul (i64 ptrtoint (i32* @g to i64), i64 1)
@i3 = global i1 icmp eq (i32* @g, i32* null)
@i4 = global i32* getelementptr inbounds ([4 x i32], [4 x i32]* @h, i64 0, inrange i64 2)
@i5 = global i8* bitcast (i32* @g to i8*)
@i6 = global x86_mmx bitcast (i64 7 to x86_mmx)
@i7 = global <2 x i32> <i32 trunc (i64 ptrtoint (i32* @g to i64) to i32), i32 3>
@i8 = global i64 and (i64 255, i64 lshr (i64 1024, i64 2))
declare i32 @callee(i32, i64, float)
define i32 @f(i1 %c, i64 %x) personality i8* null {
entry:
  %a = add i64 %x, mul (i64 ptrtoint (i32* @g to i64), i64 3)
  br i1 icmp ult (i64 ptrtoint (i32* @g to i64), i64 77), label %l, label %r
l:
  %b = call i32 @callee(i32 zext (i1 icmp eq (i32* @g, i32* getelementptr ([4 x i32], [4 x i32]* @h, i64 0, i64 1)) to i32), i64 shl nuw (i64 ptrtoint (i32* @g to i64), i64 2), float sitofp (i64 ptrtoint (i32* @g to i64) to float))
  br label %m
r:
  switch i64 udiv exact (i64 ptrtoint (i32* @g to i64), i64 7), label %m [ i64 1, label %m
  i64 2, label %l ]
m:
  %p = phi i64 [ sdiv (i64 ptrtoint (i32* @g to i64), i64 3), %l ], [ or (i64 ptrtoint (i32* @g to i64), i64 4), %r ], [ or (i64 ptrtoint (i32* @g to i64), i64 4), %r ]
  %q = phi i64 [ %x, %l ], [ or (i64 ptrtoint (i32* @g to i64), i64 4), %r ], [ or (i64 ptrtoint (i32* @g to i64), i64 4), %r ]
  %v = insertelement <2 x i64> <i64 urem (i64 ptrtoint (i32* @g to i64), i64 3), i64 1>, i64 %p, i32 0
  %s = select i1 %c, i64 select (i1 icmp ugt (i32* @g, i32* null), i64 7, i64 ptrtoint ([4 x i32]* @h to i64)), i64 extractelement (<2 x i64> <i64 and (i64 ptrtoint (i32* @g to i64), i64 3), i64 1>, i32 0)
  %st = insertvalue { i64, i32 } { i64 ashr (i64 ptrtoint (i32* @g to i64), i64 3), i32 8 }, i64 %s, 0
  store [2 x i64] [i64 xor (i64 ptrtoint (i32* @g to i64), i64 3), i64 shl (i64 ptrtoint (i32* @g to i64), i64 3)], [2 x i64]* bitcast ([4 x i32]* @h to [2 x i64]*)
  %w = invoke i32 @callee(i32 1, i64 fptoui (float uitofp (i64 ptrtoint (i32* @g to i64) to float) to i64), float fneg (float bitcast (i32 ptrtoint (i32* @g to i32) to float))) to label %o unwind label %u
u:
  %lp = landingpad { i8*, i32 } catch i8* null
  resume { i8*, i32 } %lp
o:
  ret i32 trunc (i64 lshr exact (i64 ptrtoint (i32* @g to i64), i64 7) to i32), !x !{i64 mul (i64 ptrtoint (i32* @g to i64), i64 3)}
}
!n = !{!0}
!0 = !{i64 mul (i64 ptrtoint (i32* @g to i64), i64 3), float fadd (float 1.0, float 2.0), i1 icmp eq (i32* @g, i32* null)}
@address = global i8* blockaddress(@f, %o)
