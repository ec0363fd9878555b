target triple = "x86_64-unknown-linux-gnu"
$first = comdat any
@v = global i32 7, section "sec", comdat($first), align 4
@arr = global [4 x i8] c"abc\00"
@arr2 = global [3 x i8] c"xyz"
@data = global [2 x i32] [i32 1, i32 2]
@agg = global { i32, ptr } { i32 5, ptr @v }
@aggarr = global [2 x ptr] [ptr @v, ptr @v]
@vec = global <2 x ptr> <ptr @v, ptr @v>
@big = global i128 340282366920938463463374607431768211455
@flt = global double 2.5
@add = global i64 add (i64 ptrtoint (ptr @v to i64), i64 1)
@gep = global ptr getelementptr inbounds ([2 x i32], ptr @data, i64 0, i64 1)
@blk = global ptr blockaddress(@f, %two)
@dso = global ptr dso_local_equivalent @f
@nocfi = global ptr no_cfi @f
@auth = global ptr ptrauth (ptr @v, i32 0)
@cast = global ptr addrspace(1) addrspacecast (ptr @v to ptr addrspace(1))
@a = alias i32, ptr @v
%opaque = type opaque
declare i32 @pers(...)
define i32 @f(i32 %n, ptr %p, <4 x i32> %w, {i32, [2 x i32]} %s, float %x) noinline "key"="value" gc "shadow-stack" personality ptr @pers {
one:
  %x1 = load i32, ptr %p, align 4
  store i32 %x1, ptr %p, align 4
  %al = alloca i32, i32 4
  %e = extractvalue {i32, [2 x i32]} %s, 1, 0
  %i = insertvalue {i32, [2 x i32]} %s, i32 %e, 1, 0
  %ve = extractelement <4 x i32> %w, i32 0
  %vi = insertelement <4 x i32> %w, i32 %ve, i32 1
  %sh = shufflevector <4 x i32> %w, <4 x i32> %vi, <2 x i32> <i32 1, i32 2>
  %c = icmp eq i32 %n, %e
  %fc = fcmp olt float %x, 1.0
  %z = zext i32 %n to i64
  %asm = call i32 asm "nop", "=r"()
  %g = getelementptr {i32, i32}, ptr %p, i64 0, i32 1
  %cx = cmpxchg ptr %p, i32 1, i32 2 acq_rel monotonic
  br i1 %c, label %two, label %three, !prof !5
two:
  %ph = phi i32 [ 1, %one ]
  ret i32 %ph
three:
  %r = invoke i32 @f(i32 1, ptr %p, <4 x i32> %w, {i32, [2 x i32]} %s, float %x) to label %two2 unwind label %lp
two2:
  ret i32 %r
lp:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
!named = !{!5}
!5 = !{!"branch_weights", i32 1, i32 2}
