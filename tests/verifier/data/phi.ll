define i32 @f(i1 %c) {
  br i1 %c, label %1, label %2
1:
  br label %2
2:
  %p = phi i32 [ 0, %1 ]
  ret i32 %p
}
