; Operations of atomicrmw that LLVM 23 added.
define void @e(ptr %p, float %f) { 
  %1 = atomicrmw fmaximumnum ptr %p, float %f seq_cst
  ret void
}
