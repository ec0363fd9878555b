define i32 @first() {
  ret i32 1
}
define i32 @second() {
  ret i32 2
}
