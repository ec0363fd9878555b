; What modules of the corpus do not hold.  rare.bc is what `llvm-as-22 -disable-verify` made of it.

target datalayout = "e-m:e-i64:64"
%T = type { i32, [2 x i8], ptr }
%0 = type <{ i8, %T }>
@0 = global %0 zeroinitializer
@g = external global %T
@g2 = external addrspace(1) global [10 x i32], align 16
@"a\22b\\" = constant [3 x i8] c"\00\22\5C"
@v = global <4 x i8> <i8 1, i8 2, i8 3, i8 -4>
@v1 = global <3 x i1> <i1 true, i1 true, i1 true>
@v2 = global <2 x ptr> <ptr @g, ptr @g>
@v3 = global <2 x fp128> <fp128 0xL00000000000000003FFF000000000000, fp128 0xL00000000000000003FFF000000000000>
@v4 = global <2 x i24> <i24 -1, i24 5>
@v5 = global <2 x float> <float -0.0, float -0.0>
@v6 = global <2 x i32> <i32 undef, i32 poison>
@v7 = global <2 x half> <half 1.0, half 0xH7E01>
@v8 = global [2 x bfloat] [bfloat 1.0, bfloat 2.0]
@v9 = global [2 x double] [double 0.1, double 0x7FF4000000000001]
@va = global [2 x x86_fp80] [x86_fp80 0xK3FFF8000000000000000, x86_fp80 0xK00000000000000000001]
@vb = global ppc_fp128 0xM3FF00000000000000000000000000001
@vc = global { i8, <{ i1, i64 }> } { i8 -1, <{ i1, i64 }> <{ i1 true, i64 -9 }> }
@vd = global ptr dso_local_equivalent @callee
@ve = global ptr no_cfi @callee
@vf = global ptr getelementptr inrange(-4, 8) (i8, ptr @g, i64 4)
@vg = global ptr getelementptr inbounds nuw (%T, ptr @g, i64 0, i32 1, i64 1)
@vh = global i64 sub nuw nsw (i64 ptrtoint (ptr @g to i64), i64 7)
@vi = global i64 xor (i64 ptrtoint (ptr @g to i64), i64 -7)
@vj = global i32 trunc (i64 ptrtoint (ptr @g to i64) to i32)
@vk = global ptr addrspacecast (ptr addrspace(1) @g2 to ptr)
@vl = global ptr ptrauth (ptr @g, i32 2)
@vm = global ptr ptrauth (ptr @g, i32 2, i64 5)
@vn = global ptr ptrauth (ptr @g, i32 2, i64 0, ptr @g)
@vo = global ptr ptrauth (ptr @g, i32 2, i64 0, ptr null, ptr @g)
@vp = global [2 x ptr] [ptr blockaddress(@f, %bb), ptr blockaddress(@f, %1)]
@vq = global i64 ptrtoaddr (ptr @g to i64)
@vr = global ptr getelementptr nusw (i8, ptr @g, i64 4)
@vt = global [0 x i8] zeroinitializer
@vu = global i32 extractelement (<2 x i32> bitcast (<1 x i64> <i64 ptrtoint (ptr @g to i64)> to <2 x i32>), i32 1)
@al = alias i8, getelementptr (i8, ptr @g3, i64 2)
@g3 = global [4 x i8] c"abc\00", section "a\09b", partition "pp", align 8
$cc = comdat any
declare i32 @callee(ptr, ...)
declare void @cv(metadata)
declare fastcc half @half(half nofpclass(nan pinf) noext, ptr captures(none) dereferenceable(8) byval(%T) align 32, i32 range(i32 -5, 7) %x)
define fp128 @f(i32 %a, i32 %b, float %x, ptr %p, <4 x i32> %v, i1 %c) comdat($cc) prefix i32 7 prologue ptr @g personality ptr @g {
  %o = or disjoint i32 %a, %b
  br label %1
1:
  %2 = add nuw nsw i32 %a, %b
  %3 = sub nsw i32 %2, 5
  %4 = mul nuw i32 %3, %3
  %5 = shl nuw nsw i32 %4, 2
  %6 = udiv exact i32 %5, 3
  %7 = ashr exact i32 %6, 1
  %8 = icmp samesign ult i32 %7, %a
  %9 = trunc nuw nsw i32 %7 to i8
  %10 = zext nneg i8 %9 to i64
  %11 = uitofp nneg i64 %10 to float
  %12 = fadd reassoc nnan ninf nsz arcp contract afn float %11, %x
  %13 = fneg nnan nsz float %12
  %14 = fcmp fast une float %13, 1.0
  %15 = select i1 %14, i32 1, i32 %a
  %16 = select nnan i1 %14, float %13, float %12
  %17 = fptrunc fast float %16 to half
  %18 = fpext nsz half %17 to double
  %19 = getelementptr nusw nuw %T, ptr %p, i32 1, i32 1
  %20 = getelementptr inbounds nuw i8, ptr %p, i64 -1
  %21 = load atomic volatile i32, ptr %p syncscope("workgroup\01") acquire, align 4, !nontemporal !0, !range !1
  store atomic i32 %21, ptr %p monotonic, align 4
  store volatile i32 7, ptr %p
  fence syncscope("singlethread") seq_cst
  %22 = cmpxchg weak volatile ptr %p, i32 1, i32 2 syncscope("one") acq_rel monotonic, align 8
  %23 = atomicrmw volatile usub_sat ptr %p, i32 %a syncscope("agent") release, align 4
  %24 = atomicrmw fmaximum ptr %p, float %x seq_cst
  %25 = alloca %T, align 2
  %26 = alloca inalloca i32, i64 4, align 8
  %27 = alloca swifterror ptr, align 8
  %28 = alloca i32, i32 3, align 4, addrspace(5)
  %29 = shufflevector <4 x i32> %v, <4 x i32> poison, <2 x i32> <i32 0, i32 poison>
  %30 = shufflevector <4 x i32> %v, <4 x i32> %v, <2 x i32> zeroinitializer
  %31 = extractelement <4 x i32> %v, i64 2
  %32 = insertelement <4 x i32> %v, i32 %31, i32 0
  %33 = insertvalue [2 x {i32, i8}] zeroinitializer, i8 7, 1, 1
  %34 = extractvalue [2 x {i32, i8}] %33, 1, 1
  %35 = freeze <4 x i32> %v
  %36 = va_arg ptr %p, i64
  %37 = ptrtoaddr ptr %p to i64
  %38 = addrspacecast ptr %p to ptr addrspace(3)
  %39 = tail call fast fastcc nofpclass(zero) half @half(half %17, ptr byval(%T) align 32 nofpclass(nan) %p, i32 range(i32 -5, 7) 3) #0
  %40 = musttail call i32 (ptr, ...) @callee(ptr %p, i32 inreg 4) #1 [ "de\22opt"(i32 1, ptr %p), "empty"() ], !foo !2
  %41 = notail call cc 1000 addrspace(3) i32 %38(i32 signext -1)
  call avr_intrcc void asm sideeffect alignstack inteldialect unwind "a\22\0A#5 !3", "r,~{x}"(i32 %a)
  call void asm "", ""()
  call void @cv(metadata i32 %a)
  call void @cv(metadata !"s\22")
  call void @cv(metadata !{i32 7})
  %42 = invoke i32 %p(ptr null) to label %bb unwind label %lp
bb:
  %43 = phi nnan float [ %x, %1 ]
  callbr void asm "", "!i,!i"() to label %r [label %r2, label %r]
lp:
  %44 = landingpad { ptr, i32 } cleanup catch ptr @g filter [1 x ptr] [ptr @g] catch ptr null
  resume { ptr, i32 } %44
r:
  switch i128 -1, label %r2 [ i128 170141183460469231731687303715884105727, label %r
   i128 -5, label %r ], !prof !3
r2:
  br i1 %c, label %r, label %r2, !llvm.loop !4, !prof !5
r3:
  indirectbr ptr blockaddress(@f, %bb), [label %r, label %bb]
r4:
  %45 = catchswitch within none [label %h, label %h2] unwind label %k
h:
  %46 = catchpad within %45 [ptr null, i32 64, ptr @g]
  catchret from %46 to label %r
h2:
  %47 = catchpad within %45 []
  %48 = catchswitch within %47 [label %h] unwind to caller
k:
  %49 = cleanuppad within none []
  cleanupret from %49 unwind to caller
k2:
  %50 = cleanuppad within %49 [i1 true]
  cleanupret from %50 unwind label %k
k3:
  unreachable
k4:
  ret fp128 0xL00000000000000007FFF800000000000
}
define void @rem() "x"="y" {
  call i32 (ptr, ...) @callee(ptr elementtype(%0) null)
  ret void
}
attributes #0 = { nounwind memory(argmem: read) "k"="\22v" alignstack=16 uwtable(sync) }
attributes #1 = { allocsize(0,1) vscale_range(1,0) }
!0 = !{i32 1}
!1 = !{i32 0, i32 5}
!2 = !{null, !"a", !2, double 1.0, ptr @g}
!3 = !{!"branch_weights", i32 1, i32 2, i32 3}
!4 = distinct !{!4}
!5 = !{!"branch_weights", !"expected", i32 1, i32 2}
