; Assembly text with properties, which LLVM 23 added.
module asm(target_features: "+avx", target_cpu: "haswell") ".globl foo" "foo: ret"
module asm(target_cpu: "znver1") "bar: ret"
module asm "baz: ret"
