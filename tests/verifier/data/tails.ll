declare fastcc i32 @callee(i32)
define i32 @f(i32 inreg %x) {
  %y = musttail call fastcc i32 @callee(i32 %x)
  ret i32 0
}
declare void @g(i32 zeroext signext, ptr byval(i32) byref(i32))
