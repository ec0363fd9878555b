!named = !{!0, !1, !2, !3, !4}
declare void @g()
declare i32 @__gxx_personality_v0(...)

define void @f(ptr %p, i32 %n) personality ptr @__gxx_personality_v0 {
  %a = add i32 %n, 1
  call void @g() [ "foo"(metadata !"abc") ]
  call void @g() [ "foo"(i32 7, metadata !0, i32 %a, metadata !{i32 1}), "bar"(metadata !2) ]
  call void @g() [ "later"(i32 %n, i32 7, metadata !1), "empty"() ]
  br label %next

next:
  invoke void @g() [ "foo"(metadata !3, i32 %a) ]
          to label %done unwind label %lpad

done:
  call void @g() [ "to"(label %next, label %done) ]
  ret void

lpad:
  %l = landingpad { ptr, i32 }
          cleanup
  call void @g() [ "foo"(metadata i32 7, metadata ptr @g, metadata !4) ]
  ret void
}

define void @forward(i1 %c) {
  br i1 %c, label %use, label %define

define:
  %x = alloca i32
  br label %use

use:
  ret void
}

!0 = !{!"zero"}
!1 = distinct !{!1}
!2 = !{!"two", !0}
!3 = !{!3, !"three"}
!4 = !{}
