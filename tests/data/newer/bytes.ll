; The byte type, which LLVM 23 added.
@g = global b8 1
define b32 @e(b32 %f) { 
  %x = bitcast b32 %f to float
  ret b32 %f
}
