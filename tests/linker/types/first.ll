%S = type { ptr }
%Q = type { i32, %S }
@a = global %Q zeroinitializer
define %S @make.S() {
  unreachable
}
