@llvm.used = global [1 x ptr] [ptr @alias]
@alias = alias i32, ptr @outside
@outside = external global i32
@filled = common constant i32 1
