#include "device.h"
typedef __attribute__((address_space(1))) int global_int;
typedef __attribute__((address_space(3))) int shared_int;
typedef __attribute__((address_space(4))) const int constant_int;
__device__ int in_global[4];
__constant__ int in_constant[4] = {1, 2, 3, 4};
__global__ void named(global_int *g, int *out) {
  __shared__ int in_shared[32];
  shared_int *s = (shared_int *)in_shared;
  s[THREAD] = g[THREAD] + in_constant[THREAD & 3];
  __syncthreads();
  out[THREAD] = s[31 - THREAD] + in_global[THREAD & 3] + __nvvm_isspacep_shared(out);
}
__global__ void cached(const float *a, const int *b, float *out) {
  out[THREAD] = __nvvm_ldg_f(a + THREAD) + __nvvm_ldg_i(b + THREAD) + __nvvm_ldu_f(a);
}
__global__ void assembly(uint *a, float *b) {
  uint x;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(x));
  asm("{ .reg .u32 t; add.u32 t, %1, %2; mul.lo.u32 %0, t, 3; }" : "=r"(a[THREAD]) : "r"(x), "r"(a[THREAD]));
  asm volatile("prefetch.global.L1 [%0];" ::"l"(b));
  asm volatile("st.global.f32 [%0], %1;" ::"l"(b), "f"(1.0f) : "memory");
}
