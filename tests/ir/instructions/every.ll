; Every kind of instruction, once or more; every.bc is this, assembled by llvm-as 22.
target datalayout = "e-m:e-p:64:64"

%pair = type { i32, ptr }

@variable = global i32 0
@table = global [4 x i32] zeroinitializer
@type_info = external constant ptr

declare i32 @personality(...)
declare i32 @seh(...)
declare i32 @callee(i32, ptr)
declare void @throws()

define float @arithmetic(i32 %a, i32 %b, float %x, float %y, i1 %c) {
  %sum = add nuw nsw i32 %a, %b
  %quotient = sdiv exact i32 %sum, %b
  %either = or disjoint i32 %quotient, 1
  %product = fmul nnan nsz float %x, %y
  %negated = fneg fast float %product
  %truncated = trunc nuw i32 %either to i8
  %widened = zext nneg i8 %truncated to i64
  %less = icmp samesign ult i32 %a, %b
  %ordered = fcmp ninf oeq float %x, %y
  %chosen = select ninf i1 %c, float %negated, float %y
  %frozen = freeze float %chosen
  ret float %frozen
}

define i32 @memory(ptr %p, i32 %n, i64 %i, ptr %list) {
  %room = alloca [4 x i32], i32 %n, align 16
  %loaded = load volatile i32, ptr %p, align 2
  %acquired = load atomic i32, ptr %p syncscope("singlethread") acquire, align 4
  store volatile i32 %loaded, ptr %room, align 8
  store atomic i32 %acquired, ptr %p release, align 4
  %address = getelementptr inbounds nuw %pair, ptr %p, i64 %i, i32 1
  %argument = va_arg ptr %list, i32
  fence syncscope("singlethread") seq_cst
  %exchanged = cmpxchg weak volatile ptr %p, i32 %n, i32 7 acq_rel monotonic, align 4
  %before = atomicrmw umax ptr %address, i32 %argument monotonic, align 4
  ret i32 %before
}

define <2 x i32> @vectors(<2 x i32> %v, <2 x i32> %w, i32 %i, %pair %s, ptr %p) {
  %element = extractelement <2 x i32> %v, i32 %i
  %inserted = insertelement <2 x i32> %w, i32 %element, i32 0
  %shuffled = shufflevector <2 x i32> %v, <2 x i32> %inserted, <2 x i32> <i32 3, i32 poison>
  %field = extractvalue %pair %s, 0
  %changed = insertvalue %pair %s, ptr %p, 1
  ret <2 x i32> %shuffled
}

define i32 @control(i32 %n, ptr %address, i1 %c) {
entry:
  br i1 %c, label %left, label %right

left:
  %call = tail call fastcc i32 @callee(i32 %n, ptr @variable) [ "deopt"(i32 %n, ptr %address), "other"() ]
  br label %right

right:
  %merged = phi i32 [ %n, %entry ], [ %call, %left ]
  switch i32 %merged, label %done [
    i32 1, label %left2
    i32 -5, label %jump
  ]

left2:
  callbr void asm sideeffect "jmp ${0:l}", "!i,!i"()
          to label %done [label %jump, label %never]

jump:
  indirectbr ptr %address, [label %done, label %never]

never:
  unreachable

done:
  ret i32 %merged
}

define void @nothing() {
  ret void
}

define void @landing() personality ptr @personality {
entry:
  invoke void @throws() [ "deopt"(i32 1) ]
          to label %done unwind label %pad

pad:
  %caught = landingpad { ptr, i32 }
          cleanup
          catch ptr @type_info
          filter [1 x ptr] [ptr @type_info]
  resume { ptr, i32 } %caught

done:
  ret void
}

define void @funclets() personality ptr @seh {
entry:
  invoke void @throws()
          to label %done unwind label %dispatch

dispatch:
  %switch = catchswitch within none [label %handler, label %second] unwind label %cleanup

handler:
  %catch = catchpad within %switch [ptr @type_info, i32 8, ptr null]
  catchret from %catch to label %done

second:
  %other = catchpad within %switch [ptr null, i32 64, ptr null]
  catchret from %other to label %done

cleanup:
  %cleaning = cleanuppad within none []
  invoke void @throws() [ "funclet"(token %cleaning) ]
          to label %clean unwind label %outer

clean:
  cleanupret from %cleaning unwind label %outer

outer:
  %last = cleanuppad within none [i32 3]
  cleanupret from %last unwind to caller

done:
  ret void
}
