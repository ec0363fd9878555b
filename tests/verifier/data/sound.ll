; A module without fault, of which tests break one thing after another.
%pair = type { i32, i64 }

$group = comdat any

@variable = global i32 1, comdat($group)
@array = global [2 x i32] zeroinitializer
@alias = alias i32, ptr @variable

declare i32 @personality(...)
declare void @callee(i32, ...)
declare void @may_throw()
declare void @llvm.donothing()
declare void @llvm.prefetch.p0(ptr, i32 immarg, i32 immarg, i32 immarg)

define i32 @work(i32 %a, i32 %b, i64 %wide, float %f, ptr %p, <4 x i32> %v, %pair %s, i1 %c, ptr addrspace(1) %far) {
entry:
  %sum = add i32 %a, %b
  %and = and i32 %a, %b
  %shift = shl i32 %a, %b
  %fsum = fadd float %f, %f
  %neg = fneg float %f
  %equal = icmp eq i32 %a, %b
  %fequal = fcmp oeq float %f, %f
  %choice = select i1 %c, i32 %a, i32 %b
  %trunc = trunc i64 %wide to i32
  %zext = zext i32 %a to i64
  %sext = sext i32 %a to i64
  %fpext = fpext float %f to double
  %fptrunc = fptrunc double %fpext to float
  %fptosi = fptosi float %f to i32
  %uitofp = uitofp i32 %a to float
  %ptrtoint = ptrtoint ptr %p to i64
  %inttoptr = inttoptr i64 %wide to ptr
  %bitcast = bitcast float %f to i32
  %spacecast = addrspacecast ptr %p to ptr addrspace(1)
  %element = extractelement <4 x i32> %v, i32 %a
  %inserted = insertelement <4 x i32> %v, i32 %a, i32 %b
  %shuffled = shufflevector <4 x i32> %v, <4 x i32> %v, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  %field = extractvalue %pair %s, 0
  %filled = insertvalue %pair %s, i32 %a, 0
  %room = alloca i32, align 4
  %loaded = load i32, ptr %p, align 4
  %atomic = load atomic i32, ptr %p acquire, align 4
  store i32 %a, ptr %p, align 4
  %address = getelementptr %pair, ptr %p, i64 0, i32 1
  %changed = atomicrmw add ptr %p, i32 %a seq_cst, align 4
  %xchg = atomicrmw xchg ptr %p, i32 %a seq_cst, align 4
  %exchanged = cmpxchg ptr %p, i32 %a, i32 %b seq_cst seq_cst, align 4
  fence seq_cst
  call void (i32, ...) @callee(i32 %a, i32 %b)
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 0, i32 0)
  br i1 %c, label %left, label %right
left:
  switch i32 %a, label %end [ i32 1, label %right
                              i32 2, label %end ]
right:
  br label %end
end:
  %phi = phi i32 [ %a, %left ], [ %a, %left ], [ %b, %right ]
  ret i32 %phi
}

define void @unwinds() personality ptr @personality {
entry:
  invoke void @may_throw() to label %normal unwind label %pad
normal:
  ret void
pad:
  %landed = landingpad { ptr, i32 } catch ptr null filter [1 x ptr] [ptr null]
  resume { ptr, i32 } %landed
}

define void @jumps(ptr %where) {
entry:
  indirectbr ptr %where, [label %end]
end:
  ret void
}

define void @weighs(i1 %c) {
entry:
  br i1 %c, label %end, label %end, !prof !1
end:
  ret void
}

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{!"branch_weights", i32 1, i32 2}
