define i32 @f(i1 %c, i32 %a) {
entry:
  br i1 %c, label %left, label %end
left:
  %x = add i32 %a, 1
  br label %end
end:
  %y = mul i32 %x, 2
  ret i32 %y
}
